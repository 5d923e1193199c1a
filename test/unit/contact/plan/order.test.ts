import * as fc from 'fast-check';

import type { AddressChange } from '../../../../nodes/Chatbase/resources/contact/plan/order';
import { orderOf } from '../../../../nodes/Chatbase/resources/contact/plan/order';

const addresses = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}@x.example`);

/** People with an address each, and the address that each of them is to have: nobody, or one that may be taken. */
const changes: fc.Arbitrary<AddressChange[]> = fc
	.shuffledSubarray(addresses, { minLength: 1 })
	.chain((held) =>
		fc.tuple(
			...held.map((from) =>
				fc.record({ from: fc.constant(from), to: fc.constantFrom(undefined, null, ...addresses) }),
			),
		),
	);

/** What a service with unique addresses makes of the changes, one after the other. */
function play(list: AddressChange[], order: number[]): boolean[] {
	const held = list.map(({ from }) => from);
	const succeeded = list.map(() => false);
	for (const index of order) {
		const { to } = list[index];
		const isTaken = held.some((address, other) => other !== index && address === to);
		if (to !== undefined && to !== null && isTaken) continue;
		if (to !== undefined) held[index] = to;
		succeeded[index] = true;
	}
	return succeeded;
}

it('names every change once, after the one that it waits for', () => {
	fc.assert(
		fc.property(changes, (list) => {
			const { order, after } = orderOf(list);
			expect([...order].sort((one, other) => one - other)).toEqual([...list.keys()]);
			const place = new Map(order.map((index, position) => [index, position]));
			after.forEach((giver, index) => {
				if (giver !== undefined) expect(place.get(giver)).toBeLessThan(place.get(index)!);
			});
		}),
		{ numRuns: 500 },
	);
});

it('lets succeed whatever succeeds in any order', () => {
	const small = changes.filter((list) => list.length <= 5);
	const permutations = (numbers: number[]): number[][] =>
		numbers.length === 0
			? [[]]
			: numbers.flatMap((first) =>
					permutations(numbers.filter((number) => number !== first)).map((rest) => [
						first,
						...rest,
					]),
				);
	fc.assert(
		fc.property(small, (list) => {
			// Two that want one address cannot both have it; which of them does is no question of order.
			const wantedBy = list.map(({ to }) => to).filter((to) => typeof to === 'string');
			fc.pre(new Set(wantedBy).size === wantedBy.length);
			const { order, inSwap } = orderOf(list);
			const outcome = play(list, order);
			const best = permutations([...list.keys()]).map((other) => play(list, other));
			outcome.forEach((succeeded, index) => {
				expect(succeeded).toBe(best.some((other) => other[index]));
				if (inSwap.has(index)) expect(succeeded).toBe(false);
			});
		}),
		{ numRuns: 200 },
	);
});

it('orders a chain as long as the longest input', () => {
	const chain = Array.from({ length: 100_000 }, (_, index) => ({
		from: `p${index}@x.example`,
		to: `p${index + 1}@x.example`,
	}));
	expect(orderOf(chain).order[0]).toBe(99_999);
});
