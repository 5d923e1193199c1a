/** What holds for all requests of version 2, whichever operation sends them. */
import { titleOf } from '../../errorTexts';
import { skippedTime } from '../fastTime';
import { byId, useTestbed } from '../testbed';

const testbed = useTestbed({
	resource: 'conversation',
	chatbotId: byId('bot'),
	conversationId: 'c',
});

beforeEach(() => void testbed.service.store.addConversation('bot', { id: 'c' }));

const get = { operation: 'get' };
const credentialsWith = (baseUrl: string) => ({
	chatbaseV1Api: { apiKey: testbed.service.apiKey, baseUrl },
});
const fails = (status: number, body: unknown) =>
	testbed.service.faults.add({ fault: { kind: 'status', status, body } });

describe('the Base URL', () => {
	it.each(['', '/', '//'])('leads to version 2 when it ends in v1%s', async (slashes) => {
		const credentials = credentialsWith(testbed.service.baseUrl + slashes);
		await testbed.succeed(get, { credentials });
		expect(testbed.service.requests.map(({ url }) => url.split('?')[0])).toEqual([
			'/api/v2/agents/bot/conversations/export',
		]);
	});

	it.each(['/api', '', '/v1/api', '/api/v11', '/api/xv1'])(
		'is refused before any request when it ends in "%s"',
		async (end) => {
			const baseUrl = testbed.service.origin + end;
			const { error } = await testbed.run(get, { credentials: credentialsWith(baseUrl) });
			expect(error?.message).toBe('The Base URL of the credential does not end in v1');
			expect(error?.description).toContain('version 2 of the API');
			expect(testbed.sent).toEqual([]);
		},
	);

	it('is refused before any request when that of one item is wrong', async () => {
		const { origin, baseUrl } = testbed.service;
		const { error } = await testbed.run(get, {
			input: [{ url: baseUrl }, { url: `${origin}/api` }],
			credentials: credentialsWith('={{ $json.url }}'),
		});
		expect(error).toMatchObject({
			message: 'The Base URL of the credential does not end in v1',
			context: { itemIndex: 1 },
		});
		expect(testbed.sent).toEqual([]);
	});
});

describe('maintenance', () => {
	let restore: () => void;

	beforeEach(() => (restore = skippedTime(testbed.service)));

	afterEach(() => restore());

	it.each(['get', 'pause', 'search'])('is waited for: %s', async (operation) => {
		testbed.service.behaviourV2.maintenance = 3;
		await testbed.succeed({ operation });
		expect(testbed.sent).toHaveLength(4);
	});

	it('is waited for a minute at most, and told', async () => {
		testbed.service.behaviourV2.maintenance = 100;
		const { error } = await testbed.run(get);
		expect(error).toMatchObject({ message: 'The service is under maintenance', httpCode: '503' });
		expect(error?.description).toContain('sent the request 8 times and waited 60 seconds.');
	});

	it('ends a long run when it lasts', async () => {
		testbed.service.behaviourV2.maintenance = 1000;
		const { items } = await testbed.run(get, {
			input: Array.from({ length: 60 }, () => ({})),
			nodeSettings: { onError: 'continueRegularOutput' },
		});
		expect(items.filter(({ json }) => json.error)).toHaveLength(60);
		expect(testbed.sent.length).toBeLessThan(100);
	});

	it.each(['get', 'pause'])('is not what a switched-off endpoint is: %s', async (operation) => {
		fails(503, { error: { code: 'ENDPOINT_TEMPORARILY_DISABLED', message: 'Off for <now>' } });
		const { error } = await testbed.run({ operation });
		expect(error?.message).toBe(titleOf('disabled'));
		expect(error?.description).toContain('"Off for &lt;now&gt;"');
		expect(testbed.sent).toHaveLength(1);
	});
});

describe('a failure', () => {
	it.each([
		[400, 'VALIDATION_INVALID_BODY', 'The service rejected the request'],
		[402, 'CHAT_CREDITS_EXHAUSTED', 'The message credits are used up'],
		[402, 'CHAT_AGENT_CREDITS_EXHAUSTED', 'The message credits of this chatbot are used up'],
		[402, 'SOMETHING_NEW', 'The message credits are used up'],
		[403, 'SUBSCRIPTION_API_RESTRICTED_PLAN', 'The plan does not include this part of the API'],
		[403, 'AUTH_INSUFFICIENT_PERMISSIONS', titleOf('AUTH_INSUFFICIENT_PERMISSIONS')],
		[403, 'HELPDESK_NOT_ENABLED', 'The helpdesk of this chatbot is off'],
		[403, 'SOMETHING_NEW', titleOf('403')],
		[422, 'SOMETHING_NEW', titleOf('422')],
		[418, 'SOMETHING_NEW', 'The service rejected the request'],
		// The code counts, wherever the status moves.
		[400, 'SUBSCRIPTION_PLAN_REQUIRED', 'The plan does not include this part of the API'],
	])('with status %d and %s has the words of the service', async (status, code, title) => {
		fails(status, {
			error: { code, message: 'No "more"', details: { name: 'Required', 'a.b': 'Too <long>' } },
		});
		const { error } = await testbed.run(get);
		expect(error).toMatchObject({ message: title, httpCode: String(status) });
		expect(error?.description).toMatch(
			'The service says: "No "more"" (name: Required; a.b: Too &lt;long&gt;).',
		);
	});

	it.each<[unknown, string]>([
		[{ error: { code: 'AUTH_INSUFFICIENT_PERMISSIONS' } }, 'AUTH_INSUFFICIENT_PERMISSIONS'],
		[{ error: { message: 'Only words' } }, 'Only words'],
		[{ error: { message: 'Odd', details: { limit: [1, 2] } } }, 'limit: [1,2]'],
		[{ message: 'As in version 1' }, 'As in version 1'],
	])('quotes %j', async (body, words) => {
		fails(403, body);
		const { error } = await testbed.run(get);
		expect(error?.description).toContain(words);
	});

	it.each(['html', 'empty', 'withoutDetails', 'unknownCode'] as const)(
		'is a failure in any body: %s',
		async (errorBody) => {
			Object.assign(testbed.service.behaviourV2, { errorBody, plan: 'SUBSCRIPTION_PLAN_REQUIRED' });
			const { error } = await testbed.run(get);
			expect(error).toMatchObject({ httpCode: '403' });
			expect(error?.description).not.toMatch(/undefined|\[object/);
		},
	);
});

it.each([
	[429, { 'Retry-After': '2' }],
	[429, {}],
])('waits as the service asks, whatever X-RateLimit-Reset says: %d %j', async (status, headers) => {
	const restore = skippedTime(testbed.service);
	const reset = String(Date.now() + 3_600_000);
	testbed.service.faults.add({
		when: { nth: 1 },
		fault: { kind: 'status', status, headers: { ...headers, 'X-RateLimit-Reset': reset } },
	});
	const before = Date.now();
	await testbed.succeed(get);
	const waited = Date.now() - before;
	restore();
	expect(waited).toBeLessThan(10_000);
	expect(testbed.sent).toHaveLength(2);
});
