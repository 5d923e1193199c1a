/** Conversations that were escalated or ended, which a search finds late and without the time of it. */
import { titleOf } from '../../errorTexts';
import { defaultBehaviourV2 } from '../../../service';
import type { Poller } from '../harness';
import { byId } from '../testbed';
import { chatbotId, useWatch } from './watch';

const watch = useWatch();

beforeEach(() => {
	Object.assign(behaviour(), structuredClone(defaultBehaviourV2));
});

const day = 86_400;
const behaviour = () => watch.testbed.service.behaviourV2;
const store = () => watch.testbed.service.store;
const path = '/api/v2/agents/my%20bot/conversations/search';

const events = ['conversationEscalated', 'conversationEnded'];

/** A message, after which the conversation is in the state of an event, or outside. */
function chat(id: string, event?: string) {
	const { conversations } = store().chatbot(chatbotId);
	const found =
		conversations.find((other) => other.id === id) ?? store().addConversation(chatbotId, { id });
	found.lastMessageAt = watch.testbed.service.clock.iso();
	found.status = event === 'conversationEnded' ? 'ended' : 'ongoing';
	if (event === 'conversationEscalated') found.facets.escalated = true;
	return found;
}

async function idsBy(poller: Poller): Promise<unknown[]> {
	const { items } = await poller.poll();
	expect(watch.illegal).toEqual([]);
	return items.map(({ json }) => json.id);
}

/** Starts with conversations of the past, one every so many seconds. */
function startWith(count: number, seconds: number, event: string) {
	watch.pass(-count * seconds);
	for (let index = 1; index <= count; index++) {
		chat(`old ${index}`, event);
		watch.pass(seconds);
	}
}

const keptIds = ({ staticData }: Poller, event: string) => {
	const { [`${event} ${chatbotId}`]: saved } = staticData.state as Record<string, string>;
	const { state } = JSON.parse(saved) as { state: { reported: Record<string, string[]> } };
	return Object.values(state.reported).flat();
};

