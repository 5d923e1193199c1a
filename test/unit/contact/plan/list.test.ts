import fc from 'fast-check';

import type { Contact } from '../../../../nodes/Chatbase/resources/contact/plan/contact';
import { ListAssembly } from '../../../../nodes/Chatbase/resources/contact/plan/list';

const page = (contacts: Contact[], total: number) => ({ contacts, total, totalPages: 1 });
const withIds = (...ids: string[]): Contact[] => ids.map((id) => ({ id }));

it('is complete exactly when each contact of a steady list has come', () => {
	const ids = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 40 });
	fc.assert(
		fc.property(ids, fc.integer({ min: 1, max: 9 }), (all, perPage) => {
			const assembly = new ListAssembly(1, perPage);
			for (let start = 0; start < all.length; start += perPage) {
				if (start > 0) expect(assembly.isComplete).toBe(false);
				assembly.add(page(withIds(...all.slice(start, start + perPage)), all.length));
			}
			expect(assembly.isComplete).toBe(true);
			expect(assembly.contacts).toEqual(withIds(...all));
		}),
	);
});

it('is not complete when the total moved, though the count is right in the end', () => {
	const assembly = new ListAssembly(1, 2);
	assembly.add(page(withIds('a', 'b'), 4));
	assembly.add(page(withIds('c'), 3));
	expect(assembly.isComplete).toBe(false);
});

it('keeps a contact that comes twice once, as it was read last', () => {
	const assembly = new ListAssembly(1, 2);
	expect(assembly.add(page([{ id: 'a', name: 'Old' }, { id: 'b' }], 3))).toHaveLength(2);
	expect(assembly.add(page([{ id: 'a', name: 'New' }, { id: 'c' }], 3))).toEqual([{ id: 'c' }]);
	expect(assembly.contacts).toEqual([{ id: 'a', name: 'New' }, { id: 'b' }, { id: 'c' }]);
});

it('tells contacts apart by their External ID where the service gives no other', () => {
	const assembly = new ListAssembly(1, 2);
	assembly.add(page([{ external_id: 'a' }, { external_id: 'b' }], 2));
	expect(assembly.add(page([{ external_id: 'b' }], 2))).toEqual([]);
	expect(assembly.isComplete).toBe(true);
});

it('counts contacts without any ID one by one', () => {
	const assembly = new ListAssembly(1, 2);
	assembly.add(page([{ name: 'x' }, { name: 'x' }], 2));
	expect(assembly.contacts).toHaveLength(2);
	expect(assembly.isComplete).toBe(true);
});

it('expects what is left from the page on with which it began', () => {
	const assembly = new ListAssembly(3, 10);
	assembly.add(page(withIds('a'), 21));
	expect(assembly.expected).toBe(1);
	expect(assembly.isComplete).toBe(true);
});

it('expects nothing beyond the end, and of a page that does not exist', () => {
	const assembly = new ListAssembly(4, 10);
	assembly.add(undefined);
	assembly.add(page([], 21));
	expect(assembly.expected).toBe(0);
	expect(assembly.isComplete).toBe(true);
});
