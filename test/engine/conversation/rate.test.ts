import { titleOf } from '../../errorTexts';
import type { BehaviourV2 } from '../../../service';
import { byId, useTestbed } from '../testbed';

const testbed = useTestbed({ resource: 'conversation', operation: 'rate' });

const conversationId = 'c/1?';
const parameters = {
	chatbotId: byId('bot'),
	conversationId,
	messageId: '={{ $json.message }}',
	rating: '={{ $json.rating }}',
};
const answer = `${conversationId}-2`;
const question = `${conversationId}-1`;
const address = 'PATCH /api/v2/agents/bot/conversations/c%2F1%3F/messages/c%2F1%3F-2/feedback';
const messages = () => testbed.service.store.chatbot('bot').conversations[0].messages;
const switchTo = (behaviour: Partial<BehaviourV2>) =>
	Object.assign(testbed.service.behaviourV2, behaviour);

beforeEach(
	() =>
		void testbed.service.store.addConversation('bot', {
			id: conversationId,
			source: 'Widget or Iframe',
			createdAt: '2026-07-01T08:00:00Z',
			messages: [
				{ role: 'user', content: 'Do you ship?' },
				{ role: 'assistant', content: 'Yes.', score: 0.9 },
			],
		}),
);

const rate = async (rating: unknown, message = answer) =>
	await testbed.run(parameters, { input: [{ rating, message } as never] });

it.each([
	['positive', null, 'positive'],
	['negative', 'positive', 'negative'],
	['none', 'negative', null],
] as const)('sets %s in the place of %s, and returns the answer', async (rating, before, after) => {
	messages()[1].feedback = before;
	const { items, hints } = await testbed.succeed(parameters, {
		input: [{ rating, message: ` ${answer} ` }],
	});
	expect(testbed.sent).toEqual([[address, { feedback: after }]]);
	expect(testbed.illegal).toEqual([]);
	expect(messages().map(({ feedback }) => feedback)).toEqual([undefined, after]);
	expect(hints).toEqual([]);
	expect(items).toEqual([
		{
			json: {
				id: answer,
				role: 'assistant',
				parts: [{ type: 'text', text: 'Yes.' }],
				createdAt: 1_782_892_800,
				feedback: after,
				metadata: { score: 0.9 },
			},
			pairedItem: { item: 0 },
		},
	]);
});

it('keeps the last rating when several items rate one answer, and the first is sent again', async () => {
	testbed.service.faults.add({ when: { nth: 1 }, fault: { kind: 'resetBefore' } });
	const ratings = ['positive', 'negative', 'none', 'negative'];
	await testbed.succeed(parameters, {
		input: ratings.map((rating) => ({ rating, message: answer })),
	});
	expect(messages()[1].feedback).toBe('negative');
	expect(testbed.sent.map(([, body]) => body)).toEqual(
		['positive', 'positive', 'negative', null, 'negative'].map((feedback) => ({ feedback })),
	);
});

it.each([undefined, null, '', 'Positive', 'good', true, 1])(
	'refuses the rating %j before any request',
	async (rating) => {
		const { error } = await rate(rating);
		expect(error?.message).toBe('Rating is not positive, negative or none');
		expect(testbed.sent).toEqual([]);
	},
);

it.each([
	[{ messageId: '={{ "" }}' }, 'Message ID is empty'],
	[{ messageId: '..' }, 'Message ID is not valid'],
	[{ conversationId: '={{ $json.none }}' }, 'Conversation ID is empty'],
])('refuses %j before any request', async (wrong, title) => {
	const { error } = await testbed.run({ ...parameters, rating: 'positive', ...wrong });
	expect(error?.message).toBe(title);
	expect(testbed.sent).toEqual([]);
});

it('says that only answers can be rated', async () => {
	const { error } = await rate('positive', question);
	expect(error?.message).toBe(titleOf('422'));
	expect(messages()[0].feedback).toBeUndefined();
});

it('says where to look when the message does not exist', async () => {
	const { error } = await rate('positive', 'other');
	expect(error).toMatchObject({
		message: 'Message, conversation or chatbot not found',
		httpCode: '404',
	});
	expect(error?.description).toContain('Check Message ID, Conversation ID');
});

it('says that answers of a channel may have no rating', async () => {
	switchTo({ rateChannels: 'API' });
	const { error } = await rate('positive');
	expect(error?.description).toContain('The service may not rate answers of every channel.');
});

it('names all that can be missing when the service names nothing', async () => {
	switchTo({ errorBody: 'unknownCode' });
	const { error } = await rate('positive', 'other');
	expect(error?.message).toBe('Message, conversation or chatbot not found');
});

it('succeeds when the service does not return the rating', async () => {
	switchTo({ messageFields: 'withoutFeedback' });
	const { items } = await testbed.succeed(parameters, {
		input: [{ rating: 'positive', message: answer }],
	});
	expect(items).toMatchObject([{ json: { id: answer } }]);
	expect(messages()[1].feedback).toBe('positive');
});

it('fails when the answer has another rating', async () => {
	const reply = { data: { id: answer, role: 'assistant', parts: [], feedback: null } };
	testbed.service.faults.add({ fault: { kind: 'otherShape', body: reply } });
	const { error, items } = await rate('positive');
	expect(error?.message).toBe('The answer was not rated');
	expect(error?.description).toContain('still has another one');
	expect(items).toEqual([]);
});

it.each([
	['another message', { data: { id: question, feedback: 'positive' } }],
	['no message', { data: null }],
	['no envelope', { id: answer, feedback: 'positive' }],
])('fails when the response is about %s', async (_, reply) => {
	testbed.service.faults.add({ fault: { kind: 'otherShape', body: reply } });
	const { error } = await rate('positive');
	expect(error?.message).toBe(titleOf('unexpectedResponse'));
});
