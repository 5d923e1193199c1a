import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';

import { titleOf } from '../../errorTexts';
import { expectSeen, propertyRuns } from '../../propertyRuns';
import type { Behaviour, RecordedRequest } from '../../../service';
import { goOn } from '../contact/rows';
import { chatbotId, mapped } from '../parameters';
import { useTestbed } from '../testbed';

const testbed = useTestbed({ resource: 'contact', operation: 'getAll', chatbotId });

const pages = 3;
const perPage = 10;
const all = { returnAll: true, options: { pageSize: perPage, maxConcurrency: 1 } };

/** A change that somebody else makes to the contacts while the node reads them. */
type Change = 'add' | 'remove' | 'edit';

/** Which changes happen before the request of each number is handled. */
type History = Map<number, Change[]>;

let added = 0;
let order: Behaviour['contactOrder'];
const idOf = (index: number) => `c${String(index).padStart(3, '0')}`;

beforeEach(() => fill('oldestFirst'));

function fill(contactOrder: Behaviour['contactOrder']) {
	testbed.reset();
	added = 0;
	order = contactOrder;
	testbed.service.behaviour.contactOrder = contactOrder;
	for (let index = 0; index < pages * perPage; index++) {
		testbed.service.store.addContact('bot', { external_id: idOf(index), name: 'Before' });
	}
}

const held = () => [...testbed.service.store.chatbot('bot').contacts];

/** Changes that move as many contacts as possible to another page: at the end that is read first. */
function apply(change: Change) {
	const { store } = testbed.service;
	const contacts = held();
	const front = order === 'oldestFirst' ? contacts[0] : contacts[contacts.length - 1];
	if (change === 'add') store.addContact('bot', { external_id: `new-${added++}` });
	else if (change === 'remove') store.removeContact('bot', front?.external_id ?? '');
	else if (front) store.chatbot('bot').contacts.change(front, { name: 'After' });
}

/** Reads the list while a history happens. */
async function readDuring(history: History, parameters: INodeParameters = all) {
	const before = new Set(held().map(({ id }) => id));
	const stop = testbed.service.onRequest(({ number }) => {
		history.get(number)?.forEach(apply);
	});
	const { items, error } = await testbed.run(parameters);
	stop();
	const lasting = held().filter(({ id }) => before.has(id));
	const read = items.map(({ json }) => json.id);
	return {
		error,
		read,
		missing: lasting.filter(({ id }) => !read.includes(id)).map(({ external_id }) => external_id),
		twice: read.filter((id, index) => read.indexOf(id) !== index),
	};
}

describe('a change between pages', () => {
	it.each([
		['add', 'oldestFirst'],
		['add', 'newestFirst'],
		['remove', 'oldestFirst'],
		['remove', 'newestFirst'],
		['edit', 'oldestFirst'],
		['edit', 'newestFirst'],
	] as const)('%s, %s: the list is complete', async (change, contactOrder) => {
		for (let number = 1; number <= pages; number++) {
			fill(contactOrder);
			const { error, missing, twice } = await readDuring(new Map([[number, [change]]]));
			expect({ error, missing, twice }).toEqual({ error: undefined, missing: [], twice: [] });
		}
	});

	it.each(['add', 'remove'] as const)('%s before every page: fails', async (change) => {
		const always = new Map(Array.from({ length: 20 }, (_, number) => [number, [change]]));
		const { error, read } = await readDuring(always);
		expect(read).toEqual([]);
		expect(error?.message).toBe('The contact list could not be read completely');
		expect(error?.description).toMatch(/The node read \d+ of \d+ contacts in the last of three/);
		const firstPages = testbed.service.requests.filter(({ query }) => query.page === '1');
		expect(firstPages).toHaveLength(3);
	});

	it('the list is complete or fails, whatever happens', async () => {
		// One removal and one addition between the same two pages can hide a contact from every client.
		const gap = fc.oneof(
			fc.array(fc.constantFrom<Change>('add', 'edit'), { maxLength: 3 }),
			fc.array(fc.constantFrom<Change>('remove', 'edit'), { maxLength: 3 }),
		);
		const history = fc.array(gap, { maxLength: 9 });
		const orders = fc.constantFrom('oldestFirst', 'newestFirst');
		const beyondEnd = fc.constantFrom('badRequest', 'empty', 'lastPage');
		let complete = 0;
		await fc.assert(
			fc.asyncProperty(history, orders, beyondEnd, async (gaps, contactOrder, pageBeyondEnd) => {
				testbed.service.behaviour.pageBeyondEnd = pageBeyondEnd;
				fill(contactOrder);
				const { error, read, missing, twice } = await readDuring(
					new Map(gaps.map((changes, index) => [index + 1, changes])),
				);
				expect(twice).toEqual([]);
				if (error) {
					expect(error.message).toBe('The contact list could not be read completely');
					expect(read).toEqual([]);
				} else {
					complete++;
					expect(missing).toEqual([]);
				}
			}),
			propertyRuns(40),
		);
		expectSeen({ complete });
	}, 60_000);
});

