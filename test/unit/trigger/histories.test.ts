import fc from 'fast-check';

import { histories } from './history';
import { contactEvents, Life, momentOf } from './life';
import { World } from './world';

it.each(Object.keys(momentOf))(
	'reports each change once in every history: %s',
	async (event) => {
		await fc.assert(
			fc.asyncProperty(
				histories(contactEvents.includes(event) ? 'contacts' : 'days'),
				async (given) => await new Life(event, given, new World(given.habits)).live(),
			),
			// Conversations take ten times as many records, and as much longer.
			{ numRuns: event === 'conversationStarted' ? 60 : 600 },
		);
	},
	120_000,
);
