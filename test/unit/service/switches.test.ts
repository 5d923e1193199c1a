/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
/**
 * Each switch has an effect. The probe sees most of them, and engine tests fail without the effect of others,
 * so here are those that neither can tell apart.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Behaviour, BehaviourV2 } from '../../service';
import { switches, switchesV2 } from '../../probe/switches';
import { ask, follow, form, furnish, get, received, useService, type Step } from './client';

const bed = useService();

const contacts = '/chatbots/bot/contacts';
const agent = '/agents/bot';
const exported = `${agent}/conversations/export`;
const sources = `${agent}/sources`;
const anyText = expect.stringMatching(/./) as unknown;
const ids = (...list: string[]) => ({ data: list.map((id) => ({ id })) });
const since = (date: string, ...list: string[]) =>
	get(`${exported}?startDate=${date}`, 200, ids(...list));
const create = (user: object, part?: object): Step => [
	`POST ${contacts}`,
	{ users: [user] },
	200,
	part && { data: [part] },
];
const update = (data: object, part: object): Step => [
	`PATCH ${contacts}/a`,
	{ data },
	200,
	{ data: part },
];
const account = (label: unknown) => ({ payment_accounts: [{ label, payment_id: 'p' }] });
const dated = (date: unknown) =>
	update({ custom_attributes: { date: '2025-02-03' } }, { custom_attributes: { date } });
const source = (body: object, status: number, part?: unknown): Step => [
	`POST ${sources}`,
	body,
	status,
	part,
];
const named = (name: string, part: string) =>
	source({ type: 'text', name, content: 'Text' }, 201, { name: part });
const aFile = () => form({ name: 'A' }, 'a.pdf');
const file = (part: object) => source(aFile(), 201, part);
const teamId = '00000000-0000-4000-8000-000000000000';
const ticket = (status: number): Step => [
	`POST ${agent}/helpdesk/tickets`,
	{ subject: 'A', description: 'B', customer: { email: 'jane@x.example' }, teamId },
	status,
	'TICKET_TEAM_NOT_FOUND',
];

/** A switch, its value, and steps that are answered so only with it. */
const rows: Array<[name: keyof Behaviour | keyof BehaviourV2, value: unknown, ...Step[]]> = [
	['dateValues', 'seconds', dated(1738540800)],
	['dateValues', 'milliseconds', dated(1738540800000)],
	['blankPaymentLabel', 'null', update(account(' '), account(null))],
	['createWithoutExternalId', 'generates', create({}, { external_id: anyText })],
	['createWithoutExternalId', 'null', create({}, { external_id: null })],
	['createWithoutExternalId', 'empty', create({}, { external_id: '' })],
	['externalIdOfNew', 'own', create({ external_id: 'n' }), get(`${contacts}/n`, 404)],
	['externalIdUnique', false, create({ external_id: 'a' })],

	['exportDates', 'withoutBounds', since('2026-07-19T12:00:00Z')],
	['exportDates', 'wholeDays', since('2026-07-19T13:00:00Z', 'c2')],
	[
		'exportDates',
		'startOnFirstPage',
		get(`${exported}?limit=1`, 200),
		since('2026-07-19&cursor={cursor}', 'c1'),
	],
	['exportDates', 'ignored', since('2026-07-20', 'c2', 'c1')],
	['exportDates', 'refused', get(`${exported}?startDate=2026-07-19T13:00:00Z`, 400)],
	['userConversations', 'ignoresCase', get(`${agent}/users/ME/conversations`, 200, ids('c1'))],
	['userConversations', 'everybody', get(`${agent}/users/x/conversations`, 200, ids('c1'))],
	['userUnknown', 'notFound', get(`${agent}/users/x/conversations`, 404, 'RESOURCE_NOT_FOUND')],
	[
		'crawlPolls',
		2,
		source({ type: 'link', url: 'https://shop.example', linkType: 'crawl' }, 201),
		get(`${sources}/{id}`, 200),
		get(`${sources}/{id}`, 200, { metadata: { crawlStatus: 'fetching' } }),
		get(`${sources}/{id}`, 200, { metadata: { crawlStatus: 'fetched' } }),
	],
	[
		'updatedSize',
		'oldUntilTrained',
		[`PUT ${sources}/s2`, { content: 'Longer' }, 200, { size: 5 }],
	],
	['sourceNameForm', 'NFC', named('e\u0301', '\u00e9')],
	['sourceNameForm', 'NFD', named('\u00e9', 'e\u0301')],
	['fileErrorCode', 'INVALID_BODY', source(form({}, 'a.pdf'), 400, 'INVALID_BODY')],
	[
		'fileRate',
		{ requests: 1, windowMs: 60_000, retryAfter: 'none' },
		file({}),
		source(aFile(), 429),
	],
	['fileSize', 'raw', file({ size: 8 })],
	['fileSize', 'withOriginalSize', file({ metadata: { originalSize: 8 } })],
	['ticketCreateUnknown', 400, ticket(400)],
	['ticketCreateUnknown', 404, ticket(404)],
];

it.each(rows)('%s: %j', async (name, value, ...steps) => {
	// Without the switch the same requests are answered differently.
	await expect(follow(bed.service, steps)).rejects.toThrow('toMatchObject');
	furnish(bed.service);
	const { behaviour, behaviourV2 } = bed.service;
	Object.assign(name in behaviour ? behaviour : behaviourV2, { [name]: value });
	await follow(bed.service, steps);
});

const chat = { chatbotId: 'bot', messages: [{ role: 'user', content: 'Hi' }], stream: true };
const said = { message: '\u{1f44b}' };

/** Switches that show in the pieces or the time of an answer, or together with others. */
const others: Record<string, () => Promise<void>> = {
	streamChunkBytes: async () => {
		Object.assign(bed.service.behaviour, { streamChunkBytes: 4, streamDelayMs: 5 });
		expect((await received(bed.service, 'POST /chat', chat)).chunks.length).toBeGreaterThan(2);
	},
	exportWithoutTime: async () => {
		bed.service.store.addConversation('bot', { id: 'timeless', createdAt: 'never' });
		const dates = get(`${exported}?startDate=2026-07-20`, 200, ids());
		await follow(bed.service, [dates]);
		bed.service.behaviourV2.exportWithoutTime = 'inEveryRange';
		await expect(follow(bed.service, [dates])).rejects.toThrow('timeless');
	},
	streamSilenceMs: async () => {
		Object.assign(bed.service.behaviourV2, { streamEnd: 'silence', streamSilenceMs: 40 });
		const start = performance.now();
		expect((await ask(bed.service, `POST ${agent}/chat`, said)).text).toMatch(/\[DONE\]\n\n$/);
		expect(performance.now() - start).toBeGreaterThan(38);
	},
	streamChunks: async () => {
		const whole = (await ask(bed.service, `POST ${agent}/chat`, said)).text;
		for (const streamChunks of ['events', 'bytes', 'whole', 'insideCharacters'] as const) {
			bed.service.behaviourV2.streamChunks = streamChunks;
			const { chunks } = await received(bed.service, `POST ${agent}/chat`, said);
			expect(Buffer.concat(chunks)).toHaveLength(Buffer.byteLength(whole));
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
	const unseen = Object.entries({ ...switches, ...switchesV2 })
		.filter(([, positions]) => 'reason' in positions)
		.map(([name]) => name)
		.filter((name) => !(name in others) && !rows.some(([seen]) => seen === name));
	expect(unseen.filter((name) => !suites.includes(name))).toEqual([]);
});
