/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
/**
 * Each switch has an effect. The probe sees most of them, and engine tests fail without the effect of others,
 * so here are those that neither can tell apart.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Behaviour, BehaviourV2 } from '../../../service';
import { switches, switchesV2 } from '../../probe/switches';
import { agent, ask, file, form, furnish, sources, useService } from './client';

const bed = useService();

type Asked = [request: string, body?: unknown];

const get = (path: string): Asked => [`GET ${path}`];
const since = (start: string, id = 'bot') =>
	get(`/agents/${id}/conversations/export?startDate=${start}`);
const talks = (user: string) => get(`${agent}/users/${user}/conversations`);
const source = (body: object): Asked => [`POST ${sources}`, body];
const named = (name: string) => source({ type: 'text', name, content: 'Text' });
const firstPage = get(`${agent}/conversations/export?limit=1`);
const crawl = source({ type: 'link', url: 'https://shop.example', linkType: 'crawl' });
const links = get(`${sources}?type=link`);
const aFile = source(form({ name: 'A', file: file('a.pdf') }));

/** A switch, its value, and what the status and the text of the last answer match only with it. */
const rows: Array<
	[name: keyof Behaviour | keyof BehaviourV2, value: unknown, answer: string | RegExp, ...Asked[]]
> = [
	['exportDates', 'withoutBounds', '"data":[]', since('2026-07-19T12:00:00Z')],
	['exportDates', 'wholeDays', '"c2"', since('2026-07-19T13:00:00Z')],
	['exportDates', 'startOnFirstPage', '"c1"', firstPage, since('2026-07-19&cursor={cursor}')],
	['exportDates', 'ignored', '"c1"', since('2026-07-20')],
	['exportDates', 'refused', /^400/, since('2026-07-19T13:00:00Z')],
	['exportDates', 'timelessInEach', '"timeless"', since('2026-07-20', 'old')],
	['userConversations', 'ignoresCase', '"c1"', talks('ME')],
	['userConversations', 'everybody', '"c2"', talks('me')],
	['userUnknown', 'notFound', '404 {"error":{"code":"RESOURCE_NOT_FOUND"', talks('x')],
	['crawlPolls', 2, '"fetching"', crawl, links, links],
	['sourceNames', 'NFC', '"\u00e9"', named('e\u0301')],
	['sourceNames', 'NFD', '"e\u0301"', named('\u00e9')],
	['fileRate', { requests: 1, windowMs: 60_000, retryAfter: 'none' }, /^429/, aFile, aFile],
];

/** The last answer to requests; `{cursor}` is that of the answer before. */
async function lastAnswer(requests: Asked[]): Promise<string> {
	let [answer, cursor] = ['', ''];
	for (const [request, body] of requests) {
		const last = await ask(bed.service, request.replace('{cursor}', cursor), body);
		answer = last.answer;
		cursor = encodeURIComponent(last.body?.pagination?.cursor as string);
	}
	return answer;
}

it.each(rows)('%s: %j', async (name, value, answer, ...requests) => {
	expect(await lastAnswer(requests)).not.toMatch(answer);
	furnish(bed.service);
	const { behaviour, behaviourV2 } = bed.service;
	Object.assign(name in behaviour ? behaviour : behaviourV2, { [name]: value });
	expect(await lastAnswer(requests)).toMatch(answer);
});

const chat = { chatbotId: 'bot', messages: [{ role: 'user', content: 'Hi' }], stream: true };
const say = async () => await ask(bed.service, `POST ${agent}/chat`, { message: '\u{1f44b}' });

/** Switches that show in the pieces or the time of an answer. */
const others: Record<string, () => Promise<void>> = {
	streamChunkBytes: async () => {
		Object.assign(bed.service.behaviour, { streamChunkBytes: 4, streamDelayMs: 5 });
		expect((await ask(bed.service, 'POST /chat', chat)).chunks.length).toBeGreaterThan(2);
	},
	streamSilenceMs: async () => {
		Object.assign(bed.service.behaviourV2, { streamEnd: 'silence', streamSilenceMs: 40 });
		const start = performance.now();
		expect((await say()).answer).toMatch(/\[DONE\]\n\n$/);
		expect(performance.now() - start).toBeGreaterThan(38);
	},
	streamChunks: async () => {
		const { answer } = await say();
		for (const streamChunks of ['events', 'bytes', 'whole', 'insideCharacters'] as const) {
			bed.service.behaviourV2.streamChunks = streamChunks;
			const { chunks, answer: same } = await say();
			expect(same).toHaveLength(answer.length);
			const isSplit = chunks.some(([first]) => (first & 0xc0) === 0x80);
			expect(isSplit).toBe(['bytes', 'insideCharacters'].includes(streamChunks));
			expect(chunks.length === 1).toBe(streamChunks === 'whole');
		}
	},
};

it.each(Object.entries(others))('%s', async (_name, seen) => await seen());

it('leaves no switch out that neither the probe asks about nor an engine test sets', () => {
	const engine = join(__dirname, '../../engine');
	const suites = readdirSync(engine, { recursive: true, encoding: 'utf8' })
		.filter((path) => path.endsWith('.test.ts'))
		.map((path) => readFileSync(join(engine, path), 'utf8'))
		.join('\n');
	const isSeen = (name: string) => name in others || rows.some(([seen]) => seen === name);
	const unseen = Object.entries({ ...switches, ...switchesV2 })
		.filter(([name, positions]) => 'reason' in positions && !isSeen(name))
		.map(([name]) => name);
	expect(unseen.filter((name) => !suites.includes(name))).toEqual([]);
});
