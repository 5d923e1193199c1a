import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
	INode,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { isObject } from '../values/json';
import { escapeHtml, requestError } from './errors';
import { type ApiRequest, contentOf, fileRootOf, fillPath } from './request';
import type { AvailableSettings, FailureKind } from './errorTexts';
import { CredentialState } from './credentialState';
import { RunState, RunStoppedError } from './runState';
import { uploadWaits } from './uploads';
import { type ApiResource, traitsOf } from './subjects';
import {
	type ApiResponse,
	connectionFaultOf,
	hiddenKey,
	isSuccess,
	failureKindOf,
	parseBody,
	readAll,
	redact,
	serviceTimeOf,
	StreamedFailure,
	withoutKey,
} from './response';
import type { ApiVersion } from './versions';
import type { Attempts } from './retry';
import { rejectedForNow, transientOutcomes, usualRepeatable, waitBeforeRetry } from './retry';
import type { Credential } from './settings';
import { allowedDomainsOf, credentialName, isAllowed, readCredential } from './settings';

type ApiContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** Milliseconds. */
const defaultTimeout = 30_000;

const mayBeDone = 'A request was on its way, and the service may have done it.';

/** A shorter key may be a common word in records. */
const minRedactedLength = 16;

const unclear = new Set<FailureKind>(['5xx', 'timeout', 'broken', 'unreadable', 'streamedFailure']);

interface ApiSettings {
	/** Proxy, TLS and timeout (in milliseconds) of the user. */
	http?: Partial<IHttpRequestOptions>;
	availableSettings?: AvailableSettings;
	/** Called with the headers of each response with status 200 to 299. Others may come from a proxy. */
	onHeaders?: (headers: Record<string, unknown>) => void;
}

interface Attempt extends Pick<ApiResponse, 'status' | 'body' | 'outcome'> {
	headers?: Record<string, unknown>;
}

/** The connection to the service. Every request of the package is sent by `send`. */
export class ApiClient {
	readonly state: CredentialState;

	/** Empty if all are allowed. */
	private readonly allowedDomains: string[];

	constructor(
		/** For errors. Read once, since n8n 2.41 copies it each time, with the mapper's schema. */
		readonly node: INode,
		private readonly context: ApiContext,
		private readonly credential: Credential,
		private readonly limits: RunState,
		private readonly settings: ApiSettings,
	) {
		this.state = new CredentialState(limits);
		this.allowedDomains = allowedDomainsOf(credential);
	}

	get maxConcurrency(): number {
		return this.limits.maxConcurrency;
	}

	timeoutOf({ timeout = defaultTimeout }: Pick<ApiRequest, 'timeout'>): number {
		return this.settings.http?.timeout ?? timeout;
	}

	/**
	 * Sends a request when a slot is free, and repeats it if that is safe and may help. Returns the last response, with any
	 * status. Throws RunStoppedError if the run ended meanwhile, NodeOperationError if the execution was canceled, and
	 * NodeApiError if the key was rejected before or n8n refuses the request.
	 */
	async send(request: ApiRequest): Promise<ApiResponse> {
		if (this.state.hasHiddenKey && JSON.stringify(request.body)?.includes(hiddenKey)) {
			throw new NodeOperationError(this.node, 'A value of the service holds the API key', {
				description: `The node hides it as ${hiddenKey} and does not send that back. Remove the key from this value in the dashboard. Then create a new key, since others may have seen it.`,
			});
		}
		const url = this.rootOf(request.resource) + fillPath(request.path, request.params);
		return await this.limits.withSlot(async () => await this.sendUntilSettled(request, url));
	}

	/** Throws as `send` does if the run ended. */
	async wait(milliseconds: number): Promise<void> {
		await this.state.wait(milliseconds);
		if (this.limits.stopped) throw new RunStoppedError();
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
		if (found !== undefined) return found;
		throw this.unexpected(response);
	}

