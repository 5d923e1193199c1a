/** What every request of version 2 passes: key, limits, plan, scope, existence, and how an error looks. */
import { illegalities } from '../../../service';
import { agent, errorOf, start } from './client';

let v2: Awaited<ReturnType<typeof start>>;

beforeAll(async () => {
	v2 = await start();
});
beforeEach(() => v2.reset());
afterAll(async () => await v2.service.close());

const get = async (path = agent, headers: Record<string, string> = {}) =>
	await v2.ask('GET', path, undefined, { headers });

describe('the key', () => {
	it.each([
		['', 'AUTH_MISSING_API_KEY'],
		['Bearer wrong', 'AUTH_INVALID_API_KEY'],
	])('"%s": %s', async (authorization, code) => {
		expect(errorOf(await get(agent, { authorization }))).toEqual([401, code]);
	});

	it('can have expired', async () => {
		v2.set({ key: 'expired' });
		expect(errorOf(await get())).toEqual([401, 'AUTH_EXPIRED_API_KEY']);
	});

	it('is not asked for by the health check', async () => {
		expect((await get('/health', { authorization: '' })).body.status).toBe('ok');
	});

	it('can lack a scope, which is told before anything else about the agent', async () => {
		v2.set({ missingScopes: ['agents:read'] });
		expect(errorOf(await get('/agents/x'))).toEqual([403, 'AUTH_INSUFFICIENT_PERMISSIONS']);
		expect((await get(`${agent}/sources`)).status).toBe(200);
	});
});

describe('the rate limit', () => {
	const rateLimit = { requests: 1, windowMs: 10_000, retryAfter: 'seconds' } as const;

	it.each(['RATE_LIMIT_TOO_MANY_REQUESTS', 'RATE_LIMITED'] as const)('%s', async (code) => {
		v2.set({ rateLimit, rateLimitCode: code });
		expect((await get()).headers.get('x-ratelimit-remaining')).toBe('0');
		const refused = await get();
		expect(errorOf(refused)).toEqual([429, code]);
		expect(refused.headers.get('retry-after')).toBe('10');
	});

	it('can come without Retry-After', async () => {
		v2.set({ rateLimit: { ...rateLimit, requests: 0, retryAfter: 'none' } });
		expect((await get()).headers.get('retry-after')).toBeNull();
	});

	it.each([
		['milliseconds', 1],
		['seconds', 1000],
	] as const)('says in %s when it is free again', async (rateLimitReset, unit) => {
		v2.set({ rateLimitReset });
		const reset = Number((await get()).headers.get('x-ratelimit-reset')) * unit;
		expect(Math.abs(reset - Date.now() - 10_000)).toBeLessThan(5_000);
	});

	it('can keep that to itself', async () => {
		v2.set({ rateLimitReset: 'absent' });
		expect((await get()).headers.get('x-ratelimit-reset')).toBeNull();
	});

	it('is one for both versions where a test sets it', async () => {
		const limited = await start({ rateLimit });
		await limited.ask('GET', agent);
		const answer = await fetch(`${limited.service.baseUrl}/get-chatbots`, {
			headers: { authorization: `Bearer ${limited.service.apiKey}` },
		});
		await limited.service.close();
		expect(answer.status).toBe(429);
	});
});

it.each(['SUBSCRIPTION_API_RESTRICTED_PLAN', 'SUBSCRIPTION_PLAN_REQUIRED'] as const)(
	'a plan without the API: %s',
	async (plan) => {
		v2.set({ plan });
		expect(errorOf(await get())).toEqual([403, plan]);
	},
);

it('is under maintenance for as many requests as were set', async () => {
	v2.set({ maintenance: 2 });
	const codes = [await get(), await get(), await get()].map((answer) => errorOf(answer)[1]);
	expect(codes).toEqual(['SERVICE_UNDER_MAINTENANCE', 'SERVICE_UNDER_MAINTENANCE', undefined]);
});

it('has one endpoint switched off', async () => {
	v2.set({ disabledEndpoints: ['GET /agents/{agentId}'] });
	expect(errorOf(await get())).toEqual([503, 'ENDPOINT_TEMPORARILY_DISABLED']);
	expect(errorOf(await get('/agents/x'))).toEqual([404, 'AGENT_NOT_FOUND']);
	expect((await get('/agents')).status).toBe(200);
});

describe('an agent that does not exist', () => {
	const answers = async () => {
		const source = { type: 'text', name: 'A', content: 'B' };
		return [
			await get('/agents/x'),
			await get('/agents/x/sources'),
			await get('/agents/x/conversations/export'),
			await v2.ask('POST', '/agents/x/sources', source),
		].map(({ status }) => status);
	};

	it.each([
		['notFound', [404, 404, 404, 404]],
		['emptyLists', [404, 200, 200, 500]],
		['forbidden', [403, 403, 403, 403]],
	] as const)('%s', async (unknownAgent, statuses) => {
		v2.set({ unknownAgent });
		expect(await answers()).toEqual(statuses);
	});

	it('is a chatbot of version 1 where IDs differ', async () => {
		v2.set({ agentId: 'own' });
		expect((await get()).status).toBe(404);
		expect((await get('/agents')).body.data[0].id).toBe('agent-bot');
		expect((await get('/agents/agent-bot')).status).toBe(200);
	});
});

describe('an error', () => {
	const refused = async () => await v2.ask('POST', `${agent}/chat`, { message: '' });

	it.each([
		['envelope', 'VALIDATION_INVALID_BODY'],
		['withoutDetails', 'VALIDATION_INVALID_BODY'],
		['unknownCode', 'SOMETHING_NEW'],
	] as const)('as %s', async (errorBody, code) => {
		v2.set({ errorBody });
		const { status, body } = await refused();
		expect([status, body.error.code]).toEqual([400, code]);
		expect(Object.keys(body.error.details ?? {})).toEqual(
			errorBody === 'withoutDetails' ? [] : ['message'],
		);
	});

	it.each([
		['html', '<html>'],
		['empty', ''],
	] as const)('as %s', async (errorBody, start) => {
		v2.set({ errorBody });
		const { status, text } = await refused();
		expect([status, text.slice(0, 6)]).toEqual([400, start]);
	});

	it('names JSON that is none, and a path that is none', async () => {
		expect(errorOf(await v2.ask('POST', `${agent}/chat`, '{'))).toEqual([
			400,
			'VALIDATION_INVALID_JSON',
		]);
		expect(errorOf(await get('/get-chatbots'))).toEqual([404, 'NOT_FOUND']);
	});

	it('that was planted looks as version 2 words it, and strikes by the relative path', async () => {
		v2.service.faults.add({ when: { path: agent }, fault: { kind: 'status', status: 503 } });
		expect(errorOf(await get())).toEqual([503, 'SERVICE_UNAVAILABLE']);
	});
});

it('tells legal requests from others, and the versions from each other', async () => {
	await get(`${agent}/conversations/export?limit=20`);
	await get(`${agent}/conversations/export?limit=21&page=1`);
	await get('/get-chatbots');
	expect(illegalities(v2.service.requests)).toEqual([
		'GET /agents/bot/conversations/export: limit: Must be at most 20',
		'GET /agents/bot/conversations/export: page: Unknown field',
		'GET /api/v2/get-chatbots: no such endpoint',
	]);
});
