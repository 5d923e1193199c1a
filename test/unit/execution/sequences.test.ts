/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import fc from 'fast-check';

import { inSequences } from '../../../nodes/Chatbase/execution/sequences';

interface Entry {
	place: number;
	keys: string[];
}

const entriesOf = (keys: string[][]): Entry[] => keys.map((own, place) => ({ place, keys: own }));
const placesOf = (keys: string[][]) =>
	inSequences(entriesOf(keys), (entry) => entry.keys).map((sequence) =>
		sequence.map(({ place }) => place),
	);

it('items without a key in common are sent at the same time', () => {
	expect(placesOf([['a'], [], ['b'], []])).toEqual([[0], [1], [2], [3]]);
});

it('items with a key in common are sent in their order', () => {
	expect(placesOf([['a'], ['b'], ['a']])).toEqual([[0, 2], [1]]);
});

it('items that another item connects are sent in their order', () => {
	expect(placesOf([['a'], ['b'], ['a', 'b'], ['c'], ['b']])).toEqual([[0, 1, 2, 4], [3]]);
});

it('each item is in one sequence, with all that have a key of it', () => {
	const keys = fc.array(fc.array(fc.constantFrom(...'abcdefghij'), { maxLength: 2 }), {
		maxLength: 30,
	});
	fc.assert(
		fc.property(keys, (lists) => {
			const sequences = placesOf(lists);
			expect(sequences.flat().sort((one, other) => one - other)).toEqual([...lists.keys()]);
			for (const sequence of sequences) {
				expect(sequence).toEqual([...sequence].sort((one, other) => one - other));
			}
			const ofKey = new Map<string, Set<number>>();
			sequences.forEach((sequence, number) => {
				for (const key of sequence.flatMap((place) => lists[place])) {
					ofKey.set(key, (ofKey.get(key) ?? new Set()).add(number));
				}
			});
			expect([...ofKey.values()].filter(({ size }) => size > 1)).toEqual([]);
		}),
	);
});

it('needs less than a second for 40,000 items of which a third connects the others', () => {
	const third = Array.from({ length: 13_333 }, (_, number) => number);
	const keys = [
		...third.map((number) => [`a${number}`]),
		...third.map((number) => [`b${number}`]),
		...third.map((number) => [`a${number}`, `b${number}`]),
	];
	const start = process.cpuUsage();
	expect(placesOf(keys)).toHaveLength(third.length);
	expect(process.cpuUsage(start).user / 1000).toBeLessThan(1000);
});

it('holds 150,000 items with one key', () => {
	const keys = Array.from({ length: 150_000 }, () => ['same']);
	expect(placesOf(keys)[0]).toHaveLength(150_000);
});
