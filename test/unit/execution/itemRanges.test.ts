import fc from 'fast-check';

import { itemRanges } from '../../../nodes/Chatbase/execution/results';

const indices = fc
	.uniqueArray(fc.nat({ max: 200 }), { minLength: 1 })
	.map((numbers) => numbers.sort((one, other) => one - other));

/** The numbers that a text names. */
function namedIn(words: string): number[] {
	return words
		.replace(/^items? /, '')
		.split(', ')
		.flatMap((part) => {
			const [first, last = first] = part.split(' to ').map(Number);
			return Array.from({ length: last - first + 1 }, (_, offset) => first + offset);
		});
}

it.each([
	[[0], 'item 0'],
	[[149, 150], 'items 149, 150'],
	[[...Array(149).keys(), 151], 'items 0 to 148, 151'],
])('names %j as a person would', (numbers, words) => {
	expect(itemRanges(numbers)).toBe(words);
});

it('names every item, and no other', () => {
	fc.assert(
		fc.property(indices, (numbers) => {
			expect(namedIn(itemRanges(numbers))).toEqual(numbers);
		}),
	);
});

it('counts the items after 20 ranges', () => {
	const every = (count: number) => Array.from({ length: count }, (_, index) => 2 * index);
	expect(itemRanges(every(20), 20)).toMatch(/, 38$/);
	expect(itemRanges([...every(20), 50, 51, 60], 20)).toMatch(/, 38 and 3 more$/);
});
