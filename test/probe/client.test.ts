/* eslint-disable @n8n/community-nodes/no-restricted-globals */
/** The client refuses requests about other data, and marks writes with an unknown outcome. */
import { Client } from '../../probe/client';
import { attributePrefix, scratchPrefix } from '../../probe/ownership';
import { readOptions } from '../../probe/options';
import type { Fault, SimulatedService } from '../../service';
import { chatbotId, emptyScene } from './scene';

const chatbot = `/chatbots/${chatbotId}`;
const contacts = `${chatbot}/contacts`;
const attributes = `${chatbot}/custom-attributes`;
const agent = `/agents/${chatbotId}`;
const sources = `${agent}/sources`;
const own = `${scratchPrefix}1`;

let service: SimulatedService;
let client: Client;
beforeEach(async () => {
	service = await emptyScene();
	client = new Client({
		apiKey: service.apiKey,
		baseUrl: service.baseUrl,
		signal: new AbortController().signal,
		report: () => undefined,
	});
});
afterEach(async () => await service.close());

const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];
const paths = [
	'',
	'/',
	`${contacts}/`,
	`${contacts}/.`,
	`${contacts}/..`,
	`${contacts}/%2e`,
	`${contacts}/.%2E`,
	`${contacts}/%20`,
	`${contacts}/%20..%09`,
	`${contacts}/?${own}`,
	`${contacts}/..\\${own}`,
	`${contacts}/#${own}`,
	`/chatbots//contacts/${own}`,
	`/chatbots/../contacts/${own}`,
];

it.each(paths)('refuses every method for "%s"', async (path) => {
	for (const method of methods) {
		await expect(client.ask(method, path)).rejects.toThrow('part of the path');
	}
	expect(service.requests).toEqual([]);
});

it.each([
	['DELETE', `${contacts}/1005`, {}],
	['DELETE', `${contacts}/mine-${own}`, {}],
	['DELETE', `${contacts}/${attributePrefix}1`, {}],
	['DELETE', `${attributes}/${own}`, {}],
	['DELETE', `${contacts}/${own}%2F..`, {}],
	['DELETE', `/${own}`, {}],
	['DELETE', '/delete-chatbot', {}],
	['PATCH', `${contacts}/1005`, { data: { name: 'A' } }],
	['PATCH', `${contacts}/${own}`, { data: { external_id: '1005' } }],
	['PATCH', `${contacts}/${own}`, { data: { external_id: null } }],
	['PUT', `${attributes}/company`, { archived: true }],
	['POST', contacts, { users: [{ name: 'A' }] }],
	['POST', contacts, { users: [{ external_id: own }, { external_id: '' }] }],
	['POST', contacts, { users: [{ external_id: own }, { external_id: '1005' }] }],
	['POST', contacts, {}],
	['POST', `${contacts}/1005`, {}],
	['POST', `${contacts}/${own}`, {}],
	['POST', attributes, { name: 'company' }],
	['POST', attributes, {}],
])('refuses %s %s with %j', async (method, path, body: object) => {
	await expect(client.ask(method, path, { body })).rejects.toThrow('prefix');
	expect(service.requests).toEqual([]);
});

it.each([
	['POST', sources, { type: 'text', name: 'Shipping', content: 'A' }],
	['POST', sources, { type: 'link', name: own, url: 'https://example.com' }],
	['POST', `${sources}/1`, { type: 'text', name: own }],
	['PUT', `${sources}/made`, { name: 'Shipping' }],
	['PUT', `${sources}/made`, { type: 'qna', name: own }],
	['PUT', `${sources}/other`, { name: own }],
	['PATCH', `${sources}/made`, { name: own }],
	['DELETE', `${sources}/other`, {}],
	['DELETE', `${sources}/made%2Fother`, {}],
	['DELETE', `${agent}/conversations/made`, {}],
	['PUT', `${agent}/conversations/made`, { name: own }],
	['PATCH', `${agent}/conversations/other`, { paused: true }],
	['POST', `${agent}/conversations/other/tool-result`, { toolCallId: own, output: {} }],
	['POST', `${agent}/sources/made/tool-result`, { toolCallId: own, output: {} }],
	['POST', `${agent}/helpdesk/tickets`, { subject: own }],
	['POST', `${agent}/helpdesk/tickets/search`, { query: own }],
	['DELETE', agent, {}],
	['PUT', agent, { name: own }],
	['POST', '/agents', { name: own }],
])('refuses %s %s with %j', async (method, path, body: object) => {
	client.made.add('sources/made').add('conversations/made');
	await expect(client.ask(method, path, { body })).rejects.toThrow(
		'nothing that the probe has made',
	);
	expect(service.requests).toEqual([]);
});