/** A page of the service, with changes by a test. */
function pageOf(
	page: number,
	lies: { total?: unknown; totalPages?: unknown; data?: unknown } = {},
) {
	const { total = pages * perPage, totalPages = pages } = lies;
	return {
		message: 'Success',
		data: 'data' in lies ? lies.data : held().slice((page - 1) * perPage, page * perPage),
		total,
		pages: { page, per_page: perPage, total_pages: totalPages },
	};
}

const pageAsked = (page: number) => ({
	matches: ({ query }: RecordedRequest) => query.page === String(page),
});
const tell = (page: number, body: unknown, times?: number) =>
	testbed.service.faults.add({
		when: { ...pageAsked(page), times },
		fault: { kind: 'otherShape', body },
	});

/** What a service may claim permanently, and the error that must follow. */
const incomplete = 'The contact list could not be read completely';
const unexpected = titleOf('unexpectedResponse');
const lies: Array<[title: string, tell: () => void, error: string, mostRequests: number]> = [
	['a total that is too high', () => tell(3, pageOf(3, { total: 31 })), incomplete, 9],
	['a total that is too low', () => tell(3, pageOf(3, { total: 29 })), incomplete, 9],
	[
		'every total one too high',
		() => [1, 2, 3].forEach((page) => tell(page, pageOf(page, { total: 31 }))),
		incomplete,
		9,
	],
	[
		'every total one too low',
		() => [1, 2, 3].forEach((page) => tell(page, pageOf(page, { total: 29 }))),
		incomplete,
		9,
	],
	['a page too few', () => tell(1, pageOf(1, { totalPages: 1 })), incomplete, 3],
	['no pages at all', () => tell(1, pageOf(1, { totalPages: 0 })), incomplete, 3],
	['a page that repeats the one before', () => tell(2, pageOf(1)), incomplete, 9],
	['a last page that repeats the first', () => tell(3, pageOf(1)), incomplete, 9],
	['a page that comes back empty', () => tell(2, pageOf(2, { data: [] })), incomplete, 9],
	['a first page that comes back empty', () => tell(1, pageOf(1, { data: [] })), incomplete, 9],
	['a page that is full of nothing', () => tell(2, pageOf(2, { data: [null] })), unexpected, 3],
	['a page without data', () => tell(2, pageOf(2, { data: undefined })), unexpected, 3],
	['a total that is text', () => tell(1, pageOf(1, { total: '30' })), unexpected, 1],
	['a total below zero', () => tell(1, pageOf(1, { total: -30 })), unexpected, 1],
	['a total with a fraction', () => tell(1, pageOf(1, { total: 30.5 })), unexpected, 1],
	['a page count with a fraction', () => tell(1, pageOf(1, { totalPages: 2.5 })), unexpected, 1],
	[
		'a page count beyond belief',
		() => {
			testbed.service.behaviour.pageBeyondEnd = 'empty';
			tell(1, pageOf(1, { totalPages: 1e15 }));
		},
		// The pages after the third are empty, so the list ends there, and its total is right.
		'',
		1001 + 1000,
	],
];

