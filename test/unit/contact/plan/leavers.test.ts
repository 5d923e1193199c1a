import fc from 'fast-check';

import type { Contact } from '../../../../nodes/Chatbase/resources/contact/plan/contact';
import type { Ownership } from '../../../../nodes/Chatbase/resources/contact/plan/leavers';
import {
	isManaged,
	isOfAnotherSync,
	checkLimit,
	findMissing,
} from '../../../../nodes/Chatbase/resources/contact/plan/leavers';

const byMark: Ownership = { kind: 'attribute', attribute: 'source', value: 'crm' };

const contact = fc.record({
	external_id: fc.constantFrom('crm-1', 'crm-2', 'web-3', '..', '', null, 7, undefined),
	custom_attributes: fc.constantFrom(
		null,
		undefined,
		{},
		{ source: 'crm' },
		{ source: 'shop' },
		{ source: '' },
		{ source: 'crm', left: '2026-09-01' },
		{ source: null },
	),
}) as fc.Arbitrary<Contact>;
const management = fc.constantFrom<Ownership>(
	byMark,
	{ kind: 'idPrefix', prefix: 'crm-' },
	{ kind: 'all' },
);
const present = fc.uniqueArray(fc.constantFrom('crm-1', 'crm-2', 'web-3', '7', 'new'));

it('nobody leaves who is not managed, who is in the list, or whom no path can name', () => {
	fc.assert(
		fc.property(
			fc.array(contact, { maxLength: 12 }),
			management,
			present,
			fc.option(fc.constant('left'), { nil: undefined }),
			(contacts, managed, ids, leftAttribute) => {
				const result = findMissing(contacts, managed, new Set(ids), leftAttribute);
				expect(result.leavers.length).toBeLessThanOrEqual(result.managed);
				for (const leaver of result.leavers) {
					expect(isManaged(leaver, managed)).toBe(true);
					expect(isOfAnotherSync(leaver, managed)).toBe(false);
					expect(ids).not.toContain(String(leaver.external_id));
					expect(['..', '', 'null', 'undefined']).not.toContain(String(leaver.external_id));
					const left = leaver.custom_attributes?.left;
					if (leftAttribute !== undefined) expect(left).toBeUndefined();
				}
			},
		),
		{ numRuns: 500 },
	);
});

it('whoever is managed and not in the list leaves', () => {
	const contacts: Contact[] = [
		{ external_id: 'a', custom_attributes: { source: 'crm' } },
		{ external_id: 'b', custom_attributes: { source: 'crm' } },
		{ external_id: 'c', custom_attributes: { source: 'shop' } },
		{ external_id: 'd', custom_attributes: {} },
		{ external_id: 'e', custom_attributes: { source: 'crm', left: '2026-09-01' } },
	];
	const idsOf = (leftAttribute?: string) => {
		const { leavers, managed } = findMissing(contacts, byMark, new Set(['a']), leftAttribute);
		return [leavers.map(({ external_id }) => external_id), managed];
	};
	expect(idsOf()).toEqual([['b', 'e'], 3]);
	expect(idsOf('left')).toEqual([['b'], 2]);
});

it.each([
	[0, 0, 'fine'],
	[0, 100, 'fine'],
	[1, 1, 'everybody'],
	[10, 11, 'fine'],
	[10, 10, 'everybody'],
	[11, 110, 'fine'],
	[11, 109, 'tooMany'],
	[500, 100_000, 'fine'],
	[501, 100_000, 'tooMany'],
])('of 10 percent and 500, %d of %d leavers are %s', (leavers, managed, verdict) => {
	expect(checkLimit(leavers, managed, { maxPercent: 10, max: 500 })).toBe(verdict);
});

it.each([
	[3, 100, 3, 'fine'],
	[4, 100, 3, 'tooMany'],
	[900, 1000, 900, 'fine'],
	[1, 100, 0, 'tooMany'],
	[1000, 1000, 1000, 'everybody'],
])('%d of %d leavers, of whom a person allowed %d, are %s', (leavers, managed, max, verdict) => {
	expect(checkLimit(leavers, managed, { max })).toBe(verdict);
});

it('the guard is never looser for more leavers', () => {
	const order = ['fine', 'tooMany', 'everybody'];
	fc.assert(
		fc.property(
			fc.nat({ max: 2000 }),
			fc.nat({ max: 2000 }),
			fc.option(fc.nat({ max: 100 }), { nil: undefined }),
			fc.nat({ max: 800 }),
			(leavers, managed, maxPercent, max) => {
				fc.pre(leavers < managed);
				const guard = { maxPercent, max };
				const one = order.indexOf(checkLimit(leavers, managed, guard));
				const more = order.indexOf(checkLimit(leavers + 1, managed, guard));
				expect(more).toBeGreaterThanOrEqual(one);
			},
		),
	);
});
