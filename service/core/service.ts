/**
 * The simulated service: an HTTP server that follows the contract, with switches for what the
 * documents leave open, faults that a test adds, and a log of all requests.
 */
import type { FastifyInstance } from 'fastify';

import { echo, type Reply } from './answer';
import { defaultBehaviour, type Behaviour } from '../v1/behaviour';
import { Clock } from './clock';
import type { Context } from '../v1/context';
import { Faults } from './faults';
import { checkedAction, type CustomAction } from '../page/customAction';
import { pagePath } from '../page/routes';
import { Random } from './random';
import { RateLimiter, type RateLimit } from './rateLimit';
import type { RecordedRequest } from './requestLog';
import { basePath, newServer, type RequestListener, type Workings } from './server';
import { Store } from './store';
import { Traffic } from './traffic';
import { defaultBehaviourV2, type BehaviourV2 } from '../v2/behaviour';

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
	/** Forgets requests, faults and chatbots, and sets switches, delays and limits as they were at the start. */
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

/**
 * Starts the service on the local interface.
 *
 * @throws Error with code EADDRINUSE when the port is taken
 */
export async function startService(options: ServiceOptions = {}): Promise<SimulatedService> {
	const workings = workingsOf(options);
	const app = await newServer(workings);

	const origin = await app.listen({ host: '127.0.0.1', port: options.port ?? 0 });
	return serviceOf({ app, origin, workings, options });
}

function workingsOf(options: ServiceOptions): Workings {
	const { apiKey = defaultApiKey, reply = echo, actionPatienceMs = 10_000 } = options;
	const store = new Store(new Clock(), options.seed, options.contactId);
	const behaviour: Behaviour = { ...structuredClone(defaultBehaviour), ...options.behaviour };
	const behaviourV2: BehaviourV2 = {
		...structuredClone(defaultBehaviourV2),
		...(options.rateLimit && { rateLimit: options.rateLimit }),
		...options.behaviourV2,
	};

	const context: Context = { store, behaviour, reply, actionPatienceMs };
	const limiter = new RateLimiter(() => behaviourV2.rateLimit);
	const fileLimiter = new RateLimiter(() => behaviourV2.fileRate);
	return {
		context,
		contextV2: { ...context, behaviour: behaviourV2, apiKey, limiter, fileLimiter },
		isLimited: options.rateLimit !== undefined,
		delayMs: options.delayMs ?? 0,
		faults: new Faults(),
		listeners: new Set(),
		traffic: new Traffic(),
	};
}

interface Running {
	app: FastifyInstance;
	/** Such as `http://127.0.0.1:3000`. */
	origin: string;
	workings: Workings;
	options: ServiceOptions;
}

/** What tests see of a running server. Its functions need no `this`. */
function serviceOf({ app, origin, workings, options }: Running): SimulatedService {
	const { context, contextV2, faults, listeners, traffic } = workings;
	const { store, behaviour } = context;
	const { apiKey, behaviour: behaviourV2, limiter, fileLimiter } = contextV2;
	const start = structuredClone({ behaviour, behaviourV2, delayMs: workings.delayMs });

	function clearRequests(): void {
		traffic.clear();
		limiter.clear();
		fileLimiter.clear();
	}

	function reset(): void {
		const { delayMs, ...settings } = structuredClone(start);
		Object.assign(behaviour, settings.behaviour);
		Object.assign(behaviourV2, settings.behaviourV2);
		workings.delayMs = delayMs;

		clearRequests();
		faults.clear();
		store.chatbots.clear();
	}

	function onRequest(listener: RequestListener): () => void {
		listeners.add(listener);
		return () => void listeners.delete(listener);
	}

	function setUpAction(chatbotId: string, action: CustomAction): void {
		const { allowsLocalActions = false } = options;
		store.chatbot(chatbotId).actions.push(checkedAction(action, allowsLocalActions));
	}

	return {
		baseUrl: origin + basePath,
		origin,
		apiKey,
		store,
		clock: store.clock,
		behaviour,
		behaviourV2,
		faults,
		requests: traffic.requests,

		get delayMs() {
			return workings.delayMs;
		},
		set delayMs(milliseconds) {
			workings.delayMs = milliseconds;
		},
		get inFlight() {
			return traffic.inFlight;
		},
		get maxInFlight() {
			return traffic.maxInFlight;
		},

		clearRequests,
		reset,
		onRequest,
		setUpAction,
		pageOf: (chatbotId) => `${origin}${pagePath}/${encodeURIComponent(chatbotId)}`,
		close: async () => await app.close(),
	};
}