it('sends requests about scratch contacts only', async () => {
	const statuses: number[] = [];
	for (const [method, path, body] of [
		['POST', contacts, { users: [{ external_id: own }] }],
		['GET', `${contacts}/${own}`, undefined],
		['PATCH', `${contacts}/${own}`, { data: { external_id: `${own}1` } }],
		['DELETE', `${contacts}/${own}1`, undefined],
		['POST', attributes, { name: `${attributePrefix}a`, type: 'text' }],
		['PUT', `${attributes}/${attributePrefix}a`, { archived: true }],
	] as const) {
		statuses.push((await client.ask(method, path, { body })).status);
	}
	expect(statuses).toEqual([200, 200, 200, 200, 200, 200]);
});

it.each<Fault>([
	{ kind: 'status', status: 500, handled: true },
	{ kind: 'status', status: 504, handled: true },
	{ kind: 'resetAfter' },
	{ kind: 'resetMidBody' },
	{ kind: 'stall', handled: true },
])('counts a write as unclear when it ends with %j', async (fault) => {
	service.faults.add({ fault });
	const body = { users: [{ external_id: own }] };
	const write = await client.ask('POST', contacts, { body, timeoutMs: 1000 });
	expect(write).toMatchObject({ isUnclear: true, json: write.status === 0 ? undefined : {} });
	expect(service.store.contact(chatbotId, own)).toBeDefined();
	const reading = await client.ask('GET', contacts, { timeoutMs: 1000 });
	expect(reading.isUnclear).toBe(false);
});

it.each([200, 400, 404, 429])('counts a write as clear when the status is %d', async (status) => {
	service.faults.add({
		fault: { kind: 'status', status, headers: { 'Retry-After': '0' } },
	});
	const body = { users: [{ external_id: own }] };
	expect(await client.ask('POST', contacts, { body })).toMatchObject({ isUnclear: false, status });
});

it.each(['', ' ', '.', '..'])('refuses "%s" as the ID of a chatbot', (id) => {
	const args = ['--chatbot', id];
	expect(() => readOptions(args, { CHATBASE_API_KEY: 'k' })).toThrow('--chatbot needs an ID');
});

describe('the host that takes files', () => {
	const vendor = 'https://www.chatbase.co';
	const file = { name: own, content: 'x'.repeat(60) };
	/** The host of each request to the vendor, and whether it had the key. The service answers in its place. */
	const asked: Array<[host: string, hasKey: boolean]> = [];
	const real = globalThis.fetch;

	beforeEach(() => {
		asked.length = 0;
		globalThis.fetch = async (url, init) => {
			const { host, pathname } = new URL(String(url));
			asked.push([host, new Headers(init?.headers).has('authorization')]);
			return await real(service.origin + pathname, init);
		};
	});
	afterEach(() => (globalThis.fetch = real));

	const clientOf = (baseUrl: string) =>
		new Client({
			apiKey: service.apiKey,
			baseUrl,
			signal: new AbortController().signal,
			report: () => undefined,
		});

	it("is Chatbase's own one for files, and gets the key with a file only", async () => {
		const chatbase = clientOf(`${vendor}/api/v1`);
		await chatbase.ask('GET', sources);
		await chatbase.ask('GET', sources, { apiKey: null });
		const sent = await chatbase.ask('POST', sources, { file });
		expect(sent.status).toBe(201);
		expect(asked).toEqual([
			['www.chatbase.co', true],
			['files.chatbase.co', false],
			['files.chatbase.co', true],
		]);
	});

	it('is that of any other Base URL', async () => {
		await clientOf(service.baseUrl).ask('POST', sources, { file });
		expect(asked).toEqual([[new URL(service.baseUrl).host, true]]);
	});

	it('gets no file without the prefix', async () => {
		const foreign = { ...file, name: 'Handbook' };
		await expect(client.ask('POST', sources, { file: foreign })).rejects.toThrow(
			'the probe has made',
		);
		expect(asked).toEqual([]);
	});
});
