/** Sources: what may be written, how training goes on, and what is left of a deleted one. */
import { contractV2 } from '../../../service';
import { agent, errorOf, start } from './client';

let v2: Awaited<ReturnType<typeof start>>;

beforeAll(async () => {
	v2 = await start();
});
beforeEach(() => v2.reset());
afterAll(async () => await v2.service.close());

const sources = `${agent}/sources`;
const text = { type: 'text', name: 'A', content: 'Käse' };
const qna = { type: 'qna', name: 'Q', questions: ['Who?'], answer: 'We' };
const link = { type: 'link', url: 'https://shop.example/faq', linkType: 'crawl' };
const create = async (body: object = text) => await v2.ask('POST', sources, body);
const get = async (id: string) => await v2.ask('GET', `${sources}/${id}`);
const put = async (id: string, body: object) => await v2.ask('PUT', `${sources}/${id}`, body);
const remove = async (id: string) => await v2.ask('DELETE', `${sources}/${id}`);
const add = (id: string, fields: object = {}) => v2.store.addSource('bot', { id, ...fields });

describe('creating', () => {
	it.each([
		[text, 5, null],
		[qna, 6, null],
		[link, 0, expect.objectContaining({ type: 'crawl', crawlStatus: 'fetching' })],
		[{ ...link, linkType: 'individual' }, 0, { type: 'individual' }],
	])('%j', async (body, size, metadata) => {
		const { status, body: source } = await create(body);
		expect(status).toBe(201);
		expect(contractV2.source.parse(source)).toMatchObject({ size, metadata, status: 'untrained' });
		expect(source).not.toHaveProperty('content');
	});

	it.each([
		{ ...text, name: 'a'.repeat(101) },
		{ ...text, content: '' },
		{ ...text, content: 'a'.repeat(1_048_577) },
		{ ...qna, questions: [] },
		{ ...qna, questions: Array(51).fill('Who?') },
		{ ...qna, answer: 'a'.repeat(4.6 * 1024 * 1024) },
		{ ...link, url: 'faq' },
		{ ...link, linkType: 'page' },
		{ type: 'file', name: 'A' },
		{ ...text, size: 1 },
	])('refuses what the contract forbids, case %#', async (body) => {
		expect(errorOf(await create(body))).toEqual([400, 'VALIDATION_INVALID_BODY']);
	});

	it('lets a text share its name, and a link not its address', async () => {
		expect([(await create()).status, (await create()).status]).toEqual([201, 201]);
		await create(link);
		expect(errorOf(await create(link))).toEqual([409, 'SOURCE_DUPLICATE']);
		expect((await create({ ...link, linkType: 'sitemap' })).status).toBe(201);
	});

	it('ends where the storage does', async () => {
		v2.set({ storageLimit: 9 });
		await create();
		expect(errorOf(await create())).toEqual([422, 'SOURCE_SIZE_LIMIT_EXCEEDED']);
	});

	it('can have happened although nobody was told', async () => {
		const listed = async () => (await v2.all(sources)).length;
		const when = { method: 'POST', times: 1 };
		v2.service.faults.add({ when, fault: { kind: 'resetAfter' } });
		await expect(create()).rejects.toThrow('fetch failed');
		expect(await listed()).toBe(1);
		v2.service.faults.add({ when, fault: { kind: 'status', status: 500, handled: true } });
		expect(errorOf(await create())).toEqual([500, 'INTERNAL_SERVER_ERROR']);
		expect(await listed()).toBe(2);
	});

	it('can trim names', async () => {
		v2.set({ sourceNames: 'trimmed' });
		expect((await create({ ...text, name: ' A ' })).body.name).toBe('A');
	});
});

it('lists by type and by a part of the name', async () => {
	await create({ ...text, name: 'Returns' });
	await create({ ...qna, name: 'return policy' });
	await create(link);
	const names = async (query: string) =>
		(await v2.all(`${sources}?${query}`)).map(({ name }) => name).sort();
	expect(await names('name=RETURN')).toEqual(['Returns', 'return policy']);
	expect(await names('type=text,link')).toEqual(['Returns', link.url]);
	expect(await names('limit=1')).toHaveLength(3);
	expect((await v2.ask('GET', `${sources}?type=pdf`)).status).toBe(400);
});

