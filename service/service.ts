/* eslint-disable @n8n/community-nodes/no-restricted-imports */
/**
 * The simulated service: an HTTP server that follows the contract, with switches for what the
 * documents leave open, faults that a test adds, and a log of all requests.
 */
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';

import multipart from '@fastify/multipart';
import fastify, {
	type FastifyError,
	type FastifyInstance,
	type FastifyReply,
	type FastifyRequest,
} from 'fastify';

import type { Reply, Situation } from './answer';
import { defaultBehaviour, type Behaviour } from './behaviour';
import { Clock } from './clock';
import type { Context } from './context';
import { isOffered } from './endpoints';
import { playBeforeHandling, playOnReply, type Payload } from './faultPlayer';
import { Faults, type Fault } from './faults';
import { checkedAction, type CustomAction } from './page/customAction';
import { pagePath, pageRoutes } from './page/routes';
import { Random } from './random';
import { RateLimiter, type RateLimit } from './rateLimit';
import { Refusal, type Issue } from './refusal';
import type { RecordedRequest } from './requestLog';
import { assetRoutes } from './routes/assets';
import { chatRoutes } from './routes/chat';
import { chatbotRoutes } from './routes/chatbots';
import { contactRoutes, isLastContactPage } from './routes/contacts';
import { conversationRoutes } from './routes/conversations';
import { customAttributeRoutes } from './routes/customAttributes';
import { leadRoutes } from './routes/leads';
import { Store, type Message } from './store';
import { uploadedParts } from './upload';
import { defaultBehaviourV2, type BehaviourV2 } from './v2/behaviour';
import { apiErrorOf, errorBodyV2 } from './v2/errors';
import { routesV2 } from './v2';
import { register } from './v2/route';

const basePath = '/api/v1';
const basePathV2 = '/api/v2';
const bodyLimit = 50 * 1024 * 1024;

/** The default key; keys seen in public code have this shape. */
export const defaultApiKey = new Random(2024).uuid();

export interface ServiceOptions {
	/** Default: any free port. */
	port?: number;
	/** Default: `defaultApiKey`. */
	apiKey?: string;
	/** Departures from `defaultBehaviour`. */
	behaviour?: Partial<Behaviour>;
	/** Departures from `defaultBehaviourV2`. */
	behaviourV2?: Partial<BehaviourV2>;
	/** Makes the chatbot's answer. Default: an echo of the last message of the user. */
	reply?: Reply;
	/** Default: no limit for version 1, the documented one for version 2. */
	rateLimit?: RateLimit;
	/** Milliseconds that each request waits before it is handled. Default: 0. */
	delayMs?: number;
	/** Decides the IDs that the store makes. Default: 1. */
	seed?: number;
	/** Makes the internal ID of each contact. Default: a UUID. */
	contactId?: () => string;
	/** Lets custom actions call this machine without TLS. The service calls HTTPS only. Default: no. */
	allowsLocalActions?: boolean;
	/** Milliseconds that a chatbot waits for a custom action. Not documented. Default: 10,000. */
	actionPatienceMs?: number;
}

export interface SimulatedService {
	/** Base address with the version segment, such as `http://127.0.0.1:4010/api/v1`. */
	readonly baseUrl: string;
	/** Scheme, host and port of it. */
	readonly origin: string;
	readonly apiKey: string;
	readonly store: Store;
	readonly clock: Clock;
	/** May be changed at any time; the next request sees it. */
	readonly behaviour: Behaviour;
	/** The same for version 2, which the service speaks at the same origin. */
	readonly behaviourV2: BehaviourV2;
	readonly faults: Faults;
	/** Every request so far, in order of arrival. */
	readonly requests: RecordedRequest[];
	/** Milliseconds that each request waits. May be changed at any time. */
	delayMs: number;
	/** Requests that have arrived and are not answered yet. */
	readonly inFlight: number;
	/** Most requests that were in flight at the same time, since the start or the last `clearRequests`. */
	readonly maxInFlight: number;
	/** Empties the log, and starts `maxInFlight` and the rate limit anew; numbers start from 1 again. */
	clearRequests(): void;
	/** Forgets requests, faults and chatbots, and sets every switch as it was at the start. */
	reset(): void;
	/**
	 * Calls a listener after a request was recorded and before it is handled, so that a test can
	 * change the store in between. A promise is waited for.
	 *
	 * @returns a function that takes the listener away
	 */
	onRequest(listener: RequestListener): () => void;
	/**
	 * Adds a custom action to a chatbot, as a person does in the dashboard. No API does it.
	 *
	 * @throws Refusal if it isn't valid, or its URL doesn't use HTTPS
	 */
	setUpAction(chatbotId: string, action: CustomAction): void;
	/** Address of a simulated page with the widget of a chatbot. Ours: its requests aren't documented. */
	pageOf(chatbotId: string): string;
	/** Ends at once, whatever is still open. */
	close(): Promise<void>;
}

