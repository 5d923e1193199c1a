/** A route of version 2, and what every request must pass before its route handles it. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';

import type { Context } from '../v1/context';
import type { RateLimiter } from '../core/rateLimit';
import type { Chatbot } from '../core/store';
import type { BehaviourV2 } from './behaviour';
import type { EndpointV2 } from './contract';
import { ApiError, parsed } from './errors';

export interface ContextV2 extends Omit<Context, 'behaviour'> {
	/** Read anew for each request: a test may change it at any time. */
	behaviour: BehaviourV2;
	apiKey: string;
	limiter: RateLimiter;
	/** For uploads, beside the other one. */
	fileLimiter: RateLimiter;
}

export interface Call<Of extends EndpointV2> extends ContextV2 {
	/** The agent that the path names. */
	agent: Chatbot;
	params: Record<string, string>;
	query: z.output<Of['query']>;
	body: z.output<Of['body']>;
	/** The HTTP response; `reply` is what the agent says. */
	response: FastifyReply;
}

/** Where a request finds what it names. */
export type Place = Pick<Call<EndpointV2>, 'agent' | 'params' | 'behaviour'>;

export interface Route {
	endpoint: EndpointV2;
	handle: (call: Call<EndpointV2>) => unknown;
	accepted?: (behaviour: BehaviourV2) => z.ZodType | undefined;
	/** Handles forms in its place. */
	upload?: Route;
}

/** A route for JSON, and one for forms with the same method and path. */
export function withUpload(json: Route, upload: Route): Route {
	return { ...json, upload };
}

/**
 * @param accepted the schema of the body where a switch departs from the contract
 */
export function route<Of extends EndpointV2>(
	endpoint: Of,
	handle: (call: Call<Of>) => unknown,
	accepted?: Route['accepted'],
): Route {
	return { endpoint, handle: handle as Route['handle'], accepted };
}

export function registerV2(app: FastifyInstance, context: ContextV2, routes: Route[]): void {
	for (const one of routes) {
		app.route({
			method: one.endpoint.method,
			url: `/api/v2${one.endpoint.path}`.replace(/\{(\w+)\}/g, ':$1'),
			handler: (request, response) => resultOf({ request, response, context }, one),
		});
	}
}

/** A request that has arrived. */
interface Arrival {
	request: FastifyRequest;
	response: FastifyReply;
	context: ContextV2;
}

function resultOf(arrival: Arrival, one: Route): unknown {
	const { request, response, context } = arrival;
	const { behaviour } = context;
	const upload = request.isMultipart() ? one.upload : undefined;
	const isUpload = upload !== undefined;
	const { endpoint, handle, accepted } = upload ?? one;

	refuseWrongHost(request, isUpload, behaviour);
	admit(arrival, endpoint, isUpload);

	const params = request.params as Record<string, string>;
	const agent = params.agentId === undefined ? undefined : findAgent(context, params.agentId);
	if (!agent && params.agentId !== undefined) return withoutAgent(endpoint, behaviour);
	refuseSwitchedOff(endpoint, behaviour);

	return handle({
		...context,
		agent: agent as Chatbot,
		params,
		query: parsed(endpoint.query, request.query),
		body: bodyOf(request, accepted?.(behaviour) ?? endpoint.body),
		response,
	});
}

/** The ID under which version 2 knows a chatbot. */
export function agentIdOf({ id }: Chatbot, { agentId }: BehaviourV2): string {
	return agentId === 'own' ? `agent-${id}` : id;
}

/** Uploads have a host of their own. Any other host, such as that of a test, has both. */
function refuseWrongHost(request: FastifyRequest, isUpload: boolean, behaviour: BehaviourV2): void {
	const wrongHost = isUpload ? 'www.chatbase.co' : 'files.chatbase.co';
	if (request.headers.host === wrongHost) throw new ApiError('NOT_FOUND');
	if (isUpload && behaviour.fileHost === 'none') throw new ApiError('NOT_FOUND');
}

function findAgent({ store, behaviour }: ContextV2, agentId: string): Chatbot | undefined {
	return [...store.chatbots.values()].find((one) => agentIdOf(one, behaviour) === agentId);
}

/** Each response has one, that of an unknown route, too. */
export function requestIdOf({ id }: FastifyRequest): string {
	return `fra1::${id}`;
}

/** Maintenance, key, rate limit, plan and scope; then come existence and features, by what was observed. */
function admit(arrival: Arrival, { path, scope }: EndpointV2, isUpload: boolean): void {
	const { request, response, context } = arrival;
	const { behaviour } = context;
	void response.header('x-request-id', requestIdOf(request));
	if (behaviour.maintenance > 0) {
		behaviour.maintenance--;
		throw new ApiError('SERVICE_UNDER_MAINTENANCE');
	}
	if (path === '/health') return;

	refuseKey(request, context);
	refuseAboveRate(response, context, isUpload);
	if (behaviour.plan !== 'sufficient') throw new ApiError(behaviour.plan);
	if (scope !== undefined && behaviour.missingScopes.includes(scope)) {
		throw new ApiError('AUTH_INSUFFICIENT_PERMISSIONS');
	}
}

function refuseKey({ headers }: FastifyRequest, { apiKey, behaviour }: ContextV2): void {
	const key = /^bearer +(.*)$/i.exec(headers.authorization ?? '')?.[1];
	if (key === undefined) throw new ApiError('AUTH_MISSING_API_KEY');
	if (key !== apiKey) throw new ApiError('AUTH_INVALID_API_KEY');
	if (behaviour.key === 'expired') throw new ApiError('AUTH_EXPIRED_API_KEY');
}

function refuseAboveRate(response: FastifyReply, context: ContextV2, isUpload: boolean): void {
	const { apiKey, limiter, fileLimiter } = context;
	const ofUploads = () => (isUpload ? fileLimiter.refusalFor(apiKey) : undefined);
	const refusal = limiter.refusalFor(apiKey) ?? ofUploads();

	const { limit, remaining, resetAt } = limiter.stateOf(apiKey);
	void response.headers({
		'x-ratelimit-limit': limit,
		'x-ratelimit-remaining': remaining,
		'x-ratelimit-reset': Math.ceil(resetAt),
	});

	if (refusal) {
		void response.headers(refusal);
		throw new ApiError('RATE_LIMIT_TOO_MANY_REQUESTS');
	}
}

function refuseSwitchedOff({ method, path }: EndpointV2, behaviour: BehaviourV2): void {
	if (behaviour.disabledEndpoints.includes(`${method} ${path}`)) {
		throw new ApiError('ENDPOINT_TEMPORARILY_DISABLED');
	}
	if (path.includes('/helpdesk/') && behaviour.helpdesk === 'off') {
		throw new ApiError('HELPDESK_NOT_ENABLED');
	}
}

function withoutAgent({ unknownAgent }: EndpointV2, behaviour: BehaviourV2): unknown {
	if (behaviour.unknownAgent === 'forbidden') throw new ApiError('AUTH_INSUFFICIENT_PERMISSIONS');
	if (behaviour.unknownAgent === 'emptyLists') {
		if (unknownAgent === 'serverError') throw new ApiError('INTERNAL_SERVER_ERROR');
		if (unknownAgent === 'emptyList') {
			return { data: [], pagination: { cursor: null, hasMore: false, total: 0 } };
		}
	}
	throw new ApiError('AGENT_NOT_FOUND');
}

function bodyOf({ body }: FastifyRequest, schema: z.ZodType): unknown {
	if (typeof body === 'string') throw new ApiError('VALIDATION_INVALID_JSON');
	return parsed(schema, body ?? undefined);
}
