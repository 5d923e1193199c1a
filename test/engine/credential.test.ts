import { titleOf } from '../errorTexts';
import { outcomeTexts } from '../../nodes/Chatbase/api/errorTexts';
import { startService } from '../../service';
import { inSkippedTime } from './fastTime';
import { useTestbed } from './testbed';

const testbed = useTestbed();

const test = async (changes: object) =>
	await testbed.engine.testCredential('chatbaseV1Api', {
		apiKey: testbed.service.apiKey,
		baseUrl: testbed.service.baseUrl,
		...changes,
	});

it.each([
	['', ''],
	['', '/'],
	['', '///'],
	['  ', ' '],
	['\t', '/ \n'],
])('passes its test with %j before and %j after the Base URL', async (before, behind) => {
	const baseUrl = before + testbed.service.baseUrl + behind;
	expect(await test({ baseUrl })).toMatchObject({ status: 'OK' });
	expect(testbed.service.requests.map(({ url }) => url)).toEqual(['/api/v1/get-chatbots']);
});

it('passes its test when the key was copied with spaces', async () => {
	const apiKey = ` ${testbed.service.apiKey}\n`;
	expect(await test({ apiKey })).toMatchObject({ status: 'OK' });
	await testbed.succeed(
		{ resource: 'chatbot', operation: 'getAll', returnAll: true },
		{ credentials: { chatbaseV1Api: { apiKey, baseUrl: testbed.service.baseUrl } } },
	);
});

describe.each([
	['"Bearer" before it', (key: string) => `Bearer ${key}`],
	['"bearer" and spaces before it', (key: string) => ` bearer  ${key}\n`],
	['a line break in it', (key: string) => `${key.slice(0, 4)}\r\n${key.slice(4)}`],
	['invisible characters', (key: string) => `\u202a${key.slice(0, 4)}\u200b${key.slice(4)}\u202c`],
	['curly quotes', (key: string) => `\u201c${key}\u201d`],
])('a key that was copied with %s', (_, copied) => {
	const list = { resource: 'chatbot', operation: 'getAll', returnAll: true };
	const credentials = () => {
		const { apiKey, baseUrl } = testbed.service;
		return { chatbaseV1Api: { apiKey: copied(apiKey), baseUrl } };
	};

	it('is accepted', async () => {
		expect(await test(credentials().chatbaseV1Api)).toMatchObject({ status: 'OK' });
		await testbed.succeed(list, { credentials: credentials() });
	});

	it('is hidden when the service repeats it', async () => {
		const { apiKey } = testbed.service;
		const body = { message: `The key ${apiKey} has no access` };
		testbed.service.faults.add({ fault: { kind: 'status', status: 403, body } });
		const { error } = await testbed.run(list, { credentials: credentials() });
		expect(error?.description).toContain('The key [API key] has no access');
	});
});

it.each([
	['a name and a password', 'http://name:secret@127.0.0.1/api/v1', /has a user or password/],
	['a query', 'http://127.0.0.1/api/v1?key=1', /has a "\?" or "#"/],
	['an empty query', 'http://127.0.0.1/api/v1?', /has a "\?" or "#"/],
	['a fragment', 'http://127.0.0.1/api/v1#top', /has a "\?" or "#"/],
	['another protocol', 'ftp://127.0.0.1/api/v1', /is not a web address/],
	['no protocol', 'www.chatbase.co/api/v1', /is not a web address/],
	['nothing', ' ', /is not a web address/],
	['v2 at its end', 'https://www.chatbase.co/api/v2', /ends in v2\b/],
	['v2 and a slash at its end', 'https://www.chatbase.co/api/v2/', /ends in v2\b/],
])('refuses a Base URL with %s, in its test and in a run', async (_, baseUrl, sentence) => {
	const { status, message } = await test({ baseUrl });
	expect({ status, message }).toEqual({
		status: 'Error',
		message: expect.stringMatching(sentence),
	});
	if (baseUrl.includes('v2')) expect(message).toContain('with v1 at its end');
	// What is wrong and what to do.
	expect(message).toMatch(/\. (Enter|Remove) /);
	expect(message).not.toContain('secret');
	const { error } = await testbed.run(
		{ resource: 'chatbot', operation: 'getAll', returnAll: true },
		{ credentials: { chatbaseV1Api: { apiKey: testbed.service.apiKey, baseUrl } } },
	);
	expect(error?.message).toMatch(sentence);
	expect(testbed.service.requests).toEqual([]);
});

