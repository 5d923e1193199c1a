/** Where files and the key go. */
import type { INodeParameters } from 'n8n-workflow';

import { titleOf } from '../../errorTexts';
import type { RunResult } from '../harness';
import { Proxy } from '../proxy';
import { itemWithFile, outcomes, useWorld } from './world';
import { succeeded } from '../testbed';

const world = useWorld('upsert');

/** Stands for the internet: both hosts of Chatbase are the simulated service, which tells them apart. */
let internet: Proxy;

beforeAll(async () => {
	const { origin } = world.testbed.service;
	internet = await Proxy.start({
		'http://www.chatbase.co': origin,
		'http://files.chatbase.co': origin,
		'http://api.chatbase.co': origin,
	});
});

beforeEach(() => {
	world.add({ name: 'Other' });
	internet.passed.length = 0;
});

afterAll(async () => await internet.close());

const chatbase = 'http://www.chatbase.co/api/v1';
const file = { sourceType: 'file' };

async function run(
	baseUrl: string,
	more: { parameters?: INodeParameters; domains?: object } = {},
): Promise<RunResult> {
	const { apiKey } = world.testbed.service;
	const credential = { apiKey, baseUrl, ...more.domains };
	return await world.run(
		{ ...file, requestOptions: { proxy: internet.address }, ...more.parameters },
		[itemWithFile('a.txt', 'one')],
		{ credentials: { chatbaseV1Api: credential } },
	);
}

/** Method and host of each request. */
const visits = () =>
	world.testbed.service.requests.map(({ method, headers }) => `${method} ${headers.host}`);

describe.each([chatbase, 'http://WWW.Chatbase.co:80/api/v1/'])(
	'with the Base URL %s',
	(baseUrl) => {
		it('only files go to the host for files, with the key', async () => {
			const { items } = succeeded(await run(baseUrl));
			expect(outcomes(items)).toEqual(['created']);
			expect(visits()).toEqual(['GET www.chatbase.co', 'POST files.chatbase.co']);
			Object.assign(world.source('a.txt'), { status: 'trained' });
			await run(baseUrl, { parameters: { options: { alwaysSend: true } } });
			expect(visits()).toEqual(['GET www.chatbase.co', 'PUT files.chatbase.co']);
			const hosts = internet.passed.map((url) => new URL(url).host);
			expect(new Set(hosts)).toEqual(new Set(['www.chatbase.co', 'files.chatbase.co']));
			const keys = world.testbed.service.requests.map(({ headers }) => headers.authorization);
			expect(new Set(keys)).toEqual(new Set([`Bearer ${world.testbed.service.apiKey}`]));
		});
	},
);

it.each([
	'http://api.chatbase.co/api/v1',
	'http://www.chatbase.co.example:PORT/api/v1',
	'http://www.chatbase.co:PORT/api/v1',
	'ORIGIN/api/v1',
])('with the Base URL %s, files stay with its own host', async (address) => {
	const { origin } = world.testbed.service;
	const { port } = new URL(origin);
	const baseUrl = address.replace('PORT', port).replace('ORIGIN', origin);
	const own = new URL(baseUrl).origin;
	const both = await Proxy.start({ [own]: origin });
	const { error } = await run(baseUrl, {
		parameters: { requestOptions: { proxy: both.address } },
	});
	await both.close();
	expect(error).toBeUndefined();
	expect(both.passed.map((url) => new URL(url).origin)).toEqual([own, own]);
});

describe('Allowed Domains of the credential', () => {
	const allowing = (allowedDomains: string) => ({
		domains: { allowedHttpRequestDomains: 'domains', allowedDomains },
	});

	it.each(['www.chatbase.co', 'example.com', 'chatbase.co, www.chatbase.co'])(
		'name the domain to add when they are %s',
		async (domains) => {
			const { error } = await run(chatbase, allowing(domains));
			expect(error?.message).toBe('The credential does not allow the host for files');
			expect(error?.description).toContain('Add files.chatbase.co to Allowed Domains');
			expect(internet.passed).toEqual([]);
		},
	);

	it.each(['files.chatbase.co', '*.chatbase.co', 'www.chatbase.co, files.chatbase.co'])(
		'let files through when they are %s',
		async (domains) => {
			const { items } = succeeded(await run(chatbase, allowing(domains)));
			expect(outcomes(items)).toEqual(['created']);
		},
	);

	it.each([
		{ allowedHttpRequestDomains: 'all' },
		{ allowedHttpRequestDomains: 'none', allowedDomains: 'example.com' },
	])('do not stop the node when they are %j', async (domains) => {
		succeeded(await run(chatbase, { domains }));
		expect(visits()).toContain('POST files.chatbase.co');
	});

	it('need no other host for texts', async () => {
		const parameters = { sourceType: 'text', name: 'A', content: 'x' };
		succeeded(await run(chatbase, { parameters, ...allowing('www.chatbase.co') }));
	});

	it('need no other host for another Base URL', async () => {
		succeeded(await run(`${world.testbed.service.origin}/api/v1`, allowing('example.com')));
	});
});

it.each([301, 302, 303, 307, 308] as const)(
	'a redirect of a file takes the key nowhere: status %d',
	async (status) => {
		const location = 'http://elsewhere.example/api/v2/agents/bot/sources';
		const when = { method: 'POST' } as const;
		world.testbed.service.faults.add({ when, fault: { kind: 'redirect', status, location } });
		const { error } = await run(chatbase);
		expect(error?.message).toBe(titleOf('redirect'));
		expect(visits()).toEqual(['GET www.chatbase.co', 'POST files.chatbase.co']);
		expect(internet.passed.join()).not.toContain('elsewhere');
	},
);

it('a host for files that serves nothing is told in words', async () => {
	world.switchTo({ fileHost: 'none' });
	const { error } = await run(chatbase);
	expect(error?.message).toBe('Files are not accepted at this address');
	expect(error?.description).toContain('files.chatbase.co');
});
