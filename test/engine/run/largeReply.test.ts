/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { Buffer } from 'node:buffer';
import { gzipSync } from 'node:zlib';

import { useOwnServer } from '../ownServer';
import { byId } from '../testbed';

const own = useOwnServer();

/** 64 MB of spaces; a body can be several of them, one after the other. */
const packed = gzipSync(Buffer.alloc(64 * 2 ** 20, ' '), { level: 1 });

it('a reply over 512 MB is told to be too large, with what to do', async () => {
	own.answer = (response) => {
		response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
		for (let part = 0; part < 9; part++) response.write(packed);
		response.end();
	};
	const { error } = await own.engine.run({
		parameters: {
			resource: 'chat',
			operation: 'send',
			chatbotId: byId('bot'),
			message: 'Hi',
			options: { stream: false },
		},
	});
	expect(error?.message).toBe('The response is too large');
	expect(error?.description).toContain('because the service may have done it');
	expect(error?.description).toContain('Ask for less in one request.');
}, 60_000);