it('passes its test when the list is in data beside a null error', async () => {
	const body = { chatbots: { data: [], error: null } };
	testbed.service.faults.add({ fault: { kind: 'status', status: 200, body } });
	expect(await test({})).toMatchObject({ status: 'OK' });
});

it.each([[{ chatbots: { data: null, error: 'Down' } }], [{ chatbots: null }]])(
	'says that chatbots cannot be listed when the response is %j',
	async (body) => {
		testbed.service.faults.add({ fault: { kind: 'status', status: 200, body } });
		expect(await test({})).toEqual({
			status: 'Error',
			message: expect.stringContaining('could not list the chatbots'),
		});
	},
);

it('says that the key has no access when the status is 403', async () => {
	testbed.service.faults.add({ fault: { kind: 'status', status: 403 } });
	expect(await test({})).toEqual({
		status: 'Error',
		message: expect.stringContaining('needs a paid plan'),
	});
});

it('says that the key is not accepted when the status is 401', async () => {
	expect(await test({ apiKey: 'wrong' })).toEqual({
		status: 'Error',
		message: expect.stringContaining(titleOf('401')),
	});
});

it('says that the Base URL is wrong when the path is not found', async () => {
	expect(await test({ baseUrl: testbed.service.origin })).toEqual({
		status: 'Error',
		message: expect.stringContaining("The Base URL doesn't lead to the API"),
	});
});

/** A run of the node with another Base URL. */
async function runAt(baseUrl: string) {
	const credentials = { chatbaseV1Api: { apiKey: testbed.service.apiKey, baseUrl } };
	return await inSkippedTime(
		testbed.service,
		async () => await testbed.run({ resource: 'chatbot', operation: 'getAll' }, { credentials }),
	);
}

it('fails with the code of n8n when no server answers, which a run puts in words', async () => {
	const baseUrl = 'http://127.0.0.1:1/api/v1';
	expect(await test({ baseUrl })).toEqual({ status: 'Error', message: 'ECONNREFUSED' });
	const { error } = await runAt(baseUrl);
	expect(error?.message).toBe(outcomeTexts.refused.title);
	expect(error?.description).toContain(outcomeTexts.refused.nextStep);
});

it('names the Base URL when it has https and the server has not, in a run', async () => {
	const baseUrl = testbed.service.baseUrl.replace('http:', 'https:');
	expect(await test({ baseUrl })).toEqual({ status: 'Error', message: 'EPROTO' });
	const { error } = await runAt(baseUrl);
	expect(error?.message).toBe(outcomeTexts.broken.title);
	expect(error?.description).toContain('Base URL in the credential');
});

it.each([
	['HTML', '<html>Log in</html>'],
	['another shape', { bots: [] }],
])('says that something else answers when the response is %s', async (_, body) => {
	testbed.service.faults.add({ fault: { kind: 'status', status: 200, body } });
	expect(await test({})).toEqual({
		status: 'Error',
		message: expect.stringContaining('The response has no list of chatbots'),
	});
});

it.each([301, 302, 303, 307, 308] as const)('follows no redirect: %i', async (status) => {
	const elsewhere = await startService();
	try {
		testbed.service.faults.add({
			fault: { kind: 'redirect', status, location: `${elsewhere.baseUrl}/get-chatbots` },
		});
		expect(await test({})).toEqual({
			status: 'Error',
			message: expect.stringContaining('redirects to another address'),
		});
		expect(testbed.service.requests).toHaveLength(1);
		expect(elsewhere.requests).toEqual([]);
	} finally {
		await elsewhere.close();
	}
});
