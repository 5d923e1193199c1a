/** The client refuses requests about other data, and marks writes with an unknown outcome. */
import { Client } from '../../probe/client';
import { attributePrefix, scratchPrefix } from '../../probe/ownership';
import { readOptions } from '../../probe/options';
import type { Fault, SimulatedService } from '../service';
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
	const write = await client.ask('POST', contacts, { body, timeoutMs: 200 });
	expect(write).toMatchObject({ isUnclear: true, json: write.status === 0 ? undefined : {} });
	expect(service.store.contact(chatbotId, own)).toBeDefined();
	const reading = await client.ask('GET', contacts, { timeoutMs: 200 });
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
