/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { builtinModules } from 'node:module';

import { titleOf } from '../../errorTexts';
import { sampled } from '../../propertyRuns';
import { countSteps } from '../../unit/countSteps';
import { useTestbed } from '../testbed';
import { byColumns, goOn, outcomes, type Row } from './rows';

/** Work that grows with the number of contacts, and not with its square. Steps are counted, since seconds vary. */
const testbed = useTestbed({ resource: 'contact', operation: 'upsert' });

/** The node runs outside of the realm of Jest, whose arrays have another prototype. */
const arrays = Object.getPrototypeOf(builtinModules) as unknown[];

const range = (count: number) => Array.from({ length: count }, (_, index) => index);
const taken = titleOf('409 email');
/** Contacts of the smaller run. */
const half = sampled(250, 500);

interface Job {
	name: string;
	contact: (index: number) => { email?: string };
	row: (index: number) => Row;
}

const jobs: Job[] = [
	{
		name: 'many items want an email that is taken',
		contact: () => ({}),
		row: (index) => ({ id: `c-${index}`, email: 'owner@x.example' }),
	},
	{
		name: 'contacts exchange their emails in one circle',
		contact: (index) => ({ email: `c-${index}@x.example` }),
		row: (index) => ({ id: `c-${index}`, email: `c-${index + 1}@x.example` }),
	},
];

it.each(jobs)(
	'takes twice the steps for twice as many when $name',
	async (job) => {
		const { contact, row } = job;
		const count = async (size: number) => {
			testbed.reset();
			const { store } = testbed.service;
			store.addContact('bot', { external_id: 'owner', email: 'owner@x.example' });
			for (const index of range(size)) {
				store.addContact('bot', { external_id: `c-${index}`, ...contact(index) });
			}
			const input = range(size).map(row);
			// The last one closes the circle.
			if (input[0].email !== input[1].email) {
				input[size - 1].email = 'c-0@x.example';
			}
			let seen: unknown[] = [];
			const steps = await countSteps(async () => {
				const { items } = await testbed.run(byColumns, { input, ...goOn });
				seen = outcomes(items);
			}, arrays);
			expect(new Set(seen)).toEqual(new Set([taken]));
			return steps;
		};
		expect((await count(2 * half)) / (await count(half))).toBeLessThan(2.2);
	},
	60_000,
);
