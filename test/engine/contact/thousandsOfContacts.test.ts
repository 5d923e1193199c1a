/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { builtinModules } from 'node:module';

import { sampled } from '../../propertyRuns';
import { useTestbed } from '../testbed';
import { byColumns, goOn, outcomes, type Row } from './rows';

/** Work that grows with the number of contacts, and not with its square. Steps are counted, since seconds vary. */
const testbed = useTestbed({ resource: 'contact', operation: 'upsert' });

const methods = ['filter', 'find', 'flatMap', 'forEach', 'map', 'some'] as const;

/** Counts the elements that arrays go through, by iteration, copying or their methods. */
async function stepsOf(work: () => Promise<unknown>): Promise<number> {
	let steps = 0;
	// The node runs outside of the realm of Jest, whose arrays have another prototype.
	const prototype = Object.getPrototypeOf(builtinModules) as Record<string | symbol, unknown>;
	const originals = [...methods, Symbol.iterator].map((name) => [name, prototype[name]] as const);
	for (const name of methods) {
		const original = prototype[name] as (...given: unknown[]) => unknown;
		prototype[name] = function (
			this: unknown[],
			use: (...given: unknown[]) => unknown,
			self: unknown,
		) {
			const counted = function (this: unknown, ...given: unknown[]) {
				steps++;
				return use.apply(this, given);
			};
			return original.call(this, counted, self);
		};
	}
	const iterate = prototype[Symbol.iterator] as () => Iterator<unknown>;
	prototype[Symbol.iterator] = function (this: unknown[]) {
		const iterator = iterate.call(this);
		const next = iterator.next.bind(iterator);
		return Object.assign(iterator, {
			next: () => {
				steps++;
				return next();
			},
		});
	};
	try {
		await work();
	} finally {
		for (const [name, original] of originals) prototype[name] = original;
	}
	return steps;
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index);
const taken = 'The email is taken by another contact';
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
			const steps = await stepsOf(async () => {
				const { items } = await testbed.run(byColumns, { input, ...goOn });
				seen = outcomes(items);
			});
			expect(new Set(seen)).toEqual(new Set([taken]));
			return steps;
		};
		expect((await count(2 * half)) / (await count(half))).toBeLessThan(2.2);
	},
	60_000,
);
