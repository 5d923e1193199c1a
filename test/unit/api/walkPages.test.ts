/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { type PagedList, readList, walkPages } from '../../../nodes/Chatbase/api/paginate';
import { expectSeen, propertyRuns } from '../../propertyRuns';

/** A list that is served in pages, and counts which were asked for. */
function served(list: IDataObject[], size: number, statesLast = false) {
	const asked: unknown[] = [];
	const pages: PagedList<IDataObject> = {
		first: 1,
		keyOf: ({ id }) => id ?? undefined,
		maxConcurrency: 4,
		async read(position) {
			asked.push(position);
			const page = Number(position);
			const items = list.slice((page - 1) * size, page * size);
			// Pages arrive in any order.
			for (let turns = (page * 7) % 5; turns > 0; turns--) await Promise.resolve();
			const lastPage = Math.ceil(list.length / size);
			if (!statesLast) return { items, next: page + 1 };
			return { items, lastPage, next: page < lastPage ? page + 1 : undefined };
		},
	};
	return { asked, pages };
}

const size = fc.integer({ min: 1, max: 9 });
const lists = fc
	.uniqueArray(fc.integer(), { maxLength: 40 })
	.map((ids) => ids.map((id): IDataObject => ({ id })));

it('reads any list completely, in order, each page once', async () => {
	await fc.assert(
		fc.asyncProperty(lists, size, fc.boolean(), async (list, pageSize, statesLast) => {
			const { asked, pages } = served(list, pageSize, statesLast);
			expect(await readList(pages, Infinity, 100_000)).toEqual(list);
			const count = Math.ceil(list.length / pageSize);
			expect(asked).toHaveLength(statesLast ? Math.max(count, 1) : count + 1);
		}),
	);
});

it('stops at a limit without an extra page', async () => {
	const limits = fc.integer({ min: 1, max: 30 });
	await fc.assert(
		fc.asyncProperty(lists, size, limits, async (list, pageSize, limit) => {
			const { asked, pages } = served(list, pageSize);
			const read = await readList(pages, limit, 100_000);
			expect(read).toEqual(list.slice(0, limit));
			const lastPage = list.length < limit ? 1 : 0;
			expect(asked).toHaveLength(Math.ceil(read.length / pageSize) + lastPage);
		}),
	);
});

/** A list with the pages of a test. */
const listOf = (pageAt: (page: number) => IDataObject[]) => {
	const asked: unknown[] = [];
	const pages: PagedList<IDataObject> = {
		first: 1,
		keyOf: ({ id }) => id || undefined,
		read: async (page) => (
			asked.push(page),
			{ items: pageAt(Number(page)), next: Number(page) + 1 }
		),
	};
	return { asked, pages };
};

it('gives each record once when the list moves', async () => {
	const pages = [[{ id: 1 }, { id: 2 }], [{ id: 2 }, { id: 3 }], [{ id: 3 }, { id: 4 }], []];
	const read = await readList(listOf((page) => pages[page - 1]).pages, Infinity, 100);
	expect(read.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
});

it.each([
	['with IDs', [{ id: 1 }, { id: 2 }]],
	['without', [{ a: 1 }, { a: 2 }]],
	['with blank IDs', [{ id: '' }, { id: null }]],
	['that are alike and have no ID', [{ a: 1 }, { a: 1 }]],
])('ends at two repeated pages in a row, records %s', async (_, page) => {
	const { asked, pages } = listOf(() => page);
	expect(await readList(pages, Infinity, 100)).toEqual(page);
	expect(asked).toEqual([1, 2, 3]);
});

it('ends at an empty page', async () => {
	const { asked, pages } = listOf((page) => (page === 2 ? [] : [{ id: page }]));
	expect(await readList(pages, Infinity, 100)).toEqual([{ id: 1 }]);
	expect(asked).toEqual([1, 2]);
});

it('has all that was there at first when fewer records are added than two pages hold', async () => {
	let repeated = 0;
	const gaps = fc.array(fc.integer({ min: 0, max: 17 }), { maxLength: 12 });

	await fc.assert(
		fc.asyncProperty(lists, size, gaps, async (list, pageSize, wanted) => {
			let left = 2 * pageSize - 1;
			let current = list;
			const { pages } = listOf((page) => {
				const items = current.slice((page - 1) * pageSize, page * pageSize);
				if (page > 1 && items.length > 0 && items[0] === list[0]) repeated++;

				// The newest come first, so that new ones move the others to later pages.
				const count = Math.min(left, wanted[page - 1] ?? 0);
				left -= count;
				const added = Array.from({ length: count }, (_, index) => ({ id: `${page}.${index}` }));
				current = [...added, ...current];
				return items;
			});

			const read = await readList(pages, Infinity, 100_000);
			expect(new Set(read.map(({ id }) => id)).size).toBe(read.length);
			expect(read.filter(({ id }) => typeof id === 'number')).toEqual(list);
		}),
		propertyRuns(300),
	);

	expectSeen({ repeated });
});

it('goes on through pages without anything new when a list has them in its middle', async () => {
	const pages = [[{ id: 1 }], [], [{ id: 1 }], [], [{ id: 2 }]];
	const list: PagedList<IDataObject> = {
		first: '0',
		mayHaveEmptyPages: true,
		keyOf: ({ id }) => id,
		read: async (position) => ({
			items: pages[Number(position)],
			next: Number(position) < 4 ? String(Number(position) + 1) : undefined,
		}),
	};
	expect(await readList(list, Infinity, 100)).toEqual([{ id: 1 }, { id: 2 }]);
});

it("stops one record after n8n's maximum", async () => {
	const { asked, pages } = listOf((page) =>
		Array.from({ length: 30 }, (_, index) => ({ id: index + page * 30 })),
	);
	expect(await readList(pages, Infinity, 100)).toHaveLength(101);
	expect(asked).toHaveLength(4);
});

it('fails with the first failed page, without an unhandled rejection', async () => {
	const unhandled: unknown[] = [];
	const listen = (reason: unknown) => unhandled.push(reason);
	process.on('unhandledRejection', listen);
	const walking = (async () => {
		const pages = walkPages({
			first: 1,
			maxConcurrency: 5,
			keyOf: ({ id }: IDataObject) => id,
			read: async (page) => {
				if (Number(page) > 1) throw new Error(`page ${page}`);
				return { items: [{ id: 1 }], lastPage: 9, next: 2 };
			},
		});
		for await (const { fresh } of pages) expect(fresh).toEqual([{ id: 1 }]);
	})();
	await expect(walking).rejects.toThrow('page 2');
	await new Promise((resolve) => setImmediate(resolve));
	process.off('unhandledRejection', listen);
	expect(unhandled).toEqual([]);
});
