/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import * as fc from 'fast-check';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { createHash } from 'node:crypto';

import { expectSeen, propertyRuns } from '../../propertyRuns';
import type { BehaviourV2, Fault, RecordedRequest } from '../../../service';
import type { Source } from '../../../service/v2/state';
import { inSkippedTime } from '../fastTime';
import { brokenConnections } from '../faults/brokenConnections';
import type { RunResult } from '../harness';
import { byId } from '../testbed';
import { itemWithFile, useWorld } from './world';

/**
 * Create or Update and Mirror, several nights in a row. In one of them requests fail, others write, or n8n's table fails. What
 * a run says is what the service holds, and the next good night makes everything right.
 */
const world = useWorld('upsert');

const either = fc.constantFrom;
type Drawn<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;

/** Equal names in other forms, and different names that look alike. */
const names = [
	...[
		'Docs: 1',
		' Docs: 1 ',
		'docs: 1',
		'Docs: \u00e9',
		'Docs: e\u0301',
		'Docs: a\nb',
		'Docs: a\r\nb',
	],
	...['2', 'Docs: 2', '3', '4', '5.txt', '6.txt'],
];
const types = ['text', 'text', 'qna', 'file'] as const;
const contents = ['one', 'two', ' one\r\n', 'Gr\u00f6\u00dfe', 'one', 'two', 'three'];

const row = fc.record({
	bot: either('bot', 'bot', 'other'),
	type: either(...types),
	name: either(...names),
	// Nothing to learn fails an item before any request.
	content: either(...contents, ...contents, ...contents, ''),
});
type Row = Drawn<typeof row>;

const prefix = 'Docs: ';
const nameOf = ({ name }: { name: string | null }) =>
	(name ?? '').trim().replace(/\r\n?/g, '\n').normalize('NFC');
const prefixed = (name: string) => (name.startsWith(prefix) ? name : prefix + name);

const night = fc.uniqueArray(row, {
	minLength: 1,
	maxLength: 10,
	selector: (one) => `${one.bot} ${one.type} ${prefixed(nameOf(one))}`,
});

/** A complete list of texts. */
const texts = fc
	.uniqueArray(row, { minLength: 6, maxLength: 10, selector: (one) => prefixed(nameOf(one)) })
	.map((rows) => rows.map((one): Row => ({ ...one, type: 'text', content: one.content || 'one' })));

const gatewayPage = '<h1>Gateway Timeout</h1>';
const fault = either<Fault[]>(
	{ kind: 'status', status: 500 },
	{ kind: 'status', status: 500, handled: true },
	{ kind: 'status', status: 502, body: gatewayPage },
	{ kind: 'status', status: 404, body: gatewayPage, handled: true },
	{ kind: 'status', status: 429, headers: { 'Retry-After': '2' } },
	{ kind: 'status', status: 401 },
	{ kind: 'status', status: 403 },
	...brokenConnections,
	{ kind: 'otherShape', body: { ok: true } },
	{ kind: 'otherShape', body: 'Hello', handled: true },
	{ kind: 'empty', handled: true },
);

/** Requests of one method that meet a fault. */
const trouble = fc.record({
	method: either('POST', 'PUT', 'PUT', 'PUT', 'GET', 'DELETE'),
	first: either(1, 1, 1, 2, 3),
	count: either(1, 2, 9, 9),
	fault,
});

/** What a person does at the dashboard when a request arrives. */
const meddling = fc.record({
	atRequest: fc.integer({ min: 1, max: 8 }),
	what: either('add', 'remove', 'rename', 'fail', 'announce'),
	name: either(...names),
});

const behaviour: fc.Arbitrary<Partial<BehaviourV2>> = fc.record({
	fileAnswer: either('bare', 'data'),
	lastPage: either('closed', 'cursorWithoutMore'),
	sourceDelete: either('deleted', 'toBeDeleted', 'stillListed'),
	sourceNames: either('asSent', 'trimmed', 'NFC', 'NFD'),
	sourceNotFound: either('RESOURCE_NOT_FOUND', 'AGENT_NOT_FOUND'),
	sourceUpdate: either('accepted', 'refusedInTraining'),
	total: either('exact', 'absent'),
	trainingPolls: either(1, 2),
});

