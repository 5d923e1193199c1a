import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import type { PageQuery } from '../../../nodes/Chatbase/api/paginate';
import { readPages } from '../../../nodes/Chatbase/api/paginate';

/** A list that is served in pages, and counts how many were asked for. */
function served(list: IDataObject[], size: number) {
	const asked: number[] = [];
	const readPage = async ({ page }: PageQuery) => {
		asked.push(page);
		return list.slice((page - 1) * size, page * size);
	};
	return { asked, readPage };
}

const size = fc.integer({ min: 1, max: 9 });
const ids = fc.uniqueArray(fc.oneof(fc.integer(), fc.string({ minLength: 1 })), {
	maxLength: 40,
	selector: String,
});

it('reads any list completely, in order, a page once', async () => {
	await fc.assert(
		fc.asyncProperty(ids, size, async (numbers, pageSize) => {
			const list = numbers.map((id) => ({ id }));
			const { asked, readPage } = served(list, pageSize);
			const read = await readPages({ readPage }, {}, Infinity, 100_000);
			expect(read).toEqual(list);
			expect(asked).toHaveLength(Math.ceil(list.length / pageSize) + 1);
		}),
	);
});

it('reads any list completely when the service makes its pages smaller', async () => {
	await fc.assert(
		fc.asyncProperty(ids, size, async (numbers, pageSize) => {
			const list = numbers.map((id) => ({ id }));
			const { readPage } = served(list, pageSize);
			expect(await readPages({ readPage }, {}, Infinity, 100_000)).toEqual(list);
		}),
	);
});

it('stops at a limit, with no page more than needed', async () => {
	await fc.assert(
		fc.asyncProperty(
			ids,
			size,
			fc.integer({ min: 1, max: 30 }),
			async (numbers, pageSize, limit) => {
				const list = numbers.map((id) => ({ id }));
				const { asked, readPage } = served(list, pageSize);
				const read = await readPages({ readPage }, {}, limit, 100_000);
				expect(read).toEqual(list.slice(0, limit));
				const lastPage = list.length < limit ? 1 : 0;
				expect(asked).toHaveLength(Math.ceil(read.length / pageSize) + lastPage);
			},
		),
	);
});

it('gives a record once however the list moves', async () => {
	const pages = [[{ id: 1 }, { id: 2 }], [{ id: 2 }, { id: 3 }], [{ id: '3' }, { id: 4 }], []];
	const readPage = async ({ page }: PageQuery) => pages[page - 1];
	const read = await readPages({ readPage }, {}, Infinity, 100_000);
	expect(read).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }]);
});

it.each([
	['with IDs', [{ id: 1 }, { id: 2 }]],
	['without', [{ a: 1 }, { a: 2 }]],
	['with blank IDs', [{ id: '' }, { id: null }]],
])('ends at a page that repeats, records %s', async (_, page) => {
	let asked = 0;
	const readPage = async () => (asked++, page);
	const read = await readPages({ readPage }, {}, Infinity, 100_000);
	expect(read).toEqual(page);
	expect(asked).toBe(2);
});

it('stops a list that is longer than n8n can take', async () => {
	let asked = 0;
	const readPage = async () =>
		Array.from({ length: 30_000 }, (_, index) => ({ id: index + asked * 30_000 }));
	const counted = async () => {
		const page = await readPage();
		asked++;
		return page;
	};
	const read = await readPages({ readPage: counted }, {}, Infinity, 100_000);
	expect([read.length, asked]).toEqual([100_001, 4]);
});

it('keeps a record once that stands twice in a page', async () => {
	const page = [{ id: 1 }, { id: 1 }];
	const read = await readPages({ readPage: async () => page }, {}, Infinity, 100_000);
	expect(read).toEqual([{ id: 1 }]);
});

it('keeps two records of a page that are alike and have no ID', async () => {
	const page = [{ a: 1 }, { a: 1 }];
	const read = await readPages({ readPage: async () => page }, {}, Infinity, 100_000);
	expect(read).toEqual(page);
});
