/** Conversations with a rated answer, which a search finds without the time of the rating. */
import type { INodeParameters } from 'n8n-workflow';

import { titleOf } from '../../errorTexts';
import { logOf, type Poller } from '../harness';
import { byId } from '../testbed';
import { chatbotId, useWatch } from './watch';

const watch = useWatch();
const day = 86_400;
const event = 'answerRated';
const store = () => watch.testbed.service.store;

type Feedback = 'positive' | 'negative' | null;

/** A conversation whose answers have these ratings. */
function rate(id: string, ...ratings: Feedback[]) {
	const { conversations } = store().chatbot(chatbotId);
	const found =
		conversations.find((other) => other.id === id) ?? store().addConversation(chatbotId, { id });
	found.messages = ratings.map((feedback) => ({ role: 'assistant', content: 'Hi', feedback }));
	return found;
}

/** IDs and ratings that a poll reports. */
async function ratedBy(poller: Poller): Promise<unknown[][]> {
	const { items } = await poller.poll();
	expect(watch.illegal).toEqual([]);
	return items.map(({ json }) => [json.id, json.rating]);
}

it('reports a rated conversation once, as the search has it, whenever the answer is rated', async () => {
	rate('old', 'negative');
	rate('later', null);
	const poller = await watch.active({ event });
	watch.pass(20 * day);
	expect(await ratedBy(poller)).toEqual([]);
	rate('later', 'negative');
	rate('liked', 'positive');
	const { items } = await poller.poll();
	expect(items.map(({ json }) => json)).toMatchObject([
		{ id: 'later', rating: 'negative', source: 'API', changedSince: expect.anything() as string },
	]);

	for (const ratings of [['negative', 'negative'], [null], ['negative']] as Feedback[][]) {
		watch.pass(60);
		rate('later', ...ratings).lastMessageAt = watch.testbed.service.clock.iso();
		expect(await ratedBy(poller)).toEqual([]);
	}
});

it.each<[string, unknown[][]]>([
	[
		'negative',
		[
			['bad', 'negative'],
			['mixed', 'negative'],
		],
	],
	[
		'positive',
		[
			['good', 'positive'],
			['mixed', 'positive'],
		],
	],
	[
		'both',
		[
			['bad', 'negative'],
			['good', 'positive'],
			['mixed', 'negative'],
		],
	],
])('looks for the Rating %s', async (rating, expected) => {
	const poller = await watch.active({ event, rating });
	rate('bad', 'negative');
	rate('good', 'positive');
	rate('mixed', 'positive', 'negative');
	rate('none', null);
	expect((await ratedBy(poller)).sort()).toEqual(expected);
	const asked = rating === 'both' ? ['positive', 'negative'] : [rating];
	expect(watch.sent.map((url) => /feedback=(\w+)&updatedAfter=/.exec(url)?.[1])).toEqual(asked);
	expect(await ratedBy(poller)).toEqual([]);
});

it('finds all on any number of pages', async () => {
	const poller = await watch.active({ event, rating: 'both' });
	for (let index = 1; index <= 60; index++) rate(`bad ${index}`, 'negative');
	for (let index = 1; index <= 30; index++) rate(`good ${index}`, 'positive');
	expect(await ratedBy(poller)).toHaveLength(90);
	expect(watch.sent).toHaveLength(5);
});

it('does not report one again that is active after a long silence', async () => {
	const poller = await watch.active({ event });
	rate('c', 'negative');
	expect(await ratedBy(poller)).toEqual([['c', 'negative']]);
	for (let days = 0; days < 120; days += 40) {
		watch.pass(40 * day);
		rate(`other ${days}`, 'negative');
		expect(await ratedBy(poller)).toHaveLength(1);
	}
	rate('c', 'negative').lastMessageAt = watch.testbed.service.clock.iso();
	expect(await ratedBy(poller)).toEqual([]);
});

it('starts over and says so in the log when it gets another Rating', async () => {
	const first = await watch.active({ event, rating: 'negative' });
	rate('liked', 'positive');
	await first.poll();
	const { staticData } = first;
	const second = watch.poller({ event, rating: 'positive' }, { staticData });
	const log = await logOf(async () => expect(await ratedBy(second)).toEqual([]), 'warn');
	expect(log).toEqual([expect.stringContaining('the filter of the event has changed')]);
	rate('also liked', 'positive');
	expect(await ratedBy(second)).toEqual([['also liked', 'positive']]);
});

it('has no time to begin with: Report Changes Since that stays stored is ignored', async () => {
	rate('old', 'negative');
	const since = new Date(watch.testbed.service.clock.now() - day * 1000).toISOString();
	await watch.active({ event, options: { since } });
});

it.each<[INodeParameters, string]>([
	[{ rating: '={{ "bad" }}' }, 'Rating is not positive, negative or both'],
	[{ chatbotId: byId('nobody') }, titleOf('404')],
])('is refused: %j', async (parameters, message) => {
	await expect(watch.poller({ event, ...parameters }).poll()).rejects.toMatchObject({ message });
});

it('shows rated conversations when Test data is asked for', async () => {
	rate('bad', 'negative');
	const { items } = await watch.poller({ event }).test();
	expect(items.map(({ json }) => [json.id, json.rating])).toEqual([['bad', 'negative']]);
});