describe('training', () => {
	const states = async (id: string) => {
		const seen = [];
		for (let look = 0; look < 3; look++) seen.push((await get(id)).body.status);
		return seen;
	};

	it.each([
		['succeeds', ['untrained', 'untrained', 'trained']],
		['fails', ['untrained', 'untrained', 'failed']],
		['never', ['untrained', 'untrained', 'untrained']],
	] as const)('%s', async (training, expected) => {
		v2.set({ training, trainingPolls: 2 });
		expect(await states((await create()).body.id)).toEqual(expected);
	});

	it('begins anew with an update, and goes on while a list is read', async () => {
		add('s');
		expect((await put('s', { content: 'New' })).body).toMatchObject({ status: 'updated', size: 3 });
		await v2.ask('GET', sources);
		expect((await get('s')).body.status).toBe('trained');
	});

	it('of a crawl fetches first', async () => {
		v2.set({ crawlPolls: 2, trainingPolls: 3 });
		const { id } = (await create(link)).body;
		const crawls = [];
		for (let look = 0; look < 3; look++) crawls.push((await get(id)).body.metadata.crawlStatus);
		expect(crawls).toEqual(['fetching', 'fetching', 'fetched']);
	});

	it('can be what a size waits for', async () => {
		v2.set({ sourceSize: 'afterTraining' });
		const { id, size } = (await create()).body;
		await get(id);
		expect([size, (await get(id)).body.size]).toEqual([0, 5]);
	});

	it('shows in the status of the agent', async () => {
		const status = async () => (await v2.ask('GET', agent)).body.status;
		expect(await status()).toBe('untrained');
		const source = add('s', { status: 'updated' });
		expect(await status()).toBe('training');
		source.status = 'failed';
		expect(await status()).toBe('failed');
		source.status = 'trained';
		expect(await status()).toBe('trained');
		v2.set({ agentStatus: 'null' });
		expect(await status()).toBeNull();
		v2.set({ agentStatus: 'unknown' });
		expect(await status()).toBe('resting');
	});
});

describe('updating', () => {
	it('keeps what it does not name, and takes fields of the type only', async () => {
		const { id } = (await create(qna)).body;
		expect((await put(id, { answer: 'They' })).body).toMatchObject({ name: 'Q', size: 8 });
		expect(errorOf(await put(id, { content: 'A' }))).toEqual([400, 'VALIDATION_INVALID_BODY']);
		const crawl = (await create(link)).body.id;
		const { metadata } = (await put(crawl, { slowScraping: true })).body;
		expect(metadata).toMatchObject({ slowScraping: true, excludePaths: [] });
		add('f', { type: 'file' });
		expect((await put('f', { name: 'A' })).status).toBe(400);
	});

	it('can be refused in training, until that is over', async () => {
		v2.set({ sourceUpdate: 'refusedInTraining' });
		const { id } = (await create()).body;
		expect(errorOf(await put(id, { name: 'B' }))).toEqual([409, 'SOURCE_IS_TRAINING']);
		expect((await put(id, { name: 'B' })).status).toBe(200);
	});

	it('takes a type or not', async () => {
		add('s');
		expect((await put('s', { type: 'text', name: 'B' })).status).toBe(400);
		v2.set({ sourceUpdateType: 'accepted' });
		expect((await put('s', { type: 'text', name: 'B' })).body.name).toBe('B');
	});

	it.each(['RESOURCE_NOT_FOUND', 'SOURCE_NOT_FOUND', 'AGENT_NOT_FOUND'] as const)(
		'of nothing: %s',
		async (sourceNotFound) => {
			v2.set({ sourceNotFound });
			expect(errorOf(await put('x', {}))).toEqual([404, sourceNotFound]);
		},
	);
});

describe('deleting', () => {
	it.each([
		['deleted', 'deleted', 404],
		['toBeDeleted', 'toBeDeleted', 404],
		['stillListed', 'toBeDeleted', 200],
	] as const)('%s', async (sourceDelete, status, after) => {
		v2.set({ sourceDelete });
		add('s');
		const { body } = await remove('s');
		expect(contractV2.deletedSource.parse(body).status).toBe(status);
		expect((await get('s')).status).toBe(after);
		expect((await v2.all(sources)).length).toBe(after === 200 ? 1 : 0);
		if (after === 200) {
			expect(errorOf(await put('s', {}))).toEqual([409, 'SOURCE_PENDING_DELETION']);
		}
	});

	it.each([
		[404, 'RESOURCE_NOT_FOUND'],
		[409, 'SOURCE_ALREADY_PENDING_DELETION'],
		[200, undefined],
	] as const)('twice: %d', async (sourceSecondDelete, code) => {
		v2.set({ sourceSecondDelete });
		add('s');
		await remove('s');
		expect(errorOf(await remove('s'))).toEqual([sourceSecondDelete, code]);
		expect((await remove('x')).status).toBe(404);
	});
});