describe.each(events)('%s', (event) => {
	it('reports a conversation once, as the service lists it, when it reaches the state', async () => {
		startWith(1, 60, event);
		const poller = await watch.active({ event });
		watch.pass(60);
		chat('new');
		expect(await idsBy(poller)).toEqual([]);
		watch.pass(60);
		const { lastMessageAt } = chat('new', event);
		const { items } = await poller.poll();
		const updatedAt = Date.parse(lastMessageAt) / 1000;
		expect(items.map(({ json }) => json)).toMatchObject([
			{ id: 'new', updatedAt, source: 'API', changedSince: expect.stringMatching(/Z$/) as string },
		]);
		for (let polls = 0; polls < 3; polls++) {
			watch.pass(60);
			chat('new', event);
			chat('old 1', event);
			expect(await idsBy(poller)).toEqual([]);
		}
	});

	it('says that there is no such chatbot when a search of it finds nothing', async () => {
		const body = { data: [], pagination: { cursor: null, hasMore: false } };
		const matches = ({ path: sent }: { path: string }) => sent.endsWith('/search');
		watch.testbed.service.faults.add({ when: { matches }, fault: { kind: 'otherShape', body } });
		const poller = watch.poller({ event, chatbotId: byId('nobody') });
		await expect(poller.poll()).rejects.toMatchObject({ message: /not found/i });
		expect(poller.staticData).toEqual({});
	});

	it('costs one request when nothing happens and many conversations are old', async () => {
		startWith(100, 3600, event);
		const poller = await watch.active({ event });
		for (let polls = 0; polls < 2; polls++) {
			expect(await idsBy(poller)).toEqual([]);
			expect(watch.sent).toHaveLength(1);
			expect(watch.sent[0]).toMatch(
				new RegExp(
					`^${path}\\?limit=25${event === events[0] ? '&escalated=true' : ''}&updatedAfter=[^&]+$`,
				),
			);
			watch.testbed.service.clearRequests();
			watch.pass(60);
		}
	});

	it('remembers those of the last 30 days and reports none of them when it starts', async () => {
		startWith(110, 6 * 3600, event);
		const poller = await watch.active({ event });
		watch.pass(60);
		for (let index = 1; index <= 110; index++) chat(`old ${index}`, event);
		expect(await idsBy(poller)).toEqual([]);
		expect(keptIds(poller, event)).toHaveLength(110);
	});

	it.each(['short', 'empty'] as const)('finds all when pages are %s', async (searchPages) => {
		behaviour().searchPages = searchPages;
		const poller = await watch.active({ event });
		watch.pass(60);
		for (let index = 1; index <= 80; index++) chat(`c${index}`, event);
		expect(new Set(await idsBy(poller)).size).toBe(80);
		expect(await idsBy(poller)).toEqual([]);
	});

	it('loses nothing when the index lags by minutes', async () => {
		behaviour().searchLagSeconds = 600;
		const poller = await watch.active({ event });
		const reported: unknown[] = [];
		for (let minutes = 1; minutes <= 40; minutes++) {
			watch.pass(60);
			if (minutes <= 20) chat(`c${minutes}`, event);
			reported.push(...(await idsBy(poller)));
		}
		expect(reported).toEqual(Array.from({ length: 20 }, (_, index) => `c${index + 1}`));
	});

	it('finds one that the index shows late when more than a page was active after it', async () => {
		const poller = await watch.active({ event });
		watch.pass(60);
		const late = chat('late', event);
		const { conversations } = store().chatbot(chatbotId);
		conversations.splice(conversations.indexOf(late), 1);
		for (let index = 1; index <= 30; index++) {
			watch.pass(60);
			chat(`c${index}`, event);
		}
		expect(await idsBy(poller)).toHaveLength(30);
		expect(await idsBy(poller)).toEqual([]);
		watch.pass(60);
		conversations.push(late);
		expect(await idsBy(poller)).toEqual(['late']);
	});

	it('shows the newest five when Test data is asked for, however old they are', async () => {
		startWith(40, 3 * day, event);
		watch.testbed.service.clearRequests();
		const { items, staticData } = await watch.poller({ event }).test();
		const ids = [40, 39, 38, 37, 36].map((index) => `old ${index}`);
		expect(items.map(({ json }) => json.id)).toEqual(ids);
		expect(staticData).toEqual({});
		expect(watch.sent).toHaveLength(1);
	});

	it('reports older ones when Report Changes Since is set, and all when it becomes earlier', async () => {
		startWith(40, day, event);
		const { conversations } = store().chatbot(chatbotId);
		const since = (index: number) => ({ options: { since: conversations[index].lastMessageAt } });
		const first = watch.poller({ event, ...since(37) });
		expect(await idsBy(first)).toEqual(['old 38', 'old 39', 'old 40']);
		expect(await idsBy(first)).toEqual([]);
		const second = watch.poller({ event, ...since(35) }, { staticData: first.staticData });
		expect(await idsBy(second)).toEqual(['old 36', 'old 37', 'old 38', 'old 39', 'old 40']);
		expect(await idsBy(second)).toEqual([]);
	});

	it('reports none that reached the state before Report Changes Since when it is active again', async () => {
		startWith(40, day, event);
		const { conversations } = store().chatbot(chatbotId);
		const since = conversations[37].lastMessageAt;
		const poller = watch.poller({ event, options: { since } });
		expect(await idsBy(poller)).toEqual(['old 38', 'old 39', 'old 40']);
		watch.pass(60);
		chat('old 30', event);
		chat('old 37', event);
		chat('new', event);
		expect(await idsBy(poller)).toEqual(['new']);
		expect(await idsBy(poller)).toEqual([]);
	});

	it.each([-20, -6, 6, 20])(
		'loses and doubles nothing when one Date header is %d hours ahead',
		async (hours) => {
			startWith(30, 60, event);
			const poller = await watch.active({ event });
			const pollStrangely = async () => {
				watch.pass(hours * 3600);
				const ids = await idsBy(poller);
				watch.pass(-hours * 3600);
				return ids;
			};
			expect(await pollStrangely()).toEqual([]);
			watch.pass(60);
			chat('new', event);
			watch.pass(1);
			// More than a page was active later.
			for (let index = 1; index <= 30; index++) chat(`old ${index}`, event);
			expect(await idsBy(poller)).toEqual(['new']);
			watch.pass(60);
			chat('newer', event);
			expect(await idsBy(poller)).toEqual(['newer']);
			expect(await pollStrangely()).toEqual([]);
			expect(await idsBy(poller)).toEqual([]);
		},
	);

	it('reports a conversation once that is active on day 20 and silent since', async () => {
		const poller = await watch.active({ event });
		watch.pass(60);
		chat('c', event);
		expect(await idsBy(poller)).toEqual(['c']);
		for (let days = 1; days <= 70; days++) {
			watch.pass(day);
			if (days === 20) chat('c', event);
			chat(`other ${days}`, event);
			expect(await idsBy(poller)).toEqual([`other ${days}`]);
		}
	});

	it('fails when version 2 does not know the chatbot', async () => {
		behaviour().agentId = 'own';
		await expect(watch.poller({ event }).poll()).rejects.toThrow(titleOf('404'));
	});
});

it('reports a conversation again when it was seen outside and ends again', async () => {
	const event = 'conversationEnded';
	const poller = await watch.active({ event });
	const expectAfter = async (state: string | undefined, expected: string[]) => {
		watch.pass(60);
		chat('c', state);
		expect(await idsBy(poller)).toEqual(expected);
	};
	await expectAfter(event, ['c']);
	await expectAfter(undefined, []);
	await expectAfter(event, ['c']);
	await expectAfter(event, []);
});

it('reports an escalation again only when 30 days have passed since the last report', async () => {
	const event = 'conversationEscalated';
	const poller = await watch.active({ event });
	chat('c', event);
	watch.pass(1);
	expect(await idsBy(poller)).toEqual(['c']);
	for (let days = 1; days <= 29; days++) {
		watch.pass(day);
		chat('c', event);
		expect(await idsBy(poller)).toEqual([]);
	}
	watch.pass(1.5 * day);
	await poller.poll();
	chat('c', event);
	expect(await idsBy(poller)).toEqual(['c']);
	expect(keptIds(poller, event)).toEqual(['c']);
});
