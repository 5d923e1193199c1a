/** Wrong settings that are corrected later. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { logOf } from '../harness';
import { byId } from '../testbed';
import { chatbotId, events, reportedBy, trigger, useWatch } from './watch';

const watch = useWatch();

const event = 'contactCreated';

/** The same trigger with other settings, as after a change in the editor. */
const changed = (parameters: INodeParameters, staticData: IDataObject) =>
	watch.poller({ event, ...parameters }, { staticData });

const beginsAnew =
	'Node: Report Changes Since was set to an earlier time. The trigger starts over. Changes since that time are reported, even if they were reported before.';

describe('Report Changes Since', () => {
	const ago = (seconds: number) => ({
		options: {
			since: new Date(watch.testbed.service.clock.now() - seconds * 1000).toISOString(),
		},
	});

	it('is refused when it is a number that is probably no time', async () => {
		const wrong = watch.poller({ event, options: { since: 46_205 } });
		await expect(wrong.poll()).rejects.toMatchObject({
			message: 'Report Changes Since is not a date',
			description: expect.stringContaining('A number counts as Unix time') as string,
		});
		expect(watch.sent).toEqual([]);
	});

	it.each(events.filter((name) => name !== 'answerRated'))(
		'is refused when it is years ahead, for %s',
		async (name) => {
			const wrong = watch.poller({ event: name, options: { since: '2099-01-01' } });
			await expect(wrong.poll()).rejects.toMatchObject({
				message: 'Report Changes Since is in the future',
				description: expect.stringContaining('2099-01-01') as string,
			});
			expect(watch.sent).toEqual([]);
			expect(wrong.staticData).toEqual({});
		},
	);

	it('is refused when it is ahead of the clock of the service', async () => {
		const wrong = watch.poller({ event, ...ago(-3600) });
		await expect(wrong.poll()).rejects.toThrow('Report Changes Since is in the future');
		expect(wrong.staticData).toEqual({});
	});

	/** Contacts that were added 300, 200 and 100 seconds ago. */
	function addThree() {
		for (const name of ['a', 'b', 'c']) {
			watch.addContact(name);
			watch.pass(100);
		}
	}

	it('starts over and says so in the log when it is set to an earlier time', async () => {
		addThree();
		const first = watch.poller({ event, ...ago(150) });
		expect(await reportedBy(first)).toEqual(['c']);
		watch.addContact('d');
		const second = changed(ago(250), first.staticData);
		const log = await logOf(
			async () => expect(await reportedBy(second)).toEqual(['b', 'c', 'd']),
			'warn',
		);
		expect(log).toEqual([beginsAnew]);
		const later = async () => {
			expect(await reportedBy(second)).toEqual([]);
			watch.addContact('e');
			expect(await reportedBy(second)).toEqual(['e']);
		};
		expect(await logOf(later, 'warn')).toEqual([]);
	});

	it('reports older changes when it is added to a trigger that has polled', async () => {
		addThree();
		const first = await watch.active({ event });
		const second = changed(ago(250), first.staticData);
		const log = await logOf(
			async () => expect(await reportedBy(second)).toEqual(['b', 'c']),
			'warn',
		);
		expect(log).toEqual([beginsAnew]);
		expect(await reportedBy(second)).toEqual([]);
	});

	it('reports nothing twice when it moves with the time, as an expression does', async () => {
		addThree();
		let { staticData } = await watch.active({ event });
		const reported: unknown[] = [];
		for (const name of ['d', 'e', 'f']) {
			watch.pass(10);
			watch.addContact(name);
			const poller = changed(ago(25), staticData);
			reported.push(...(await reportedBy(poller)));
			({ staticData } = poller);
		}
		expect(reported).toEqual(['d', 'e', 'f']);
	});

	it.each<[string, () => INodeParameters]>([
		['is set to a later time', () => ago(50)],
		['is removed', () => ({})],
		['stays as it is', () => ago(250)],
	])('loses nothing, and reports nothing twice, when it %s', async (_, parameters) => {
		addThree();
		const first = watch.poller({ event, ...ago(250) });
		expect(await reportedBy(first)).toEqual(['b', 'c']);
		watch.addContact('d');
		const second = changed(parameters(), first.staticData);
		const log = await logOf(async () => expect(await reportedBy(second)).toEqual(['d']), 'warn');
		expect(log).toEqual([]);
	});
});

