import {
	type IDataObject,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type ILoadOptionsFunctions,
	type IN8nHttpFullResponse,
	type INode,
	type IPollFunctions,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { isObject } from '../values/json';
import { CredentialState, RunState, RunStoppedError, uploadWaits } from './runState';
import { escapeHtml, markMayBeDone, redact, requestError } from './errors';
import type { AvailableSettings, FailureKind } from './errorTexts';
import { type ApiRequest, contentOf, fileRootOf, fillPath } from './request';
import {
	type ApiResponse,
	connectionFaultOf,
	failureKindOf,
	readBody,
	serviceTimeOf,
	StreamedFailure,
} from './response';
import {
	type Attempts,
	rejectedForNow,
	type Repeatable,
	unclearOutcomes,
	usualRepeatable,
	waitBeforeRetry,
} from './retry';
import {
	allowedDomainsOf,
	type Credential,
	credentialName,
	isAllowed,
	readCredential,
} from './settings';
import { type ApiResource, traitsOf } from './subjects';

type ApiContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** Milliseconds. */
const defaultTimeout = 30_000;

const mayBeDone = 'A request was on its way, and the service may have done it.';

interface ApiSettings {
	/** Proxy, TLS and timeout (in milliseconds) of the user. */
	http?: Partial<IHttpRequestOptions>;
	availableSettings?: AvailableSettings;
	/** Called with the headers of each response with status 200 to 299. Others may come from a proxy. */
	onHeaders?: (headers: Record<string, unknown>) => void;
}

interface ApiClientOptions {
	node: INode;
	context: ApiContext;
	credential: Credential;
	run: RunState;
	settings: ApiSettings;
}

/** How one attempt ended. */
interface Received extends Pick<ApiResponse, 'status' | 'body' | 'outcome'> {
	/** Empty without a response. */
	headers: Record<string, unknown>;
	/** By the clock of the service if it is known, in milliseconds since 1970. */
	receivedAt: number;
}

/** The connection to the service. Every request of the package is sent by `send`. */
export class ApiClient {
	readonly state: CredentialState;

	/** For errors. Read once, since n8n 2.41 copies it each time, with the mapper's schema. */
	readonly node: INode;

	private readonly context: ApiContext;

	private readonly credential: Credential;

	private readonly run: RunState;

	private readonly settings: ApiSettings;

	/** Empty if all are allowed. */
	private readonly allowedDomains: string[];

	/** The addresses that were checked. */
	private readonly roots = new Map<ApiResource, string>();

	constructor({ node, context, credential, run, settings }: ApiClientOptions) {
		this.node = node;
		this.context = context;
		this.credential = credential;
		this.run = run;
		this.settings = settings;
		this.state = new CredentialState(run);
		this.allowedDomains = allowedDomainsOf(credential);
	}

	get maxConcurrency(): number {
		return this.run.maxConcurrency;
	}

	/** Milliseconds for a response to the request. */
	timeoutOf({ timeout = defaultTimeout }: Pick<ApiRequest, 'timeout'>): number {
		return this.settings.http?.timeout ?? timeout;
	}

	/**
	 * Sends a request when a slot is free, and repeats it if that is safe and may help. Returns the last response, with any
	 * status. Throws RunStoppedError if the run ended meanwhile, NodeOperationError if the execution was canceled, and
	 * NodeApiError if the key was rejected before or n8n refuses the request.
	 */
	async send(request: ApiRequest): Promise<ApiResponse> {
		const url = this.rootOf(request.resource) + fillPath(request.path, request.params);
		return await this.run.withSlot(async () => await this.sendUntilSettled(request, url));
	}

	/** Throws as `send` does if the run ended. */
	async wait(milliseconds: number): Promise<void> {
		await this.state.wait(milliseconds);
		if (this.run.stopped) throw new RunStoppedError();
		this.assertNotCanceled();
	}

	/** Throws if the request failed, or `find` returns undefined. By default, the result is the object in the envelope. */
	expectBody<Found = IDataObject>(
		response: ApiResponse,
		find: (body: IDataObject) => Found | undefined = ({ data }) =>
			isObject(data) ? (data as Found) : undefined,
	): Found {
		if (response.outcome) throw this.failure(response);

		const found = isObject(response.body) ? find(response.body) : undefined;
		if (found === undefined) throw this.unexpected(response);
		return found;
	}

	/** Throws if the Base URL can't lead to the API that has the resource, or the credential does not allow its host. */
	rootOf(resource: ApiResource): string {
		const root = this.roots.get(resource) ?? this.checkedRootOf(resource);
		this.roots.set(resource, root);
		return root;
	}

	private checkedRootOf(resource: ApiResource): string {
		const { version, isOnFileHost } = traitsOf[resource];
		const root = version.root(this.credential.baseUrl);

		if (root === undefined) {
			throw new NodeOperationError(
				this.node,
				'The Base URL of the credential does not end in v1',
				{
					description:
						'This operation uses version 2 of the API, at the same address with v2 in the place of v1. Enter an address such as https://www.chatbase.co/api/v1.',
				},
			);
		}
		return isOnFileHost ? this.allowedFileRoot(root) : root;
	}

	/** The error of a failed request. It quotes the service. */
	failure(response: ApiResponse): NodeApiError {
		const { apiKey } = this.credential;
		return requestError(this.node, response, apiKey, this.settings.availableSettings);
	}

	/** The error of a success whose body is not what the interface promises. */
	unexpected(response: ApiResponse): NodeApiError {
		return this.failure({ ...response, outcome: 'unexpectedResponse' });
	}

	/** Text of the service for an error: escaped, and without the key. */
	redact(text: string): string {
		return escapeHtml(redact(text, this.credential.apiKey));
	}

	private allowedFileRoot(root: string): string {
		const url = fileRootOf(root);
		const { hostname } = new URL(url);
		if (isAllowed(hostname, this.allowedDomains)) return url;

		throw new NodeOperationError(
			this.node,
			'The credential does not allow the host for files',
			{
				description: `Files go to ${hostname}. Add ${hostname} to Allowed Domains in the credential. Nothing was sent there.`,
			},
		);
	}

	private async sendUntilSettled(request: ApiRequest, url: string): Promise<ApiResponse> {
		const { state } = this;
		const { method, resource, isUpload = false } = request;
		const repeatable = request.repeatable ?? usualRepeatable[method] ?? 'always';
		const waits = isUpload ? uploadWaits : {};
		const attempts: Attempts = {
			repeatable,
			failed: 0,
			rejected: 0,
			waited: 0,
			...waits,
		};
		const startedAt = performance.now();
		let mayHaveRun = false;

		for (;;) {
			await state.turn(startedAt, isUpload);
			this.assertMaySend(resource, mayHaveRun);
			this.count(method, repeatable);

			const received = await this.attempt(request, url);
			const { outcome, headers, receivedAt } = received;
			state.remaining = Number(headers['x-ratelimit-remaining']);
			mayHaveRun ||= repeatable !== 'reads' && unclearOutcomes.has(outcome);

			const pause = outcome && waitBeforeRetry(received, attempts);
			if (pause === undefined || (outcome !== '429' && state.seemsDown)) {
				const response: ApiResponse = {
					method,
					resource,
					version: traitsOf[resource].version,
					status: received.status,
					body: received.body,
					outcome,
					repeatable,
					mayHaveRun,
					sentAt: inWholeSeconds(receivedAt + startedAt - performance.now()),
					attempts: attempts.failed + attempts.rejected + 1,
					rateLimitWait: attempts.waited,
				};
				state.settle(response);
				return response;
			}

			attempts.waited += pause;
			const isRejected = rejectedForNow.has(outcome);
			attempts[isRejected ? 'rejected' : 'failed']++;
			// The others would be rejected, too.
			if (isRejected && !isUpload) state.pause(pause);
			else await state.wait(pause);
		}
	}

	private count(method: string, repeatable: Repeatable) {
		if (method === 'GET' || repeatable === 'reads') this.run.reads++;
		else this.run.writes++;
	}

	/** @param mayBeDone whether an earlier try may have been done */
	private assertMaySend(resource: ApiResource, mayBeDone: boolean) {
		const { unauthorized, gaveUp } = this.state;
		if (unauthorized) throw this.unsent(unauthorized, resource, mayBeDone);
		if (this.run.stopped) throw new RunStoppedError(mayBeDone);
		this.assertNotCanceled();
		if (!gaveUp) return;

		const { last, failures } = gaveUp;
		const error = this.unsent(last, resource, mayBeDone);
		error.description = `${failures} requests in a row failed, so nothing more was sent. ${error.description ?? ''}`;
		throw error;
	}

	/**
	 * The error of a request that is not sent, since another one has failed. How often that one was sent, and whether it may
	 * have been done, does not concern this one.
	 */
	private unsent(
		last: ApiResponse,
		resource: ApiResource,
		mayBeDone: boolean,
	): NodeApiError {
		const error = this.failure({ ...last, resource, attempts: 0, mayHaveRun: false });
		return markMayBeDone(error, mayBeDone);
	}

	private assertNotCanceled(description?: string) {
		if (!this.run.signal?.aborted) return;
		// n8n 2.41 recognizes a canceled execution by this spelling.
		throw new NodeOperationError(this.node, 'The execution was canceled', {
			description,
		});
	}

	private async attempt(request: ApiRequest, url: string): Promise<Received> {
		const { deadlines, signal } = this.run;
		const timeout = this.timeoutOf(request);
		const connection = new AbortController();
		// Without a reason, Node.js makes an error with a stack trace for it.
		const close = () => connection.abort('closed');
		const expire = () => connection.abort('expired');
		// n8n's HTTP client stops its timeout when it has the headers (n8n 2.41).
		const restartTimeout = () => deadlines.start(expire, timeout);
		let response: IN8nHttpFullResponse | undefined;

		signal?.addEventListener('abort', close);
		restartTimeout();
		try {
			response = await this.request(this.optionsFor(request, url), connection.signal);
			const { statusCode: status, headers } = response;
			const body = await readBody(response, restartTimeout, request.readStream);
			const outcome = failureKindOf(status, body, traitsOf[request.resource].version);
			const receivedAt = serviceTimeOf(headers);

			if (!outcome) this.settings.onHeaders?.(headers);
			return { status, headers, receivedAt, body, outcome };
		} catch (error) {
			this.assertNotCanceled(request.method === 'GET' ? undefined : mayBeDone);
			if (connection.signal.reason === 'expired') return withoutResponse('timeout');
			return this.faultOf(error, response);
		} finally {
			deadlines.stop(expire);
			signal?.removeEventListener('abort', close);
			// n8n reads all other responses to their end.
			if (request.readStream) close();
		}
	}

	/** Sends a request with the key. Throws what n8n throws. */
	private async request(
		options: IHttpRequestOptions,
		signal: AbortSignal,
	): Promise<IN8nHttpFullResponse> {
		const { credential } = this;
		// n8n 2.41 would use the credential of the first item.
		const decrypted = { id: '', name: '', type: credentialName, data: credential };
		const { httpRequestWithAuthentication } = this.context.helpers;
		const response: unknown = await httpRequestWithAuthentication.call(
			this.contextUntil(signal),
			credentialName,
			options,
			{ credentialsDecrypted: decrypted },
		);
		return response as IN8nHttpFullResponse;
	}

	private optionsFor(request: ApiRequest, url: string): IHttpRequestOptions {
		return {
			...this.settings.http,
			method: request.method,
			url,
			qs: request.qs,
			...contentOf(request.body, request.readStream !== undefined),
			timeout: this.timeoutOf(request),
			encoding: request.readStream ? 'stream' : 'text',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			sendCredentialsOnCrossOriginRedirect: false,
			allowedDomains: this.allowedDomains.join(', '),
		};
	}

	/**
	 * n8n's context for a request that the node can abort too. n8n's HTTP client uses only the signal of its context. Its
	 * stream, if destroyed, waits for the next chunk before it closes the connection (n8n 2.41 with axios 1.18,
	 * `enforceMaxContentLength`).
	 */
	private contextUntil(signal: AbortSignal): ApiContext {
		return Object.create(this.context, {
			getExecutionCancelSignal: { value: () => signal },
		}) as ApiContext;
	}

	/** How a request ended that was answered with a failure in its stream, or not at all. */
	private faultOf(error: unknown, response: IN8nHttpFullResponse | undefined): Received {
		if (response && error instanceof StreamedFailure) {
			const { statusCode: status, headers } = response;
			const receivedAt = serviceTimeOf(headers);
			return {
				status,
				headers,
				receivedAt,
				body: error.body,
				outcome: 'streamedFailure',
			};
		}

		const outcome = connectionFaultOf(error, this.settings.http?.proxy !== undefined);
		if (outcome) return withoutResponse(outcome);
		throw this.refusalOf(error as Error & { description?: unknown });
	}

	/** The error for a request that n8n refuses to send. Only n8n's texts are used, since its error may contain the key. */
	private refusalOf(error: Error & { description?: unknown }): NodeApiError {
		const { apiKey } = this.credential;
		const message = redact(error.message, apiKey);
		const description = redact(String(error.description ?? ''), apiKey) || undefined;
		return new NodeApiError(this.node, {}, { message, description });
	}
}

function withoutResponse(outcome: FailureKind): Received {
	return { headers: {}, receivedAt: Date.now(), outcome };
}

/** @param time in milliseconds */
function inWholeSeconds(time: number): number {
	return Math.floor(time / 1000) * 1000;
}

/** A client for the panel and the trigger, where no items share a run. */
export async function openApiClient(
	context: ILoadOptionsFunctions | IPollFunctions,
	maxConcurrency: number,
	settings: ApiSettings = {},
): Promise<ApiClient> {
	const node = context.getNode();
	const credential = readCredential(node, await context.getCredentials(credentialName));
	const run = new RunState(maxConcurrency);
	return new ApiClient({ node, context, credential, run, settings });
}
