/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { inspect } from 'node:util';

import type { INodeParameters, NodeApiError } from 'n8n-workflow';

import { titleOf } from '../../errorTexts';
import { caseRuns } from '../../propertyRuns';
import { startService, type SimulatedService } from '../../../service';
import { chatbotId, contactId, mapped } from '../parameters';
import type { RunResult } from '../harness';
import { byId, useTestbed } from '../testbed';
import { events, trigger } from '../trigger/watch';

const testbed = useTestbed();
let elsewhere: SimulatedService;

beforeAll(async () => {
	elsewhere = await startService();
});

beforeEach(() => {
	elsewhere.clearRequests();
	testbed.service.store.addContact('bot', { external_id: 'c0' });
	testbed.service.store.addContact('bot', { external_id: 'c1' });
});

afterAll(async () => {
	await elsewhere.close();
});

const conversationId = '={{ $json.id }}';

/** One operation of each kind of request. */
const operations: Record<string, INodeParameters> = {
	'contact.get': { chatbotId, contactId },
	'contact.getAll': { chatbotId, returnAll: true },
	'contact.update': { chatbotId, contactId, ...mapped({ name: 'New' }) },
	'contact.delete': { chatbotId, contactId },
	'contact.create': { chatbotId, ...mapped({ external_id: '=new-{{ $json.id }}' }) },
	'contact.upsert': { chatbotId, ...mapped({ external_id: '={{ $json.id }}', name: 'New' }) },
	'chat.send': { chatbotId, message: 'Hello' },
	'chat.sendWithMemory': { chatbotId, message: 'Hello', conversation: 'new' },
	'conversation.get': { chatbotId, conversationId },
	'conversation.export': { chatbotId },
	'conversation.pause': { chatbotId, conversationId },
	'conversation.search': { chatbotId, query: 'Hello' },
	'source.create': { chatbotId, name: '={{ $json.id }}', content: 'Words' },
	'source.delete': { chatbotId, sourceId: byId('={{ $json.id }}') },
	'source.getAll': { chatbotId },
	'source.update': { chatbotId, sourceId: byId('={{ $json.id }}'), updateFields: { content: 'x' } },
	'source.upsert': { chatbotId, name: '={{ $json.id }}', content: 'Words' },
	'chatbotSettings.update': { chatbotId, updateFields: { temp: 0 } },
	'customAttribute.create': { chatbotId, attributeName: 'plan' },
	'ticket.create': {
		chatbotId,
		subject: 'Refund',
		description: 'I want a refund',
		customerEmail: 'jane@example.com',
	},
	'ticket.reply': { chatbotId, ticketNumber: '1', message: 'Hello', author: 'ada@team.example' },
	'ticket.update': { chatbotId, ticketNumber: '1', updateFields: { priority: 'high' } },
};
const table = Object.entries(operations).map(([name, parameters]) => {
	const [resource, operation] = name.split('.');
	return [name, { resource, operation, ...parameters }] as const;
});
const input = [{ id: 'c0' }, { id: 'c1' }];

/** All results of a run, with hidden properties and causes. */
const tracesOf = (result: RunResult) =>
	[
		JSON.stringify(result.run),
		inspect(result, { depth: Infinity, showHidden: true, maxArrayLength: null }),
		inspect(result.error?.cause, { depth: Infinity, showHidden: true }),
		inspect(result.error?.context, { depth: Infinity, showHidden: true }),
	].join('\n');

const answer = (status: number, body: unknown, headers: Record<string, string> = {}) =>
	testbed.service.faults.add({ fault: { kind: 'status', status, body, headers } });