describe('Report Changes Since without a value', () => {
	const missing: Array<string | null> = ['', '  ', null, '={{ null }}', '={{ undefined }}'];

	it.each(missing)('reports nothing old when it is %j', async (since) => {
		watch.addContact('old');
		const poller = watch.poller({ event, options: { since } as INodeParameters });
		expect(await reportedBy(poller)).toEqual([]);
		watch.pass(1);
		watch.addContact('new');
		expect(await reportedBy(poller)).toEqual(['new']);
	});

	it('loses nothing, and reports nothing twice, when it had a value before', async () => {
		watch.addContact('old');
		const since = new Date(watch.testbed.service.clock.now() - 1000).toISOString();
		const first = watch.poller({ event, options: { since } });
		expect(await reportedBy(first)).toEqual(['old']);
		watch.addContact('meanwhile');
		const emptied = changed({ options: { since: '' } }, first.staticData);
		expect(await reportedBy(emptied)).toEqual(['meanwhile']);
		const filledIn = changed({ options: { since } }, emptied.staticData);
		expect(await reportedBy(filledIn)).toEqual([]);
	});

	it('reports what is old when it gets a value after the first poll', async () => {
		watch.addContact('old');
		const since = new Date(watch.testbed.service.clock.now() - 1000).toISOString();
		watch.pass(1);
		const first = await watch.active({ event, options: { since: '' } });
		expect(await reportedBy(changed({ options: { since } }, first.staticData))).toEqual(['old']);
	});
});

describe('a wrong choice', () => {
	it('loses nothing when the chatbot was wrong and is corrected', async () => {
		watch.testbed.service.store.addChatbot({ id: 'other' });
		watch.addContact('old');
		const first = await watch.active({ event });
		const wrong = changed({ chatbotId: byId('other') }, first.staticData);
		await wrong.poll();
		watch.addContact('meanwhile');
		await wrong.poll();
		const corrected = changed({}, wrong.staticData);
		expect(await reportedBy(corrected)).toEqual(['meanwhile']);
		expect(await reportedBy(corrected)).toEqual([]);
	});

	it('loses nothing when the event was wrong and is corrected', async () => {
		const first = await watch.active({ event });
		let { staticData } = first;
		for (const wrong of events.filter((name) => name !== event).slice(0, 3)) {
			const poller = changed({ event: wrong }, staticData);
			await poller.poll();
			({ staticData } = poller);
		}
		watch.addContact('meanwhile');
		expect(await reportedBy(changed({}, staticData))).toEqual(['meanwhile']);
	});

	it('is forgotten when many others follow', async () => {
		const { store } = watch.testbed.service;
		let { staticData } = await watch.active({ event });
		for (let index = 0; index < 20; index++) {
			store.addChatbot({ id: `bot ${index}` });
			const poller = changed({ chatbotId: byId(`bot ${index}`) }, staticData);
			await poller.poll();
			({ staticData } = poller);
		}
		expect(JSON.stringify(staticData).length).toBeLessThan(800);
	});
});

it.each(['', '  ', '.', '..', 'half\ud83d'])('sends nothing when the chatbot is %j', async (id) => {
	const poller = watch.poller({ event, chatbotId: byId(id) });
	await expect(poller.poll()).rejects.toThrow(/^Chatbot is (empty|not valid)$/);
	expect(watch.sent).toEqual([]);
});

