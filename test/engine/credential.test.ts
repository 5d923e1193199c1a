import { Testbed } from './testbed';

let testbed: Testbed;

beforeAll(async () => {
	testbed = await Testbed.start();
});

beforeEach(() => testbed.reset());

afterAll(async () => await testbed.close());

const test = async (changes: object) =>
	await testbed.engine.testCredential('chatbaseV1Api', {
		apiKey: testbed.service.apiKey,
		baseUrl: testbed.service.baseUrl,
		...changes,
	});

it.each([[''], ['/']])('passes its test with "%s" behind the Base URL', async (end) => {
	expect(await test({ baseUrl: testbed.service.baseUrl + end })).toMatchObject({ status: 'OK' });
});

it('says that the key is wrong', async () => {
	expect(await test({ apiKey: 'wrong' })).toEqual({
		status: 'Error',
		message: expect.stringContaining('does not accept this API key'),
	});
});

it('says that the address is wrong', async () => {
	expect(await test({ baseUrl: testbed.service.origin })).toEqual({
		status: 'Error',
		message: expect.stringContaining('Nothing answers at this Base URL'),
	});
});

it.each([
	['HTML', '<html>Log in</html>'],
	['another shape', { bots: [] }],
])('says that something else answers, with %s', async (_, body) => {
	testbed.service.faults.add({ fault: { kind: 'status', status: 200, body } });
	expect(await test({})).toEqual({
		status: 'Error',
		message: expect.stringContaining('not like the chatbot API'),
	});
});

it('does not follow a redirect with the key', async () => {
	testbed.service.faults.add({
		fault: { kind: 'redirect', location: `${testbed.service.baseUrl}/elsewhere` },
	});
	expect(await test({})).toEqual({
		status: 'Error',
		message: expect.stringContaining('redirects to another address'),
	});
	expect(testbed.service.requests).toHaveLength(1);
});
