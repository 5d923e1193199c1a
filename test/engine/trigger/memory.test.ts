/** What the trigger saves: through failures, restarts and updates of the package. */
import type { IDataObject } from 'n8n-workflow';

import { titleOf } from '../../errorTexts';
import type { Fault } from '../../../service';
import { logOf } from '../harness';
import { byId } from '../testbed';
import { chatbotId, reportedBy, useWatch } from './watch';

const watch = useWatch();

const event = 'contactCreated';
const restarted = (staticData: IDataObject) => ({
	staticData: JSON.parse(JSON.stringify(staticData)) as IDataObject,
	activation: 'init' as const,
});

describe('a poll that fails', () => {
	it.each([
		[titleOf('401'), { kind: 'status', status: 401 }],
		[titleOf('403'), { kind: 'status', status: 403 }],
		[titleOf('404'), { kind: 'status', status: 404, body: { message: 'Chatbot not found' } }],
		[titleOf('unexpectedResponse'), { kind: 'otherShape', body: { data: 'none' } }],
		[titleOf('unexpectedResponse'), { kind: 'status', status: 200, body: '<html>' }],
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

	it('reports nothing old when it was the first one', async () => {
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

	it('sends a request again when that may help', async () => {
		const poller = await watch.active({ event });
		watch.addContact('new');
		watch.testbed.service.faults.add({
			when: { times: 1 },
			fault: { kind: 'status', status: 429, headers: { 'Retry-After': '0.01' } },
		});
		expect(await reportedBy(poller)).toEqual(['new']);
	});
});

it.each([
	['empty', (): object[] => []],
	['a repetition', () => [{ id: 'old', external_id: 'old', created_at: 1 }]],
])('ends its list when a page is %s, whatever total is stated', async (_, dataOf) => {
	const poller = await watch.active({ event });
	const body = { data: dataOf(), total: 1e7, pages: { page: 1, total_pages: 1e4 } };
	watch.testbed.service.faults.add({ fault: { kind: 'otherShape', body } });
	await poller.poll();
	expect(watch.sent.length).toBeLessThanOrEqual(8);
});

it('reads 150,000 contacts that the service returns as one page', async () => {
	const poller = await watch.active({ event });
	const created_at = watch.testbed.service.clock.seconds();
	const data = Array.from({ length: 150_000 }, (_, id) => ({ id, created_at }));
	const body = { data, total: data.length, pages: { page: 1, total_pages: 1 } };
	watch.testbed.service.faults.add({ fault: { kind: 'otherShape', body } });
	const { items } = await poller.poll();
	expect(items).toHaveLength(5000);
});

describe('a restart of n8n', () => {
	it('continues from what was saved when n8n starts again', async () => {
		watch.addContact('old');
		const first = await watch.active({ event });
		watch.addContact('a');
		expect(await reportedBy(first)).toEqual(['a']);
		watch.addContact('b');
		const second = watch.poller({ event }, restarted(first.staticData));
		expect(await reportedBy(second)).toEqual(['b']);
		expect(await reportedBy(second)).toEqual([]);
	});

	it('loses nothing when n8n has not saved the polls that found nothing', async () => {
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

	it('reports what happened when the workflow was switched off', async () => {
		const first = await watch.active({ event });
		watch.pass(86_400);
		watch.addContact('meanwhile');
		const second = watch.poller({ event }, restarted(first.staticData));
		expect(await reportedBy(second)).toEqual(['meanwhile']);
	});
});

describe('the saved state', () => {
	it('is not used when event or chatbot differ', async () => {
		watch.addContact('a');
		const first = await watch.active({ event });
		watch.testbed.service.store.addChatbot({ id: 'other' });
		watch.testbed.service.store.addContact('other', { external_id: 'there' });
		const other = watch.poller({ event, chatbotId: byId('other') }, restarted(first.staticData));
		expect(await reportedBy(other)).toEqual([]);
		const updates = watch.poller({ event: 'contactUpdated' }, restarted(first.staticData));
		expect(await reportedBy(updates)).toEqual([]);
	});

	it.each([
		[{}],
		[{ state: 'text' }],
		[{ state: null }],
		[{ state: { [`${event} ${chatbotId}`]: { version: 1 } } }],
	])('reports nothing old when it is %j', async (staticData) => {
		watch.addContact('old');
		const poller = watch.poller({ event }, { staticData });
		expect(await reportedBy(poller)).toEqual([]);
		watch.addContact('new');
		expect(await reportedBy(poller)).toEqual(['new']);
	});

	it.each([
		['of an earlier form', { version: 1, watermark: 0, newest: 0, reported: {}, since: 0 }],
		['of a later form', JSON.stringify({ version: 3, state: { watermark: 0 } })],
		['cut off', '{"version":2,"state":{"watermark":0,"newe'],
		['null', null],
		['a number', 7],
	])('starts over, and says so in the log, when it is %s', async (_, state) => {
		watch.addContact('old');
		const key = `${event} ${chatbotId}`;
		const poller = watch.poller({ event }, { staticData: { state: { [key]: state } } });
		const log = await logOf(async () => expect(await reportedBy(poller)).toEqual([]), 'warn');
		expect(log).toEqual([expect.stringContaining('The trigger starts over.')]);
		watch.addContact('new');
		expect(await reportedBy(poller)).toEqual(['new']);
		expect(await reportedBy(poller)).toEqual([]);
	});

	it('stays small when the list is long', async () => {
		const { store } = watch.testbed.service;
		store.seedContacts(chatbotId, 1500);
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

it('reports 5,000 changes at a time and in order when there are more', async () => {
	const { store, clock } = watch.testbed.service;
	const poller = await watch.active({ event });
	for (let index = 0; index < 5500; index++) {
		if (index % 100 === 0) watch.pass(1);
		store.addContact(chatbotId, { external_id: String(index), created_at: clock.seconds() });
	}
	const polls = [await reportedBy(poller), await reportedBy(poller)];
	expect(polls.map(({ length }) => length)).toEqual([5000, 500]);
	const all = polls.flat().map(Number);
	expect(new Set(all).size).toBe(5500);
	const seconds = all.map((index) => Math.floor(index / 100));
	expect(seconds).toEqual([...seconds].sort((one, other) => one - other));
	expect(await reportedBy(poller)).toEqual([]);
});
