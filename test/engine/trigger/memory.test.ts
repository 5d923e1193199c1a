/** What the trigger remembers: through failures, restarts, updates of the package and long reads. */
import type { IDataObject } from 'n8n-workflow';

import type { Fault } from '../../service';
import { byId } from '../testbed';
import { chatbotId, reportedBy, Watch } from './watch';

let watch: Watch;

beforeAll(async () => (watch = await Watch.start()));
beforeEach(() => void watch.reset());
afterAll(async () => await watch.close());

const event = 'contactCreated';
const restarted = (staticData: IDataObject) => ({
	staticData: JSON.parse(JSON.stringify(staticData)) as IDataObject,
	activation: 'init' as const,
});

describe('a poll that fails', () => {
	it.each([
		['The API key is not accepted', { kind: 'status', status: 401 }],
		['Access denied or quota used up', { kind: 'status', status: 403 }],
		['Chatbot not found', { kind: 'status', status: 404, body: { message: 'Chatbot not found' } }],
		['The response is not what the API promises', { kind: 'otherShape', body: { data: 'none' } }],
		['The response is not what the API promises', { kind: 'status', status: 200, body: '<html>' }],
	] as Array<[string, Fault]>)('says "%s" and loses nothing', async (message, fault) => {
		for (let index = 0; index < 15; index++) watch.addContact(`old ${index}`);
		const poller = await watch.active({ event, options: { pageSize: 10 } });
		watch.pass(1);
		watch.addContact('new');
		const before = JSON.stringify(poller.staticData);
		const planted = watch.testbed.service.faults.add({ when: { nth: 2 }, fault });
		const failure = await poller.poll().catch((error: Error) => error);
		expect(failure).toMatchObject({ message });
		expect(JSON.stringify(failure)).not.toContain(watch.testbed.service.apiKey);
		expect(JSON.stringify(poller.staticData)).toBe(before);
		watch.testbed.service.faults.remove(planted);
		expect(await reportedBy(poller)).toEqual(['new']);
		expect(await reportedBy(poller)).toEqual([]);
	});

	it('as the first one leaves the next one first', async () => {
		watch.addContact('old');
		const poller = watch.poller({ event });
		const fault = watch.testbed.service.faults.add({ fault: { kind: 'status', status: 403 } });
		await expect(poller.poll()).rejects.toThrow();
		watch.testbed.service.faults.remove(fault);
		watch.addContact('meanwhile');
		expect(await reportedBy(poller)).toEqual([]);
		watch.addContact('new');
		expect(await reportedBy(poller)).toEqual(['new']);
	});

	it('is tried again where that may help', async () => {
		const poller = await watch.active({ event });
		watch.addContact('new');
		watch.testbed.service.faults.add({
			when: { times: 1 },
			fault: { kind: 'status', status: 429, headers: { 'Retry-After': '0.01' } },
		});
		expect(await reportedBy(poller)).toEqual(['new']);
	});
});

describe('a restart of n8n', () => {
	it('goes on from what was saved', async () => {
		watch.addContact('old');
		const first = await watch.active({ event });
		watch.addContact('a');
		expect(await reportedBy(first)).toEqual(['a']);
		watch.addContact('b');
		const second = watch.poller({ event }, restarted(first.staticData));
		expect(await reportedBy(second)).toEqual(['b']);
		expect(await reportedBy(second)).toEqual([]);
	});

	it('loses nothing where n8n has not saved the polls that found nothing', async () => {
		const first = await watch.active({ event });
		watch.addContact('a');
		await first.poll();
		const saved = restarted(first.staticData);
		watch.pass(60);
		await first.poll();
		watch.pass(60);
		await first.poll();
		watch.addContact('b');
		expect(await reportedBy(watch.poller({ event }, saved))).toEqual(['b']);
	});

	it('reports what happened while the workflow was switched off', async () => {
		const first = await watch.active({ event });
		watch.pass(86_400);
		watch.addContact('meanwhile');
		const second = watch.poller({ event }, restarted(first.staticData));
		expect(await reportedBy(second)).toEqual(['meanwhile']);
	});
});