	/** Throws if the Base URL can't lead to the API that has the resource, or the credential does not allow its host. */
	rootOf(resource: ApiResource): string {
		const { version, isOnFileHost } = traitsOf[resource];
		const root = version.root(this.credential.baseUrl);
		if (root !== undefined) return isOnFileHost ? this.allowedFileRoot(root) : root;
		throw new NodeOperationError(this.node, 'The Base URL of the credential does not end in v1', {
			description:
				'This operation uses version 2 of the API, at the same address with v2 in the place of v1. Enter an address such as https://www.chatbase.co/api/v1.',
		});
	}

	private allowedFileRoot(root: string): string {
		const url = fileRootOf(root);
		const { hostname } = new URL(url);
		if (isAllowed(hostname, this.allowedDomains)) return url;
		throw new NodeOperationError(this.node, 'The credential does not allow the host for files', {
			description: `Files go to ${hostname}. Add ${hostname} to Allowed Domains in the credential. Nothing was sent there.`,
		});
	}

	failure(response: ApiResponse): NodeApiError {
		return requestError(
			this.node,
			response,
			this.credential.apiKey,
			this.settings.availableSettings,
		);
	}

	unexpected(response: ApiResponse): NodeApiError {
		return this.failure({ ...response, outcome: 'unexpectedResponse' });
	}

	/** Text of the service for an error: escaped, and without the key. */
	redact(text: string): string {
		return escapeHtml(redact(text, this.credential.apiKey));
	}

	private async sendUntilSettled(request: ApiRequest, url: string): Promise<ApiResponse> {
		const { state } = this;
		const { method, resource, isUpload = false } = request;
		const { repeatable = usualRepeatable[method] ?? 'always' } = request;
		const { version } = traitsOf[resource];
		const waits = isUpload && uploadWaits;
		const attempts: Attempts = { failed: 0, rejected: 0, waited: 0, ...waits };
		const startedAt = performance.now();
		let mayHaveRun = false;
		for (;;) {
			await state.turn(startedAt, isUpload);
			this.assertMaySend(resource);
			if (method === 'GET') this.limits.reads++;
			else this.limits.writes++;
			const { headers = {}, ...received } = await this.attempt(request, url, version);
			const { outcome } = received;
			state.remaining = Number(headers['x-ratelimit-remaining']);
			mayHaveRun ||= repeatable !== 'reads' && outcome !== undefined && unclear.has(outcome);
			const serviceTime = serviceTimeOf(headers);
			const retryAfter = headers['retry-after'];
			const pause = waitBeforeRetry(outcome, retryAfter, repeatable, attempts, serviceTime);
			if (pause === undefined || (outcome !== '429' && state.seemsDown)) {
				const response: ApiResponse = {
					...received,
					method,
					resource,
					version,
					mayHaveRun,
					sentAt: Math.floor((serviceTime + startedAt - performance.now()) / 1000) * 1000,
					attempts: attempts.failed + attempts.rejected + 1,
					rateLimitWait: attempts.waited,
				};
				state.settle(response, transientOutcomes.has(outcome));
				return response;
			}
			attempts.waited += pause;
			const isRejected = rejectedForNow.has(outcome);
			attempts[isRejected ? 'rejected' : 'failed']++;
			if (isRejected && !isUpload) state.pause(pause);
			else await state.wait(pause);
		}
	}

	private assertMaySend(resource: ApiResource) {
		if (this.state.unauthorized) throw this.failure({ ...this.state.unauthorized, resource });
		if (this.limits.stopped) throw new RunStoppedError();
		this.assertNotCanceled();
		const { gaveUp } = this.state;
		if (!gaveUp) return;
		const { last, failures } = gaveUp;
		const error = this.failure({ ...last, resource, attempts: 0, mayHaveRun: false });
		error.description = `${failures} requests in a row failed, so nothing more was sent. ${error.description ?? ''}`;
		throw error;
	}

	private assertNotCanceled(description?: string) {
		if (!this.limits.signal?.aborted) return;
		// n8n 2.41 recognizes a canceled execution by this spelling.
		throw new NodeOperationError(this.node, 'The execution was canceled', { description });
	}

