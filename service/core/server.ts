/* eslint-disable @n8n/community-nodes/no-restricted-imports */
/** The HTTP server: what happens to a request before its route handles it, and to its answer. */
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';

import multipart from '@fastify/multipart';
import fastify, {
	type FastifyError,
	type FastifyInstance,
	type FastifyReply,
	type FastifyRequest,
} from 'fastify';

import type { Context } from '../v1/context';
import { isOffered } from '../v1/endpoints';
import { errorBody, refusalOf } from '../v1/errorBody';
import { playBeforeHandling, playOnReply, type Payload } from './faultPlayer';
import type { Fault, Faults } from './faults';
import { Refusal } from './refusal';
import type { RecordedRequest } from './requestLog';
import { pagePath, pageRoutes } from '../page/routes';
import { routesV1 } from '../v1';
import { isLastContactPage } from '../v1/contacts';
import { register } from '../v1/route';
import type { Traffic } from './traffic';
import { uploadedParts } from './upload';
import { routesV2 } from '../v2';
import type { BehaviourV2 } from '../v2/behaviour';
import { apiErrorOf, errorBodyV2 } from '../v2/errors';
import { registerV2, requestIdOf, type ContextV2 } from '../v2/route';

export const basePath = '/api/v1';
const basePathV2 = '/api/v2';
const bodyLimit = 50 * 1024 * 1024;

export type RequestListener = (request: RecordedRequest) => void | Promise<void>;

/** What the server works with. A test may change it at any time; the next request sees it. */
export interface Workings {
	context: Context;
	/** For version 2; its limiter counts the requests of both. */
	contextV2: ContextV2;
	/** Whether version 1 has a rate limit, too. */
	isLimited: boolean;
	/** Milliseconds that each request waits before it is handled. */
	delayMs: number;
	faults: Faults;
	listeners: Set<RequestListener>;
	traffic: Traffic;
}

export async function newServer(workings: Workings): Promise<FastifyInstance> {
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

	addHooks(app, workings);
	addErrorHandlers(app, workings);
	await addBodyParsers(app);
	register(app, basePath, workings.context, routesV1);
	register(app, pagePath, workings.context, pageRoutes);
	registerV2(app, workings.contextV2, routesV2);
	return app;
}

function addHooks(app: FastifyInstance, workings: Workings): void {
	app.decorateRequest('exchange');

	app.addHook('onRequest', async (request, reply) => {
		request.exchange = workings.traffic.begin(request, reply);
	});

	app.addHook('preHandler', async (request, reply) => {
		await readForm(request);
		const isAnswered = await isAnsweredByFault(request, reply, workings);
		if (isAnswered) return reply;

		const isForVersion1 = !isV2(request) && !isPage(request);
		if (isForVersion1 || request.is404) admitToVersion1(request, reply, workings);
		return undefined;
	});

	app.addHook('onSend', async (request, reply, payload: Payload) => {
		void reply.header('date', new Date(workings.context.store.clock.now()).toUTCString());
		return await payloadToSend(request, reply, payload);
	});
}

async function readForm(request: FastifyRequest): Promise<void> {
	if (request.isMultipart()) request.body = await uploadedParts(request, isV2(request));
	request.exchange.record.body = request.body ?? undefined;
}

/** Tells the listeners of a request, and lets the faults that strike it play. */
async function isAnsweredByFault(
	request: FastifyRequest,
	reply: FastifyReply,
	workings: Workings,
): Promise<boolean> {
	const { exchange } = request;
	const { context, faults, listeners } = workings;
	for (const listener of listeners) await listener(exchange.record);

	exchange.faults = faults.strikesOn(exchange.record, () => isLastPage(request, context));
	// Read only now: a listener may have changed it.
	const { delayMs } = workings;
	if (delayMs > 0) await setTimeout(delayMs);
	return await playBeforeHandling(exchange.faults, reply);
}

/** What every request of version 1 must pass before its route handles it. */
function admitToVersion1(request: FastifyRequest, reply: FastifyReply, workings: Workings): void {
	const { context, contextV2, isLimited } = workings;
	const { apiKey, limiter } = contextV2;
	const { behaviour } = context;

	const isKnown = !request.is404 && isOffered(request.exchange.record, behaviour);
	if (!isKnown) throw new Refusal(404, 'Not found');
	if (!isAuthorised(request, apiKey)) throw new Refusal(401, 'Unauthorized access');

	const headers = isLimited ? limiter.refusalFor(apiKey) : undefined;
	if (headers) {
		void reply.headers(headers);
		throw new Refusal(429, 'Rate limit exceeded');
	}
}

/** Lets the faults change an answer, and records its status. */
async function payloadToSend(
	request: FastifyRequest,
	reply: FastifyReply,
	payload: Payload,
): Promise<Payload> {
	const { record, faults, answered } = request.exchange;
	if (!faults.some(isSilent)) record.status = reply.statusCode;
	const result = await playOnReply(faults, reply, payload);
	// After a fault has replaced the response, Fastify must not send it again.
	if (result === 'never') return await new Promise<never>(() => undefined);

	record.status = reply.statusCode;
	// Counted before it is sent: a client that reacts to the response must not seem to overlap with it.
	if (result.send instanceof Readable) result.send.once('end', answered);
	else answered();
	return result.send;
}

/** Whether a fault leaves the client without so much as a status. */
function isSilent({ kind }: Fault): boolean {
	return kind === 'resetAfter' || kind === 'stall';
}

function addErrorHandlers(app: FastifyInstance, { context, contextV2 }: Workings): void {
	app.setNotFoundHandler((_request, reply) => reply.code(404).send({ message: 'Not found' }));

	app.setErrorHandler((error: FastifyError | Refusal, request, reply) => {
		if (isV2(request)) {
			void reply.header('x-request-id', requestIdOf(request));
			return sendErrorV2(error, reply, contextV2.behaviour);
		}

		const refusal = refusalOf(error);
		const body = errorBody(refusal, request.url, context.behaviour);
		void reply.code(refusal.status).send(body);
	});
}

function sendErrorV2(error: Error, reply: FastifyReply, behaviour: BehaviourV2): void {
	const known = apiErrorOf(error);
	const body = errorBodyV2(known, behaviour);
	const type = typeof body === 'string' ? 'text/html' : 'application/json; charset=utf-8';
	void reply.code(known.status).type(type).send(body);
}

/** JSON is parsed up to the limit; anything else but a form stays text, which no schema accepts. */
async function addBodyParsers(app: FastifyInstance): Promise<void> {
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

	await app.register(multipart, { limits: { fileSize: bodyLimit } });
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