describe('what was remembered', () => {
	it('of another event or chatbot is of no use', async () => {
		watch.addContact('a');
		const first = await watch.active({ event });
		watch.testbed.service.store.addChatbot({ id: 'other' });
		watch.testbed.service.store.addContact('other', { external_id: 'there' });
		const other = watch.poller({ event, chatbotId: byId('other') }, restarted(first.staticData));
		expect(await reportedBy(other)).toEqual([]);
		const updates = watch.poller({ event: 'contactUpdated' }, restarted(first.staticData));
		expect(await reportedBy(updates)).toEqual([]);
	});

	it.each([[{}], [{ memory: 'text' }], [{ memory: null }], [{ memory: { version: 1 } }]])(
		'as %j is a first poll',
		async (staticData) => {
			watch.addContact('old');
			const poller = watch.poller({ event }, { staticData });
			expect(await reportedBy(poller)).toEqual([]);
			watch.addContact('new');
			expect(await reportedBy(poller)).toEqual(['new']);
		},
	);

	it.each([0, 2, undefined])('by version %j of the package keeps its mark', async (version) => {
		const { clock } = watch.testbed.service;
		watch.addContact('old');
		watch.pass(60);
		const settled = clock.now();
		const subject = `${event} ${chatbotId}`;
		const memory = { ...(version !== undefined && { version }), subject, settled, other: [] };
		watch.addContact('at the mark');
		watch.pass(1);
		watch.addContact('new');
		const poller = watch.poller({ event }, { staticData: { memory } });
		expect(await reportedBy(poller)).toEqual(['at the mark', 'new']);
		expect(poller.staticData).toMatchObject({ memory: { version: 1, subject } });
		expect(await reportedBy(poller)).toEqual([]);
	});

	it.each<[string, unknown]>([
		['a page', { page: 'x', pages: 3, read: 1, perPage: 10 }],
		['a page beyond the end', { page: 1e9, pages: 3, read: 1, perPage: 10 }],
		['everything', 'rubbish'],
		['nothing', null],
	])('with damaged progress is gone on with: %s', async (_, progress) => {
		for (let index = 0; index < 30; index++) watch.addContact(`old ${index}`);
		const options = { pageSize: 10 };
		const first = await watch.active({ event, options });
		const { memory } = first.staticData as { memory: IDataObject };
		const { settled, newest } = memory as { settled: number; newest: number };
		memory.round = { progress, newest, reach: settled } as IDataObject;
		watch.pass(1);
		watch.addContact('new');
		const poller = watch.poller({ event, options }, restarted(first.staticData));
		expect(await reportedBy(poller)).toEqual(['new']);
		expect(await reportedBy(poller)).toEqual([]);
	});

	it('by another version during its first poll is a first poll', async () => {
		watch.addContact('old');
		const memory = { version: 2, subject: `${event} ${chatbotId}`, settled: 0, silentRounds: 1 };
		const poller = watch.poller({ event }, { staticData: { memory } });
		expect(await reportedBy(poller)).toEqual([]);
	});

	it('does not grow with the number of contacts', async () => {
		const { store } = watch.testbed.service;
		store.seedContacts(chatbotId, 3000);
		const poller = await watch.active({ event: 'contactCreatedOrUpdated' });
		for (let index = 0; index < 500; index++) watch.addContact(`new ${index}`);
		expect((await poller.poll()).items).toHaveLength(500);
		watch.pass(1);
		watch.addContact('last');
		await poller.poll();
		await poller.poll();
		expect(JSON.stringify(poller.staticData).length).toBeLessThan(300);
	});
});

describe('a long list', () => {
	const names = Array.from({ length: 65 }, (_, index) => `contact ${index}`);

	it('is read in parts where the budget of a poll does not suffice', async () => {
		const since = new Date(watch.testbed.service.clock.now() - 60_000).toISOString();
		for (const name of names) watch.addContact(name);
		const options = { pageSize: 10, since };
		const poller = watch.poller({ event, options }, { budget: 0 });
		expect(await reportedBy(poller)).toHaveLength(10);
		expect(await reportedBy(poller)).toHaveLength(50);
		expect(await reportedBy(poller)).toHaveLength(5);
		const pages = watch.sent.map((url) => Number(/[?&]page=(\d+)/.exec(url)![1]));
		expect(pages).toEqual([1, 2, 3, 4, 5, 6, 7]);
		watch.addContact('new');
		const found = [await reportedBy(poller), await reportedBy(poller), await reportedBy(poller)];
		expect(found).toEqual([[], [], ['new']]);
	});

	it('is known after several polls where the budget of the first does not suffice', async () => {
		for (const name of names) watch.addContact(name);
		const poller = watch.poller({ event, options: { pageSize: 10 } }, { budget: 0 });
		for (let polls = 0; polls < 6; polls++) expect(await reportedBy(poller)).toEqual([]);
		watch.addContact('new');
		const found = [await reportedBy(poller), await reportedBy(poller), await reportedBy(poller)];
		expect(found).toEqual([[], [], ['new']]);
	});

	it('tells what is new while the first reading takes several polls', async () => {
		for (const name of names) watch.addContact(name);
		watch.pass(60);
		const poller = watch.poller({ event, options: { pageSize: 10 } }, { budget: 0 });
		const reported: unknown[] = [];
		for (let polls = 0; polls < 12; polls++) {
			reported.push(...(await reportedBy(poller)));
			watch.pass(1);
			if (polls < 5) watch.addContact(`new ${polls}`);
		}
		expect(reported).toEqual([0, 1, 2, 3, 4].map((index) => `new ${index}`));
	});

	it('is begun anew where the page size has changed', async () => {
		for (const name of names) watch.addContact(name);
		const first = watch.poller({ event, options: { pageSize: 10 } }, { budget: 0 });
		await first.poll();
		await first.poll();
		watch.testbed.service.clearRequests();
		const options = { pageSize: 50 };
		const second = watch.poller({ event, options }, { ...restarted(first.staticData), budget: 0 });
		await second.poll();
		expect(watch.sent).toEqual(['/chatbots/my%20bot/contacts?page=1&per_page=50']);
	});

	it('reports 5000 changes at a time, in order', async () => {
		const { store, clock } = watch.testbed.service;
		const poller = await watch.active({ event });
		for (let index = 0; index < 11_000; index++) {
			if (index % 100 === 0) watch.pass(1);
			store.addContact(chatbotId, { external_id: String(index), created_at: clock.seconds() });
		}
		const polls = [await reportedBy(poller), await reportedBy(poller), await reportedBy(poller)];
		expect(polls.map(({ length }) => length)).toEqual([5000, 5000, 1000]);
		const all = polls.flat().map(Number);
		expect(new Set(all).size).toBe(11_000);
		const seconds = all.map((index) => Math.floor(index / 100));
		expect(seconds).toEqual([...seconds].sort((one, other) => one - other));
		expect(await reportedBy(poller)).toEqual([]);
	});
});
