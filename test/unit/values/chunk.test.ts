import * as fc from 'fast-check';

import { chunk } from '../../../nodes/Chatbase/values/list';

it('splits into parts that join to the whole', () => {
	fc.assert(
		fc.property(fc.array(fc.nat()), fc.integer({ min: 1, max: 9 }), (entries, size) => {
			const parts = chunk(entries, size);
			expect(parts.flat()).toEqual(entries);
			expect(parts.every(({ length }) => length > 0 && length <= size)).toBe(true);
		}),
	);
});