const listed = fc.record({
	name: either(...names),
	type: either('text', 'qna', 'file', 'link'),
	status: either('trained', 'trained', 'failed', 'toBeDeleted', 'untrained'),
});

const scene = fc.record({
	behaviour,
	before: fc.array(listed, { maxLength: 6 }),
	isMirror: fc.boolean(),
	nights: fc.oneof(
		fc.array(night, { minLength: 2, maxLength: 3 }),
		night.map((rows) => [rows, rows]),
		// One is missing, and others change.
		texts.map((rows) => [rows, rows.slice(1).map(withOtherContent)]),
		// Then they have their former content again.
		texts.map((rows) => [rows, rows.map(withOtherContent), rows.slice(1)]),
	),
	badNight: either(0, 1, 1, 1),
	troubles: fc.array(trouble, { minLength: 1, maxLength: 3 }),
	meddlings: fc.oneof(
		fc.constant<Array<Drawn<typeof meddling>>>([]),
		fc.constant<Array<Drawn<typeof meddling>>>([]),
		fc.array(meddling, { maxLength: 2 }),
	),
	/** Which access to n8n's table of processed items fails, if any. */
	failingAccess: either(...Array<number>(12).fill(0), 1, 3, 5, 6, 7, 8),
	/** Whether another run with other content writes at the same time. */
	isTwice: either(false, false, false, false, true),
	onError: either<Array<'stopWorkflow' | 'continueRegularOutput'>>(
		'stopWorkflow',
		'continueRegularOutput',
	),
	options: fc.record({
		alwaysSend: either(false, false, false, true),
		maxConcurrency: either(1, 5),
		onFailedItems: either('stop', 'finish'),
	}),
	waits: fc.boolean(),
});
type Scene = Drawn<typeof scene>;

function withOtherContent(one: Row, index: number): Row {
	return index < 3 ? { ...one, content: 'changed' } : one;
}

const bots = ['bot', 'other'];
const held = (bot: string): Source[] =>
	world.testbed.service.store
		.chatbot(bot)
		.agent.sources.filter(({ isGone, status }) => !isGone && status !== 'toBeDeleted');
const heldByAll = () => bots.flatMap((bot) => held(bot).map((source) => ({ ...source, bot })));

/** Where the source of a row belongs, and what it is. */
function wantedBy({ isMirror }: Scene, one: Row) {
	const name = isMirror ? prefixed(nameOf(one)) : nameOf(one);
	return { bot: isMirror ? 'bot' : one.bot, key: `${one.type} ${name}` };
}

const keyOf = (source: Source) => `${source.type} ${nameOf(source)}`;

/** The content of a row as the simulated service keeps it: of a file, it keeps a hash. */
function storedFor({ type, content }: Row): object {
	if (type === 'text') return { content };
	if (type === 'qna') return { answer: content };
	return { file: { sha256: createHash('sha256').update(content).digest('hex') } };
}

async function runOnce(drawn: Scene, rows: Row[], dryRun: boolean): Promise<RunResult> {
	const { isMirror, onError, options, waits } = drawn;
	const parameters: INodeParameters = {
		operation: isMirror ? 'mirror' : 'upsert',
		chatbotId: byId(isMirror ? 'bot' : '={{ $json.bot }}'),
		sourceType: '={{ $json.type }}',
		name: '={{ $json.name }}',
		content: '={{ $json.content }}',
		questions: 'Why?',
		answer: '={{ $json.content }}',
		namePrefix: prefix,
		onMissing: 'delete',
		...(isMirror && { dryRun }),
		options: {
			...options,
			...(waits && { waitForTraining: 20 }),
			...(isMirror ? { maxMissing: 30 } : { dryRun }),
		},
	};
	const input = rows.map((one) =>
		one.type === 'file' ? itemWithFile('x.txt', one.content, one) : { json: one },
	);
	return await world.run(parameters, input, { nodeSettings: { onError } });
}

