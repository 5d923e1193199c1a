import * as fc from 'fast-check';

import { pagesToRead } from '../../../../nodes/Chatbase/resources/contact/plan/pagesToRead';

it.each([
	[0, 5, 0],
	[1, 0, 0],
	[1, 1, 1],
	[1, 2, 0],
	[5, 5, 1],
	[1500, 5, 2],
	[10_000, 9, 9],
])('for %i missing and %i pages left, %i can be read at once', (missing, left, pages) => {
	expect(pagesToRead(missing, left, 1000)).toBe(pages);
});

it('never reads a page that reading one after the other would not', () => {
	const counts = fc.array(fc.nat({ max: 10 }), { maxLength: 30 });
	fc.assert(
		fc.property(fc.nat({ max: 200 }), counts, (missing, foundOnPage) => {
			/** The rule itself: a page at a time, while no more are left than are missing. */
			let pagesByRule = 0;
			let open = missing;
			while (
				pagesByRule < foundOnPage.length &&
				open > 0 &&
				foundOnPage.length - pagesByRule <= open
			) {
				open -= Math.min(open, foundOnPage[pagesByRule++]);
			}
			let read = 0;
			let stillMissing = missing;
			for (;;) {
				const count = pagesToRead(stillMissing, foundOnPage.length - read, 10);
				if (count === 0) break;
				for (const found of foundOnPage.slice(read, read + count)) {
					stillMissing -= Math.min(stillMissing, found);
				}
				read += count;
			}
			expect(read).toBe(pagesByRule);
		}),
	);
});