describe.each(caseRuns(table, 7))('%s', (_name, parameters) => {
	it.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
		'outputs no key when the service repeats it: %s',
		async (onError) => {
			const { apiKey } = testbed.service;
			for (const status of [400, 401, 403, 404, 409, 422]) {
				testbed.service.faults.clear();
				const message = `Key ${apiKey} (Bearer ${apiKey}) is wrong`;
				answer(
					status,
					{
						message,
						issues: [{ field: apiKey, message }],
						key: apiKey,
						error: { apiKey, message },
					},
					{ 'X-Key': apiKey, 'Set-Cookie': `key=${apiKey}` },
				);
				const result = await testbed.run(
					{ ...parameters, options: { maxConcurrency: 1 } },
					{ input, nodeSettings: { onError } },
				);
				const traces = tracesOf(result);
				expect(traces).not.toContain(apiKey);
				expect(traces).toContain('[API key]');
			}
		},
	);

	it.each([
		['another host', () => elsewhere.baseUrl],
		['another scheme', () => 'https://127.0.0.1:9/api/v1'],
		['a file', () => 'file:///etc/passwd'],
		['another path of the same host', () => `${testbed.service.origin}/somewhere`],
		['no address at all', () => ':::'],
	])('does not follow a redirect to %s', async (_, location) => {
		testbed.service.faults.add({ fault: { kind: 'redirect', location: location() } });
		const result = await testbed.run(parameters, { input: input.slice(0, 1) });
		expect(result.error?.message).toBe(titleOf('redirect'));
		expect(testbed.service.requests).toHaveLength(1);
		expect(elsewhere.requests).toEqual([]);
		expect(tracesOf(result)).not.toContain(testbed.service.apiKey);
	});

	it('escapes HTML only in errors', async () => {
		const html = '<img src=x onerror="alert(1)"> & \'more\'';
		answer(400, { message: html, issues: [{ field: html, message: html }] });
		const one = input.slice(0, 1);
		const { error } = await testbed.run(parameters, { input: one });
		expect(error?.description).not.toMatch(/[<>]/);
		expect(error?.description).toContain('&lt;img src=x onerror="alert(1)"&gt; &amp; ');
		const { items } = await testbed.run(parameters, {
			input: one,
			nodeSettings: { onError: 'continueRegularOutput' },
		});
		expect(items[0].json.error).toContain(html);
	});

	it('shortens an error text of megabytes', async () => {
		const long = 'All work and no play. '.repeat(50_000);
		const issues = Array.from({ length: 100 }, () => ({
			field: 'x',
			message: long.slice(-2_000),
		}));
		answer(400, { message: long, issues });
		const result = await testbed.run(parameters, { input: input.slice(0, 1) });
		expect(result.error?.description?.length).toBeLessThan(6_500);
		expect(JSON.stringify(result.run).length).toBeLessThan(60_000);
	});

	it.each(['EPERM', 'ENOENT', 'GETADDRINFO', 'ECONNREFUSED', 'preexisting approvePermissions'])(
		'keeps its title when the service names a system code: %s',
		async (code) => {
			answer(400, { message: `${code}: ${code.toLowerCase()} happened`, code });
			const { error } = await testbed.run(parameters, { input: input.slice(0, 1) });
			expect(error?.message).toMatch(/^The service rejected the /);
			expect(error?.description).toContain(code);
		},
	);

	it.each([
		['a message that is an object', { message: { toString: 1 } }],
		['a message that is a list', { message: ['a'] }],
		['issues that are text', { message: 'No', issues: 'all' }],
		['issues full of nothing', { message: 'No', issues: [null, 1, 'a', {}] }],
		['a list', [1, 2]],
		['null', 'null'],
		['HTML', '<html><body>Sign in</body></html>'],
		['nothing', ''],
	])('says what happened when the error is %s', async (_, body) => {
		answer(403, body);
		const { error } = await testbed.run(parameters, { input: input.slice(0, 1) });
		expect(error?.message).toMatch(/^Access denied or /);
		expect(error?.description).not.toMatch(/undefined|\[object|null/);
		const hasWords = typeof body === 'object' && 'issues' in body;
		expect(/The service says: (.*?)\. /.exec(error?.description ?? '')?.[1]).toBe(
			hasWords ? '"No"' : undefined,
		);
	});
});

describe.each(caseRuns(events, 3))('a poll for %s', (event) => {
	/** The error of a poll, and all its results. */
	async function failure() {
		const poller = testbed.engine.poller({
			node: trigger,
			parameters: { chatbotId, event },
		});
		const error: unknown = await poller.poll().then(
			() => undefined,
			(thrown: unknown) => thrown,
		);
		expect(poller.staticData).toEqual({});
		const { message, description } = error as NodeApiError;
		return {
			message,
			description,
			traces: inspect(error, { depth: Infinity, showHidden: true, maxArrayLength: null }),
		};
	}

	it.each([400, 401, 403, 404, 409, 422])(
		'outputs no key when the service repeats it with status %d',
		async (status) => {
			const { apiKey } = testbed.service;
			const message = `Key ${apiKey} (Bearer ${apiKey}) is wrong`;
			const issues = [{ field: apiKey, message }];
			answer(status, { message, issues, key: apiKey }, { 'X-Key': apiKey });
			const { traces } = await failure();
			expect(traces).not.toContain(apiKey);
			expect(traces).toContain('[API key]');
		},
	);

	it('does not follow a redirect to another host', async () => {
		testbed.service.faults.add({ fault: { kind: 'redirect', location: elsewhere.baseUrl } });
		const { message, traces } = await failure();
		expect(message).toBe(titleOf('redirect'));
		expect(testbed.service.requests).toHaveLength(1);
		expect(elsewhere.requests).toEqual([]);
		expect(traces).not.toContain(testbed.service.apiKey);
	});

	it('escapes HTML in an error', async () => {
		answer(403, { message: '<img src=x onerror="alert(1)">' });
		expect((await failure()).description).toContain('&lt;img src=x onerror="alert(1)');
	});

	it('fails when the response is a login page', async () => {
		answer(200, '<html><body>Sign in</body></html>');
		expect((await failure()).message).toBe(titleOf('unexpectedResponse'));
	});
});

it("a contact's name is unchanged in the output when it is HTML", async () => {
	const name = '<b onclick="alert(1)">Ada</b>';
	testbed.service.store.addContact('bot', { external_id: 'html', name });
	const { items } = await testbed.run(
		{ resource: 'contact', operation: 'get', chatbotId, contactId },
		{ input: [{ id: 'html' }] },
	);
	expect(items[0].json.name).toBe(name);
});

it('an invalid Base URL is refused without the key', async () => {
	for (const baseUrl of ['', 'chatbase', 'ftp://127.0.0.1/', 'file:///etc', 'javascript:0']) {
		const result = await testbed.run(
			{ resource: 'contact', operation: 'get', chatbotId, contactId },
			{ input, credentials: { chatbaseV1Api: { apiKey: 'key-of-the-user', baseUrl } } },
		);
		expect(result.error?.message).toBe('The Base URL of the credential is not a web address');
		expect(tracesOf(result)).not.toContain('key-of-the-user');
	}
});