	private async attempt(request: ApiRequest, url: string, version: ApiVersion): Promise<Attempt> {
		const { credential, limits } = this;
		const { http } = this.settings;
		const timeout = this.timeoutOf(request);
		const connection = new AbortController();
		// Without a reason, Node.js makes an error with a stack trace for it.
		const close = () => connection.abort('closed');
		const expire = () => connection.abort('expired');
		limits.signal?.addEventListener('abort', close);
		// n8n's HTTP client stops its timeout when it has the headers (n8n 2.41).
		const restartTimeout = () => limits.deadlines.start(expire, timeout);
		restartTimeout();
		let response: IN8nHttpFullResponse | undefined;
		try {
			response = (await this.context.helpers.httpRequestWithAuthentication.call(
				this.contextUntil(connection.signal),
				credentialName,
				this.optionsFor(request, url, timeout),
				// n8n 2.41 would use the credential of the first item.
				{ credentialsDecrypted: { id: '', name: '', type: credentialName, data: credential } },
			)) as IN8nHttpFullResponse;
			const { statusCode: status, headers } = response;
			if (isSuccess(status)) this.settings.onHeaders?.(headers);
			const body = await this.readBody(response, request, restartTimeout);
			return { status, headers, body, outcome: failureKindOf(status, body, version) };
		} catch (error) {
			this.assertNotCanceled(request.method === 'GET' ? undefined : mayBeDone);
			if (connection.signal.reason === 'expired') return { outcome: 'timeout' };
			if (response && error instanceof StreamedFailure) {
				const { statusCode: status, headers } = response;
				return { status, headers, body: error.body, outcome: 'streamedFailure' };
			}
			const outcome = connectionFaultOf(error, http?.proxy !== undefined);
			if (outcome) return { outcome };
			throw this.refusalOf(error as Error & { description?: unknown });
		} finally {
			limits.deadlines.stop(expire);
			limits.signal?.removeEventListener('abort', close);
			// n8n reads all other responses to their end.
			if (request.readStream) close();
		}
	}

	private optionsFor(request: ApiRequest, url: string, timeout: number): IHttpRequestOptions {
		return {
			...this.settings.http,
			method: request.method,
			url,
			qs: request.qs,
			...contentOf(request.body, request.readStream !== undefined),
			timeout,
			encoding: request.readStream ? 'stream' : 'text',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			sendCredentialsOnCrossOriginRedirect: false,
			allowedDomains: this.allowedDomains.join(', '),
		};
	}

	private async readBody(
		{ statusCode, headers, body }: IN8nHttpFullResponse,
		{ readStream }: ApiRequest,
		restartTimeout: () => void,
	): Promise<unknown> {
		const { apiKey } = this.credential;
		const secret = apiKey.length < minRedactedLength ? '' : apiKey;
		const parse = (text: string) => {
			const shown = redact(text, secret);
			this.state.hasHiddenKey ||= shown !== text;
			return parseBody(shown);
		};
		if (!readStream) return typeof body === 'string' ? parse(body) : body;
		const arriving = body as unknown as AsyncIterable<Uint8Array>;
		if (!isSuccess(statusCode)) return parse(await readAll(arriving));
		const stream = Object.assign(withoutKey(arriving, secret), { restartTimeout });
		restartTimeout();
		return await readStream(stream, String(headers['content-type'] ?? ''));
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

	/** The error for a request that n8n refuses to send. Only n8n's texts are used, since its error may contain the key. */
	private refusalOf(error: Error & { description?: unknown }): NodeApiError {
		const { apiKey } = this.credential;
		const message = redact(error.message, apiKey);
		const description = redact(String(error.description ?? ''), apiKey) || undefined;
		return new NodeApiError(this.node, {}, { message, description });
	}
}

export async function openApiClient(
	context: ILoadOptionsFunctions | IPollFunctions,
	maxConcurrency: number,
	settings: ApiSettings = {},
): Promise<ApiClient> {
	const node = context.getNode();
	const credential = readCredential(node, await context.getCredentials(credentialName));
	return new ApiClient(node, context, credential, new RunState(maxConcurrency), settings);
}