export type RequestListener = (request: RecordedRequest) => void | Promise<void>;

/** One request on its way through the service. */
interface Exchange {
	record: RecordedRequest;
	faults: Fault[];
	/** Counts the request as answered; only the first call has an effect. */
	answered: () => void;
}

/** An echo: the same messages give the same text, and a test sees in it what arrived, also from a custom action. */
export function echo(messages: Message[], { action }: Pick<Situation, 'action'> = {}): string {
	const asked = messages.findLast(({ role }) => role === 'user');
	const said = `You said: ${asked?.content ?? ''}`;
	if (!action) return said;
	return `${said}\n${action.name}: ${action.failure ?? JSON.stringify(action.output)}`;
}

/**
 * Starts the service on the local interface.
 *
 * @throws Error with code EADDRINUSE when the port is taken
 */
export async function startService(options: ServiceOptions = {}): Promise<SimulatedService> {
	const clock = new Clock();
	const store = new Store(clock, options.seed, options.contactId);
	const behaviour: Behaviour = { ...structuredClone(defaultBehaviour), ...options.behaviour };
	const behaviourV2: BehaviourV2 = {
		...structuredClone(defaultBehaviourV2),
		...(options.rateLimit && { rateLimit: options.rateLimit }),
		...options.behaviourV2,
	};
	const { reply = echo, actionPatienceMs = 10_000, allowsLocalActions = false } = options;
	const context: Context = { store, behaviour, reply, actionPatienceMs };
	const apiKey = options.apiKey ?? defaultApiKey;
	const faults = new Faults();
	const limiter = new RateLimiter(() => behaviourV2.rateLimit);
	const fileLimiter = new RateLimiter(() => behaviourV2.fileRate);
	const requests: RecordedRequest[] = [];
	const listeners = new Set<RequestListener>();
	const exchanges = new WeakMap<FastifyRequest, Exchange>();
	const traffic = { now: 0, most: 0 };
	const switches = structuredClone({ behaviour, behaviourV2 });

	const app = fastify({
		bodyLimit,
		forceCloseConnections: true,
		exposeHeadRoutes: false,
		// IDs can have any length.
		routerOptions: { maxParamLength: 16_384 },
		frameworkErrors: (error, _request, reply) => {
			const status = error.statusCode ?? 400;
			void (reply as FastifyReply).code(status).send({ message: error.message });
		},
	});

	app.addHook('onRequest', async (request, reply) => {
		const record = recordOf(request, requests.length + 1);
		requests.push(record);
		traffic.most = Math.max(traffic.most, ++traffic.now);
		let isOpen = true;
		const answered = () => {
			if (isOpen) traffic.now--;
			isOpen = false;
		};
		reply.raw.once('close', answered);
		exchanges.set(request, { record, faults: [], answered });
	});

	app.addHook('preHandler', async (request, reply) => {
		const exchange = exchanges.get(request)!;
		const { record } = exchange;
		if (request.isMultipart()) {
			request.body = await uploadedParts(request, isV2(request));
		}
		record.body = request.body ?? undefined;
		for (const listener of listeners) await listener(record);
		exchange.faults = faults.strikesOn(record, () => isLastPage(request, context));
		const { delayMs } = service;
		if (delayMs > 0) await setTimeout(delayMs);
		if (await playBeforeHandling(exchange.faults, reply)) return reply;

		if ((isV2(request) || isPage(request)) && !request.is404) return;
		if (request.is404 || !isOffered(record, behaviour)) throw new Refusal(404, 'Not found');
		if (!isAuthorised(request, apiKey)) throw new Refusal(401, behaviour.unauthorizedMessage);
		const headers = options.rateLimit && limiter.refusalFor(apiKey);
		if (headers) {
			void reply.headers(headers);
			throw new Refusal(429, 'Rate limit exceeded');
		}
	});

	app.addHook('onSend', async (request, reply, payload: Payload) => {
		const { record, faults: struck, answered } = exchanges.get(request)!;
		void reply.header('date', new Date(clock.now()).toUTCString());
		if (!struck.some(isSilent)) record.status = reply.statusCode;
		const result = await playOnReply(struck, reply, payload);
		// After a fault has replaced the response, Fastify must not send it again.
		if (result === 'never') return await new Promise<never>(() => undefined);
		record.status = reply.statusCode;
		// Counted before it is sent: a client that reacts to the response must not seem to overlap with it.
		if (result.send instanceof Readable) result.send.once('end', answered);
		else answered();
		return result.send;
	});

	app.setNotFoundHandler((_request, reply) => reply.code(404).send({ message: 'Not found' }));
	app.setErrorHandler((error: FastifyError | Refusal, request, reply) => {
		if (isV2(request)) {
			const known = apiErrorOf(error);
			const body = errorBodyV2(known, behaviourV2);
			const type = typeof body === 'string' ? 'text/html' : 'application/json; charset=utf-8';
			void reply.code(known.status).type(type).send(body);
			return;
		}
		const { status, message, issues } = refusalOf(error);
		void reply.code(status).send(errorBody(message, issues, request.url, behaviour));
	});

	acceptJson(app);
	await app.register(multipart, { limits: { fileSize: bodyLimit } });
	for (const add of [
		chatRoutes,
		chatbotRoutes,
		contactRoutes,
		customAttributeRoutes,
		conversationRoutes,
		leadRoutes,
		assetRoutes,
		pageRoutes,
	]) {
		add(app, context);
	}
	register(app, { ...context, behaviour: behaviourV2, apiKey, limiter, fileLimiter }, routesV2);

	const origin = await app.listen({ host: '127.0.0.1', port: options.port ?? 0 });
	const service: SimulatedService = {
		baseUrl: origin + basePath,
		origin,
		apiKey,
		store,
		clock,
		behaviour,
		behaviourV2,
		faults,
		requests,
		delayMs: options.delayMs ?? 0,
		get inFlight() {
			return traffic.now;
		},
		get maxInFlight() {
			return traffic.most;
		},
		clearRequests() {
			requests.length = 0;
			traffic.most = traffic.now;
			limiter.clear();
			fileLimiter.clear();
		},
		reset() {
			const start = structuredClone(switches);
			Object.assign(behaviour, start.behaviour);
			Object.assign(behaviourV2, start.behaviourV2);
			service.delayMs = options.delayMs ?? 0;
			service.clearRequests();
			faults.clear();
			store.chatbots.clear();
		},
		onRequest(listener) {
			listeners.add(listener);
			return () => void listeners.delete(listener);
		},
		setUpAction(chatbotId, action) {
			store.chatbot(chatbotId).actions.push(checkedAction(action, allowsLocalActions));
		},
		pageOf: (chatbotId) => `${origin}${pagePath}/${encodeURIComponent(chatbotId)}`,
		close: async () => await app.close(),
	};
	return service;
}