it('ignores spaces around the ID of the chatbot, as a copied one may have', async () => {
	const { staticData } = await watch.active({ event });
	watch.addContact('new');
	const pasted = changed({ chatbotId: byId(` ${chatbotId}\n`) }, staticData);
	expect(await reportedBy(pasted)).toEqual(['new']);
});

it.each(['', '  ', '.', '..', ' .. ', 'half\ud83d'])(
	'lists no attributes when the chatbot is %j',
	async (id) => {
		const options = { node: trigger, parameters: { event, chatbotId: byId(id) } };
		const list = watch.testbed.engine.listSearch('searchCustomAttributes', options);
		await expect(list).rejects.toThrow('Choose a chatbot first');
		expect(watch.sent).toEqual([]);
	},
);

it('reads the text "false" as no, and refuses other text, when an expression sets Has Email', async () => {
	watch.addContact('without', { email: null });
	const started = await watch.active({ event, filters: { hasEmail: 'false' } });
	watch.addContact('later', { email: null });
	expect(await reportedBy(started)).toEqual(['later']);
	const wrong = changed({ filters: { hasEmail: 'perhaps' } }, started.staticData);
	await expect(wrong.poll()).rejects.toThrow('Has Email is not true or false');
});

it.each<[INodeParameters, string]>([
	[{ sources: [] }, 'The filter Channels is empty'],
	[{ sources: ['API'], otherSources: '' }, 'The filter Other Channels is empty'],
	[{ otherSources: '={{ undefined }}' }, 'The filter Other Channels is empty'],
	[{ otherSources: ' , ' }, 'Other Channels is not a list of texts'],
	[{ otherSources: '={{ true }}' }, 'Other Channels is not a list of texts'],
	[{ sources: '={{ ({ name: "API" }) }}' }, 'Channels is not a list of texts'],
])('reports no conversation of every channel when the filters are %j', async (filters, message) => {
	const poller = watch.poller({ event: 'conversationStarted', filters });
	await expect(poller.poll()).rejects.toMatchObject({ message });
	expect(watch.sent).toEqual([]);
	expect(poller.staticData).toEqual({});
});

it('ignores filters that the event does not have when they stay stored', async () => {
	const condition = { attribute: { __rl: true, mode: 'name', value: 'plan' }, value: 'pro' };
	const filters = { customAttributes: { conditions: [condition] } };
	const poller = await watch.active({ event: 'leadCreated', filters });
	watch.testbed.service.store.addLead(chatbotId, { name: 'Ada' });
	const { items } = await poller.poll();
	expect(items.map(({ json }) => json.name)).toEqual(['Ada']);
});

it('refuses an event that it does not know when a workflow was imported', async () => {
	const wrong = watch.poller({ event: 'contactDeleted' });
	await expect(wrong.poll()).rejects.toMatchObject({
		message: 'Trigger On has an unknown event',
		description: expect.stringContaining('contactDeleted') as string,
	});
	expect(watch.sent).toEqual([]);
});

