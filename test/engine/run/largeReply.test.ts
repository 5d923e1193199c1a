/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { Buffer } from 'node:buffer';
import { gzipSync } from 'node:zlib';

import { caseRuns } from '../../propertyRuns';
import { useOwnServer } from '../ownServer';
import { byId } from '../testbed';

const own = useOwnServer();

const megabyte = 2 ** 20;

/** One byte more than a text of Node.js can have. Nobody touches its memory, so that it takes none. */
const tooLong = Buffer.alloc(512 * megabyte);

afterEach(() => jest.restoreAllMocks());

/** Lets Node.js refuse a text of a megabyte as it does one of 512, which take seconds to arrive. */
function lowerTheLimit() {
	const original = Reflect.get(Buffer.prototype, 'toString') as (...given: unknown[]) => string;
	jest.spyOn(Buffer.prototype, 'toString').mockImplementation(function (this: Buffer, ...given) {
		return original.apply(this.length < megabyte ? this : tooLong, given);
	});
}

/** 64 MB of spaces; a body can be several of them, one after the other. */
const packed = () => gzipSync(Buffer.alloc(64 * megabyte, ' '), { level: 1 });

interface Reply {
	title: string;
	/** The bytes to send, made when the test begins. */
	body: () => Array<Buffer | string>;
	encoding?: string;
}

const replies: Reply[] = [
	{
		title: 'that Node.js makes no text of',
		body() {
			lowerTheLimit();
			return ['['.repeat(megabyte)];
		},
	},
	{
		title: 'over 512 MB',
		body: () => Array<Buffer>(9).fill(packed()),
		encoding: 'gzip',
	},
];

it.each(caseRuns(replies, replies.length))(
	'a reply $title is told to be too large, with what to do',
	async ({ body, encoding = 'identity' }) => {
		const parts = body();
		own.answer = (response) => {
			response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding });
			for (const part of parts) response.write(part);
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
	},
	120_000,
);