/** Whether a fault leaves the client without so much as a status. */
function isSilent({ kind }: Fault): boolean {
	return kind === 'resetAfter' || kind === 'stall';
}

/** JSON is parsed up to the limit; anything else stays text, which no schema accepts. */
function acceptJson(app: FastifyInstance): void {
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, done) => {
		done(null, text === '' ? undefined : text);
	});
	app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
		try {
			done(null, text === '' ? undefined : JSON.parse(text as string));
		} catch {
			done(null, text);
		}
	});
}

/** No path of one version is a path of the other, so what is asked of the wrong one stays as it came. */
function recordOf(request: FastifyRequest, number: number): RecordedRequest {
	const { url } = request.raw;
	const path = url!.split('?')[0];
	return {
		number,
		method: request.method,
		url: url!,
		path: path.replace(/^\/api\/(v1(?!\/(agents|health))|v2(?=\/(agents|health)))(?=\/)/, ''),
		query: { ...(request.query as RecordedRequest['query']) },
		headers: request.headers,
		body: undefined,
		status: undefined,
		at: Date.now(),
	};
}

function isV2({ url }: FastifyRequest): boolean {
	return url.startsWith(`${basePathV2}/`);
}

function isPage({ url }: FastifyRequest): boolean {
	return url.startsWith(`${pagePath}/`);
}

function isLastPage(request: FastifyRequest, context: Context): boolean {
	if (request.routeOptions.url !== `${basePath}/chatbots/:chatbotId/contacts`) return false;
	const { chatbotId } = request.params as { chatbotId: string };
	return request.method === 'GET' && isLastContactPage(context, chatbotId, request.query);
}

/** Contract, "Authentication". The scheme's case is free, as for every HTTP scheme. */
function isAuthorised(request: FastifyRequest, apiKey: string): boolean {
	return /^bearer +(.*)$/i.exec(request.headers.authorization ?? '')?.[1] === apiKey;
}

function refusalOf(error: FastifyError | Refusal): Pick<Refusal, 'status' | 'message' | 'issues'> {
	if (error instanceof Refusal) return error;
	const status = error.statusCode ?? 500;
	return {
		status,
		message: status < 500 ? error.message : 'Internal server error',
		issues: [],
	};
}

function errorBody(message: string, issues: Issue[], url: string, behaviour: Behaviour) {
	if (issues.length === 0) return { message };
	const hasIssues =
		behaviour.issues === 'everywhere' ||
		(behaviour.issues === 'contactsFamily' && url.startsWith(`${basePath}/chatbots/`));
	if (hasIssues) return { message, issues };
	const details = issues.map((issue) => `${issue.field}: ${issue.message}`).join('; ');
	return { message: `${message}: ${details}` };
}