describe('a changed filter', () => {
	const store = () => watch.testbed.service.store;
	const day = 86_400;

	/** A trigger that looks for WhatsApp and has seen none for a month, in which others were added. */
	async function afterMonth(filters: INodeParameters) {
		const poller = await watch.active({ event: 'conversationStarted', filters });
		for (let days = 0; days < 30; days++) {
			watch.pass(day);
			store().addConversation(chatbotId, { id: `old ${days}`, source: 'API' });
		}
		await poller.poll();
		return poller.staticData;
	}

	const started = (filters: INodeParameters, staticData: IDataObject) =>
		watch.poller({ event: 'conversationStarted', filters }, { staticData });

	const idsOf = async (poller: ReturnType<typeof watch.poller>) =>
		(await poller.poll()).items.map(({ json }) => json.id);

	it.each<[string, INodeParameters]>([
		['another source', { sources: ['API'] }],
		['one more source', { sources: ['WhatsApp', 'API'] }],
		['Other Channels', { sources: ['WhatsApp'], otherSources: 'API' }],
		['no filter', {}],
	])('reports no old conversations when it becomes %s', async (_, filters) => {
		const staticData = await afterMonth({ sources: ['WhatsApp'] });
		const poller = started(filters, staticData);
		const log = await logOf(async () => expect(await idsOf(poller)).toEqual([]), 'warn');
		expect(log).toEqual([
			'Node: the filter of the event has changed. The trigger starts over. Changes since the last poll may be missing.',
		]);
		watch.pass(1);
		store().addConversation(chatbotId, { id: 'new', source: 'API' });
		expect(await idsOf(poller)).toEqual(['new']);
		expect(await idsOf(poller)).toEqual([]);
	});

	it('reports nothing twice when it is changed back', async () => {
		const first = await watch.active({
			event: 'conversationStarted',
			filters: { sources: ['API'] },
		});
		const second = started({}, first.staticData);
		await second.poll();
		watch.pass(1);
		store().addConversation(chatbotId, { id: 'new', source: 'API' });
		expect(await idsOf(second)).toEqual(['new']);
		expect(await idsOf(started({ sources: ['API'] }, second.staticData))).toEqual([]);
	});

	it('reports nothing old when Report Changes Since stays as it was', async () => {
		const since = new Date(watch.testbed.service.clock.now() - day * 1000).toISOString();
		const options = { since };
		const parameters = { event: 'conversationStarted', options };
		const first = await watch.active({ ...parameters, filters: { sources: ['WhatsApp'] } });
		store().addConversation(chatbotId, { id: 'left out', source: 'API' });
		watch.pass(1);
		const poller = watch.poller(parameters, { staticData: first.staticData });
		expect(await idsOf(poller)).toEqual([]);
		expect(await idsOf(poller)).toEqual([]);
	});

	it('reports what is old when Report Changes Since becomes earlier at the same time', async () => {
		const since = new Date(watch.testbed.service.clock.now() - day * 1000).toISOString();
		const staticData = await afterMonth({ sources: ['WhatsApp'] });
		const poller = watch.poller(
			{ event: 'conversationStarted', options: { since } },
			{ staticData },
		);
		const log = await logOf(async () => expect(await idsOf(poller)).toHaveLength(30), 'warn');
		expect(log).toEqual([beginsAnew]);
		expect(await idsOf(poller)).toEqual([]);
	});

	it.each<[string, INodeParameters]>([
		['are in another order', { sources: ['WhatsApp', 'API'] }],
		['are typed instead of chosen', { otherSources: 'WhatsApp, API, API' }],
	])('loses nothing when the same sources %s', async (_, filters) => {
		const first = await watch.active({
			event: 'conversationStarted',
			filters: { sources: ['API', 'WhatsApp'] },
		});
		watch.pass(1);
		store().addConversation(chatbotId, { id: 'meanwhile', source: 'API' });
		expect(await idsOf(started(filters, first.staticData))).toEqual(['meanwhile']);
	});

	it('of contacts reports nothing old, and loses nothing', async () => {
		const first = await watch.active({ event, filters: { hasEmail: true } });
		for (let days = 0; days < 30; days++) {
			watch.pass(day);
			watch.addContact(`old ${days}`, { email: null });
		}
		await first.poll();
		watch.pass(1);
		watch.addContact('meanwhile', { email: null });
		expect(await reportedBy(changed({}, first.staticData))).toEqual(['meanwhile']);
	});

	it('of leads reports nothing old, and loses nothing', async () => {
		const first = await watch.active({ event: 'leadCreated', filters: { hasEmail: true } });
		for (let days = 0; days < 30; days++) {
			watch.pass(day);
			store().addLead(chatbotId, { name: `old ${days}` });
		}
		await first.poll();
		watch.pass(1);
		store().addLead(chatbotId, { name: 'meanwhile' });
		const { items } = await watch
			.poller({ event: 'leadCreated' }, { staticData: first.staticData })
			.poll();
		expect(items.map(({ json }) => json.name)).toEqual(['meanwhile']);
	});
});
