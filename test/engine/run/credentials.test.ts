import type { IDataObject } from 'n8n-workflow';

import { startService, type SimulatedService } from '../../../service';
import { skippedTime } from '../fastTime';
import { read } from '../parameters';
import { succeeded, useTestbed } from '../testbed';

const testbed = useTestbed();
let other: SimulatedService;

beforeAll(async () => {
	other = await startService({ apiKey: 'key of the other' });
});

beforeEach(() => {
	other.clearRequests();
	for (const { store } of [testbed.service, other]) {
		store.chatbots.clear();
		store.addChatbot({ id: 'bot' });
		store.addContact('bot', { external_id: 'c', name: store === other.store ? 'other' : 'own' });
	}
});

afterAll(async () => {
	await other.close();
});

/** An input item with the key and Base URL for the credential's expressions. */
const itemOf = ({ apiKey, baseUrl }: SimulatedService) => ({ id: 'c', key: apiKey, url: baseUrl });
const byExpression = {
	chatbaseV1Api: { apiKey: '={{ $json.key }}', baseUrl: '={{ $json.url }}' },
};
const keysAt = ({ requests }: SimulatedService) => [
	...new Set(requests.map(({ headers }) => headers.authorization)),
];

async function runWith(input: IDataObject[], credentials = byExpression) {
	return await testbed.run(read, { input, credentials });
}

/** The same by the number of the item, which n8n evaluates for an item that does not exist, too. */
const byNumber = () => {
	const choice = (ofOther: string, own: string) =>
		`={{ $itemIndex % 3 === 1 ? ${JSON.stringify(ofOther)} : ${JSON.stringify(own)} }}`;
	const own = testbed.service;
	return {
		chatbaseV1Api: {
			apiKey: choice(other.apiKey, own.apiKey),
			baseUrl: choice(other.baseUrl, own.baseUrl),
		},
	};
};

it.each([
	['a small run', 2, () => byExpression],
	['a long run', 110, () => byExpression],
	['a long run, by the number of the item', 110, byNumber],
])('each item is sent with its own key to its own Base URL: %s', async (_, count, credentials) => {
	// First and last are equal, but those in between differ.
	const isOther = (index: number) => index % 3 === 1;
	const input = Array.from({ length: count }, (__, index) =>
		itemOf(isOther(index) ? other : testbed.service),
	);
	const { items } = succeeded(await runWith(input, credentials()));
	expect(items.map(({ json }) => json.name)).toEqual(
		input.map((__, index) => (isOther(index) ? 'other' : 'own')),
	);
	expect(keysAt(testbed.service)).toEqual([`Bearer ${testbed.service.apiKey}`]);
	expect(keysAt(other)).toEqual(['Bearer key of the other']);
});

it('one credential is used for all items when an expression has one value in a long run', async () => {
	const input = Array.from({ length: 110 }, () => itemOf(testbed.service));
	const { items } = await runWith(input);
	expect(items.map(({ json }) => json.name)).toEqual(input.map(() => 'own'));
});

it('n8n is asked for a fixed credential 3 times at most', async () => {
	let asked = 0;
	const { apiKey, baseUrl } = testbed.service;
	const chatbaseV1Api = {
		baseUrl,
		get apiKey() {
			asked++;
			return apiKey;
		},
	};
	const asksOfOneItem = async (count: number) => {
		asked = 0;
		const input = Array.from({ length: count }, () => ({ id: 'c' }));
		const { items } = await runWith(input, { chatbaseV1Api });
		expect(items).toHaveLength(count);
		return asked;
	};
	const small = await asksOfOneItem(1);
	expect(await asksOfOneItem(110)).toBeLessThanOrEqual(3 * small);
});

it('a refused key stops only its items', async () => {
	const refused = { ...itemOf(other), key: 'wrong' };
	const own = itemOf(testbed.service);
	const { items } = await testbed.run(
		{ ...read, options: { maxConcurrency: 1 } },
		{
			input: [refused, own, refused, own, { ...itemOf(other) }],
			credentials: byExpression,
			nodeSettings: { onError: 'continueRegularOutput' },
		},
	);
	expect(items.map(({ json }) => json.name ?? 'failed')).toEqual([
		'failed',
		'own',
		'failed',
		'own',
		'other',
	]);
	expect(other.requests).toHaveLength(2);
});

it('only equal credentials share a pause', async () => {
	other.delayMs = 50;
	testbed.service.faults.add({
		when: { times: 1 },
		fault: { kind: 'status', status: 429, headers: { 'Retry-After': '20' } },
	});
	const own = itemOf(testbed.service);
	const elsewhere = itemOf(other);
	const restore = skippedTime(testbed.service, other);
	const { items } = await testbed.succeed(
		{ ...read, options: { maxConcurrency: 3 }, requestOptions: { timeout: 600_000 } },
		{ input: [own, elsewhere, elsewhere, own, own], credentials: byExpression },
	);
	restore();
	other.delayMs = 0;
	expect(items).toHaveLength(5);
	const [limited, ...later] = testbed.service.requests.map(({ at }) => at);
	expect(later).toHaveLength(3);
	for (const at of later) expect(at - limited).toBeGreaterThanOrEqual(20_000);
	for (const { at } of other.requests) expect(at - limited).toBeLessThan(20_000);
});

it.each([
	['a name and a password', 'http://name:secret@', 'has a user or password'],
	['a name', 'http://name@', 'has a user or password'],
	['a password', 'http://:secret@', 'has a user or password'],
	['another scheme', 'ftp://', 'is not a web address'],
	['no scheme', '', 'is not a web address'],
	['no slashes', 'http:', 'is not a web address'],
])('a Base URL with %s is refused before any request', async (_, start, words) => {
	const { apiKey, baseUrl } = testbed.service;
	const chatbaseV1Api = { apiKey, baseUrl: baseUrl.replace('http://', start) };
	const input = [{ id: 'c' }, { id: 'c' }];
	const { error } = await runWith(input, { chatbaseV1Api });
	expect(error?.message).toBe(`The Base URL of the credential ${words}`);
	expect(JSON.stringify(error)).not.toContain('secret');
	expect(testbed.sent).toEqual([]);
});

it.each(['', ' ', '\n'])('an empty API key is refused before any request: %j', async (apiKey) => {
	const { baseUrl } = testbed.service;
	const { error } = await runWith([{ id: 'c' }], { chatbaseV1Api: { apiKey, baseUrl } });
	expect(error?.message).toBe('The API key of the credential is empty');
	expect(testbed.sent).toEqual([]);
});
