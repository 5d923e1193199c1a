/** How long the node waits for a response, by n8n's option Timeout. */
/* eslint-disable @n8n/community-nodes/no-restricted-globals */

import { type INodeParameters, sleep } from 'n8n-workflow';

import { titleOf } from '../../errorTexts';
import { defaultApiKey as apiKey } from '../../../service';
import { skippedTime } from '../fastTime';
import { drip, useOwnServer } from '../ownServer';
import { byId, succeeded } from '../testbed';

const own = useOwnServer();

/** Sends one byte at a time until the client leaves. */
function dripWith(status: number) {
	own.answer = (response) => {
		response.writeHead(status, { 'content-type': 'application/json' }).flushHeaders();
		drip(response, ' ', 50);
	};
}

const chat = { resource: 'chat', operation: 'send', chatbotId: byId('bot'), message: 'Hi' };
const run = async (parameters: INodeParameters, timeout: unknown = 400) =>
	await own.engine.run({
		parameters: { ...chat, ...parameters, requestOptions: { timeout } as never },
	});

it.each([
	['a message', {}, 200],
	['a refusal', {}, 400],
	['a refusal of a streamed answer', { options: { stream: true } }, 400],
])('a response that never ends fails: %s', async (_, parameters, status) => {
	dripWith(status);
	const { error } = await run(parameters);
	expect(error?.message).toBe(titleOf('timeout'));
});

it('a list of the panel that never ends fails', async () => {
	dripWith(200);
	// The pauses between its tries.
	const restore = skippedTime();
	const list = own.engine.listSearch('searchChatbots', {
		parameters: { requestOptions: { timeout: 100 } },
	});
	await expect(list).rejects.toMatchObject({ message: titleOf('timeout') });
	restore();
});

it.each([1.5, 0.5, -1, 2_147_483_648, 1e300, 'soon', true])(
	'Timeout %j is refused before any request, without an unhandled rejection',
	async (timeout) => {
		const unhandled: unknown[] = [];
		const listen = (reason: unknown) => unhandled.push(reason);
		process.on('unhandledRejection', listen);
		own.answer = (response) => response.end('{"text":"Hi"}');
		for (const options of [{ stream: true }, {}]) {
			const { error } = await run({ options }, timeout);
			expect(error?.message).toBe('Timeout is not a whole number of milliseconds');
		}
		await sleep(50);
		process.off('unhandledRejection', listen);
		expect({ requests: own.requests, unhandled }).toEqual({ requests: 0, unhandled: [] });
	},
);

it.each([undefined, null, '', ' ', 0, '0', 4_000, '4000', 2_147_483_647])(
	'Timeout %j allows a request',
	async (timeout) => {
		own.answer = (response) => {
			response.setHeader('content-type', 'application/json');
			response.end('{"text":"Hi"}');
		};
		const { items } = succeeded(await run({}, timeout));
		expect(items[0].json).toEqual({ text: 'Hi' });
	},
);

it('a record is what the service says, even if it repeats the key', async () => {
	own.answer = (response) => {
		response.setHeader('content-type', 'application/json');
		response.end(JSON.stringify({ text: `Bearer ${apiKey}`, debug: { headers: [apiKey] } }));
	};
	const { items } = await run({});
	expect(items[0].json).toEqual({ text: `Bearer ${apiKey}`, debug: { headers: [apiKey] } });
});