async function run(drawn: Scene, rows: Row[], { dryRun = false, isTwice = false } = {}) {
	const others = isTwice ? [rows.map((one) => ({ ...one, content: 'other' }))] : [];
	return await inSkippedTime(world.testbed.service, async () => {
		const all = [rows, ...others].map(async (list) => await runOnce(drawn, list, dryRun));
		const [first] = await Promise.all(all);
		return first!;
	});
}

function meddle({ what, name }: Drawn<typeof meddling>): void {
	if (what === 'add') return void world.add({ name });

	const source = held('bot').find((other) => nameOf(other) === nameOf({ name }));
	if (!source) return;
	if (what === 'remove') source.isGone = true;
	if (what === 'rename') source.name = 'Docs: 2';
	if (what === 'fail') source.status = 'failed';
	if (what === 'announce') source.status = 'toBeDeleted';
}

/** Runs the bad night of a scene. */
async function runBadly(drawn: Scene, rows: Row[]): Promise<RunResult> {
	const { troubles, meddlings, failingAccess, isTwice } = drawn;
	const { service } = world.testbed;
	const seenOf = new Map<string, number>();
	let requests = 0;
	const stopListening = service.onRequest(({ method, number }: RecordedRequest) => {
		const nth = (seenOf.get(method) ?? 0) + 1;
		seenOf.set(method, nth);
		requests++;
		meddlings.filter(({ atRequest }) => atRequest === requests).forEach(meddle);

		const hit = troubles.find(
			(one) => one.method === method && nth >= one.first && nth < one.first + one.count,
		);
		if (!hit) return;
		const isThis = (other: RecordedRequest) => other.number === number;
		service.faults.add({ when: { matches: isThis }, fault: hit.fault });
	});
	let accesses = 0;
	world.processed.beforeAccess = () => {
		accesses++;
		if (accesses === failingAccess) throw new Error('The table is locked');
	};

	const result = await run(drawn, rows, { isTwice });
	stopListening();
	service.faults.clear();
	world.processed.beforeAccess = () => {};
	return result;
}

const syncOf = ({ json }: INodeExecutionData) => json._sync as IDataObject | undefined;
const actionOf = (item: INodeExecutionData) => String(syncOf(item)?.action ?? item.json.error);
const hasFailed = ({ error, items }: RunResult) =>
	error !== undefined || items.some(({ json }) => json.error !== undefined);

const realActions: Record<string, string> = {
	wouldCreate: 'created',
	wouldUpdate: 'updated',
	wouldDelete: 'deleted',
};
const withoutEnding = (text = '') => text.replace(/ Nothing was (written|done)\.$/, '');

/** What a run says, in words that a dry run and the run after it share. */
function told({ error, items }: RunResult) {
	const actions = items.map(actionOf).map((action) => realActions[action] ?? action);
	return [error?.message.replace('would fail', 'failed'), ...actions.map(withoutEnding)];
}

/** Whether the safety limit refuses the run. A dry run says that in its verdict, beside its items. */
const isOverLimit = ({ error, items }: RunResult) =>
	/missing from the input/.test(error?.message ?? items.map(actionOf).join());

const seen = { agreed: 0, told: 0, repaired: 0, quiet: 0, deleted: 0, refused: 0 };

/** A dry run writes nothing, also not into n8n's table. */
async function foretell(drawn: Scene, rows: Row[]): Promise<RunResult> {
	const remembered = [...world.processed.rows.values()].join() || '[]';
	const result = await run(drawn, rows, { dryRun: true });
	expect(world.writes).toEqual([]);
	expect([...world.processed.rows.values()].join() || '[]').toBe(remembered);
	return result;
}

