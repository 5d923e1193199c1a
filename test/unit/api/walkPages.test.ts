/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../../../nodes/Chatbase/api/failure';
import { type PagedList, walkPages } from '../../../nodes/Chatbase/api/paginate';
import { outputLimit, readComplete } from '../../../nodes/Chatbase/execution/lists';
import { expectSeen, propertyRuns } from '../../propertyRuns';

const place = {
	error: (title: string, nextStep: string) => new Failure({ title, sentences: [nextStep] }),
};

const recordsOf = async (list: PagedList<IDataObject>, limit?: number, maximum?: number) =>
	await readComplete(place, 'records', list, { limit, maximum });

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
			expect(await recordsOf(pages)).toEqual(list);
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
			const found = await recordsOf(pages, limit);
			expect(found).toEqual(list.slice(0, limit));
			const lastPage = list.length < limit ? 1 : 0;
			expect(asked).toHaveLength(Math.ceil(found.length / pageSize) + lastPage);
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
	const read = await recordsOf(listOf((page) => pages[page - 1]).pages);
	expect(read.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
});

it.each([
	['with IDs', [{ id: 1 }, { id: 2 }]],
	['without', [{ a: 1 }, { a: 2 }]],
	['with blank IDs', [{ id: '' }, { id: null }]],
	['that are alike and have no ID', [{ a: 1 }, { a: 1 }]],
])('ends at two repeated pages in a row, records %s', async (_, page) => {
	const { asked, pages } = listOf(() => page);
	expect(await recordsOf(pages)).toEqual(page);
	expect(asked).toEqual([1, 2, 3]);
});

it('ends at an empty page', async () => {
	const { asked, pages } = listOf((page) => (page === 2 ? [] : [{ id: page }]));
	expect(await recordsOf(pages)).toEqual([{ id: 1 }]);
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

			const read = await recordsOf(pages);
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
	expect(await recordsOf(list)).toEqual([{ id: 1 }, { id: 2 }]);
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

describe('a list that is longer than an output', () => {
	const many = Array.from({ length: outputLimit + 150 }, (_, id): IDataObject => ({ id }));
	const pages = () => served(many, 60_000).pages;

	it('is read to its end if it only decides', async () => {
		expect(await recordsOf(pages())).toHaveLength(many.length);
	});

	it('is what was asked for, up to a limit', async () => {
		expect(await recordsOf(pages(), outputLimit, outputLimit)).toHaveLength(outputLimit);
	});

	it.each([undefined, outputLimit + 1])('is no output, with the limit %s', async (limit) => {
		await expect(recordsOf(pages(), limit, outputLimit)).rejects.toMatchObject({
			title: 'The list is too long for one input item',
		});
	});

	it('is an output up to a higher limit, if it is shorter', async () => {
		const list = served(many.slice(0, 50), 20).pages;
		expect(await recordsOf(list, outputLimit + 1, outputLimit)).toHaveLength(50);
	});
});

describe('a list with a total', () => {
	/** Two pages of three records, each with the total that it states. */
	const stating = (first: number, last: number): PagedList<IDataObject> => ({
		first: 1,
		keyOf: ({ id }) => id,
		read: async (page) => ({
			items: [1, 2, 3].map((id) => ({ id: 3 * Number(page) + id })),
			total: page === 1 ? first : last,
			next: page === 1 ? 2 : undefined,
		}),
	});

	it.each([
		[6, 6],
		// A record was added meanwhile, at the top.
		[6, 7],
		[5, 6],
	])('is complete with totals of %d and %d', async (first, last) => {
		expect(await recordsOf(stating(first, last))).toHaveLength(6);
	});

	it.each([
		[7, 7],
		[5, 5],
		// A record was deleted meanwhile, and may have hidden another one.
		[7, 6],
		[6, 5],
	])('is not complete with totals of %d and %d', async (first, last) => {
		await expect(recordsOf(stating(first, last))).rejects.toMatchObject({
			title: 'The records could not be read completely',
			sentences: [expect.stringContaining(`6 of ${last}`)],
		});
	});
});