it.each(lies)('%s is not a complete list', async (_, tellIt, message, mostRequests) => {
	tellIt();
	const { items, error } = await testbed.run({ ...all, options: { pageSize: perPage } });
	expect(error?.message ?? '').toBe(message);
	expect(items).toHaveLength(message === '' ? pages * perPage : 0);
	expect(testbed.service.requests.length).toBeLessThanOrEqual(mostRequests);
});

it('the list is read again when a total is wrong once', async () => {
	tell(2, pageOf(2, { total: 31 }), 1);
	const { items } = await testbed.succeed(all);
	expect(items).toHaveLength(pages * perPage);
	expect(testbed.service.requests).toHaveLength(2 * pages);
});

const generalWords = { kind: 'status', status: 400, body: { message: 'Bad request' } } as const;

it('the list is complete when it became shorter and its last page is refused in general words', async () => {
	testbed.service.store.removeContact('bot', idOf(0));
	for (let index = 1; index < perPage; index++)
		testbed.service.store.removeContact('bot', idOf(index));
	testbed.service.store.addContact('bot', { external_id: 'last' });
	testbed.service.faults.add({ when: pageAsked(3), fault: generalWords });
	const { error, read, missing } = await readDuring(new Map([[3, ['remove']]]));
	expect({ error, missing }).toEqual({ error: undefined, missing: [] });
	expect(read).toHaveLength(2 * perPage);
});

it('the list fails when a page is refused in general words and its total stays', async () => {
	testbed.service.faults.add({ when: pageAsked(3), fault: generalWords });
	const { error, items } = await testbed.run(all);
	expect(error?.message).toBe(incomplete);
	expect(items).toEqual([]);
});

it("the list fails with the service's message when the first page is refused", async () => {
	testbed.service.faults.add({ when: pageAsked(1), fault: generalWords });
	const { error } = await testbed.run(all);
	expect(error?.description).toContain('Bad request');
	expect(testbed.service.requests).toHaveLength(1);
});

it('a limit is reached or fails when a page is empty', async () => {
	tell(2, pageOf(2, { data: [] }));
	const { items, error } = await testbed.run({ limit: 25, options: { pageSize: perPage } });
	expect(error?.message).toBe(incomplete);
	expect(items).toEqual([]);
});

it('a filter finds a contact when it moved to a page that was already read', async () => {
	const wanted = testbed.service.store.addContact('bot', {
		external_id: 'x',
		email: 'x@x.example',
	});
	const { error, read } = await readDuring(new Map([[2, ['remove']]]), {
		...all,
		filters: { email: 'X@x.example' },
	});
	expect(error).toBeUndefined();
	expect(read).toEqual([wanted.id]);
});

it('no more pages are read after a page has failed', async () => {
	for (let index = 0; index < 1000; index++) {
		testbed.service.store.addContact('bot', { external_id: `more-${index}` });
	}
	testbed.service.faults.add({ when: pageAsked(2), fault: { kind: 'status', status: 403 } });
	const { items } = await testbed.run({ ...all, options: { pageSize: perPage } }, goOn);
	expect(items[0].json.error).toMatch(/^Access denied or quota used up/);
	// Page 1, the five that were in flight with page 2, and those that took its place until it had failed.
	expect(testbed.service.requests.length).toBeLessThan(12);
	expect(testbed.service.inFlight).toBe(0);
});

it('the list is read again when it changed once while 1,500 IDs were looked for', async () => {
	for (let index = 0; index < 2000; index++) {
		testbed.service.store.addContact('bot', { external_id: `more-${index}` });
	}
	const stop = testbed.service.onRequest(({ number }) => {
		if (number === 2) apply('remove');
	});
	const { items } = await testbed.succeed(
		{ operation: 'upsert', ...mapped({ external_id: '={{ $json.id }}' }) },
		{ input: Array.from({ length: 1500 }, (_, index) => ({ id: `new-${index}` })) },
	);
	stop();
	expect(items).toHaveLength(1500);
	// Three pages, twice, and two batches.
	expect(testbed.service.requests).toHaveLength(8);
});