/** What an item of the output says is what the service holds. */
function expectTruth(drawn: Scene, rows: Row[], { items }: RunResult): void {
	for (const item of items) {
		if (!['created', 'updated', 'unchanged'].includes(actionOf(item))) continue;
		const { item: index } = item.pairedItem as { item: number };
		const { bot, key } = wantedBy(drawn, rows[index]!);
		const source = held(bot).find(({ id }) => id === item.json.id);
		expect(source && keyOf(source)).toBe(key);
		expect(source?.taught).toMatchObject(storedFor(rows[index]!));
		seen.told++;
	}
}

/** Only what Mirror manages and the input lacks is deleted, and its record is in the output. */
function expectOnlyMissingGone(drawn: Scene, rows: Row[], former: ReturnType<typeof heldByAll>) {
	const left = new Set(heldByAll().map(({ id }) => id));
	const wanted = rows.map((one) => wantedBy(drawn, one).key);
	for (const source of former.filter(({ id }) => !left.has(id))) {
		expect(drawn.isMirror && source.bot === 'bot' && source.type !== 'link').toBe(true);
		expect(nameOf(source)).toMatch(/^Docs: /);
		expect(wanted).not.toContain(keyOf(source));
		seen.deleted++;
	}
}

/** After a night without failures, each row has one source with its content. */
function expectRepaired(drawn: Scene, rows: Row[]): void {
	for (const one of rows) {
		const { bot, key } = wantedBy(drawn, one);
		const sources = held(bot).filter((source) => keyOf(source) === key);
		expect(sources.map(({ taught }) => taught)).toMatchObject([storedFor(one)]);
	}
	seen.repaired++;
}

/** If an error says that nothing was written, it says so once, and no request could write. */
function expectTrueRefusal({ error }: RunResult): void {
	const claims = String(error?.description).match(/Nothing was (written|done)\./g) ?? [];
	expect(claims.length).toBeLessThanOrEqual(1);
	if (claims.length === 0) return;
	expect(world.writes).toEqual([]);
	seen.refused++;
}

async function goodNight(drawn: Scene, rows: Row[], isAgain: boolean): Promise<void> {
	const former = heldByAll();
	const before = await foretell(drawn, rows);
	const result = await run(drawn, rows);
	expect(world.testbed.illegal).toEqual([]);

	if (!isOverLimit(result)) {
		expect(told(before)).toEqual(told(result));
		seen.agreed++;
	}
	expectTrueRefusal(result);
	expectTruth(drawn, rows, result);
	expectOnlyMissingGone(drawn, rows, former);
	if (hasFailed(result)) return;

	expectRepaired(drawn, rows);
	if (!isAgain || drawn.options.alwaysSend) return;
	expect(world.writes).toEqual([]);
	seen.quiet++;
}

async function badNight(drawn: Scene, rows: Row[]): Promise<void> {
	const former = heldByAll();
	const result = await runBadly(drawn, rows);
	// Of two runs at a time, and of a run while others write, nobody can say who wrote last.
	if (drawn.isTwice || drawn.meddlings.length > 0) return;

	expectTrueRefusal(result);
	expectTruth(drawn, rows, result);
	expectOnlyMissingGone(drawn, rows, former);
}

it('says what it did, and repairs in a good night what a bad one left', async () => {
	await fc.assert(
		fc.asyncProperty(scene, async (drawn) => {
			world.reset();
			world.testbed.service.store.addChatbot({ id: 'other' });
			world.switchTo(drawn.behaviour);
			for (const source of drawn.before) world.add({ ...source, size: 3 });

			for (const [index, rows] of drawn.nights.entries()) {
				if (index === drawn.badNight) await badNight(drawn, rows);
				else await goodNight(drawn, rows, false);
			}
			const last = drawn.nights.at(-1)!;
			await goodNight(drawn, last, false);
			await goodNight(drawn, last, true);
		}),
		propertyRuns(60),
	);
	process.stdout.write(`worlds of sources: ${JSON.stringify(seen)}\n`);
	expectSeen(seen);
}, 120_000);
