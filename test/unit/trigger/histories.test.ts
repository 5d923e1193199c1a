import fc from 'fast-check';

import { histories } from './history';
import { propertyRuns } from '../../propertyRuns';
import { kindOf, Life, momentOf } from './life';

it.each(Object.keys(momentOf))(
	'reports each change once, whatever happens between polls and during them, when Trigger On is %s',
	async (event) => {
		await fc.assert(
			fc.asyncProperty(
				histories(kindOf(event)),
				async (given) => await new Life(event, given).live(),
			),
			// Conversations take ten times as many records, and as much longer.
			propertyRuns(event === 'conversationStarted' ? 4 : 30),
		);
	},
	120_000,
);
