/** A service that never ends a response must not keep later polls away. */
/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import type { ServerResponse } from 'node:http';

import type { IDataObject } from 'n8n-workflow';

import { titleOf } from '../../errorTexts';
import { fastTime } from '../fastTime';
import { drip, useOwnServer } from '../ownServer';
import { byId } from '../testbed';
import { trigger } from './watch';

const own = useOwnServer();
let timeAsUsual: () => void;

beforeEach(() => {
	// Node.js runs this clock itself, so that no fake timer holds it: 30 seconds become 0.15.
	const timeout = AbortSignal.timeout.bind(AbortSignal);
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((time) => timeout(Math.ceil(time / 200)));
	timeAsUsual = fastTime(200);
});

afterEach(() => {
	timeAsUsual();
	jest.restoreAllMocks();
});

function hold(...contacts: IDataObject[]) {
	own.answer = (response) => {
		response.setHeader('content-type', 'application/json');
		response.setHeader('date', new Date().toUTCString());
		const pages = { page: 1, per_page: 1000, total_pages: 1 };
		response.end(JSON.stringify({ data: contacts, total: contacts.length, pages }));
	};
}

it.each<[string, (response: ServerResponse) => void]>([
	['never begins', () => {}],
	['never ends', (response) => response.write('{"data":')],
	['drips', (response) => drip(response, ' ', 25)],
])('reports what happened meanwhile when a response %s', async (_, hang) => {
	const poller = own.engine.poller({
		node: trigger,
		parameters: { event: 'contactCreated', chatbotId: byId('bot') },
	});
	const memory = {};
	hold();
	await poller.pollOn(memory);

	own.requests = 0;
	const isReached = new Promise<void>((resolve) => {
		own.answer = (response) => {
			hang(response);
			resolve();
		};
	});
	const hanging = poller.pollOn(memory).catch((error: Error) => error);
	await isReached;
	const { outputs } = await poller.pollOn(memory);
	expect({ outputs, requests: own.requests }).toEqual({ outputs: null, requests: 1 });
	expect(await hanging).toMatchObject({ message: titleOf('timeout') });

	hold({ id: '1', external_id: 'new', created_at: Math.floor(Date.now() / 1000) });
	const { items } = await poller.pollOn(memory);
	expect(items.map(({ json }) => json.external_id)).toEqual(['new']);
});
