import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
	INode,
	IPollFunctions,
} from 'n8n-workflow';
import * as n8nWorkflow from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { isObject } from '../values/object';
import { escapeHtml, failureOf, redact } from './errors';
import type { ApiResource, AvailableSettings, Outcome } from './errorTexts';
import { CredentialState, Deadline, RunLimits, RunStoppedError } from './limits';
import type { ApiResponse, Attempt, ReceivedResponse, ResponseStream } from './response';
import {
	connectionFaultOf,
	outcomeOfAttempt,
	parseBody,
	readAll,
	StreamedFailure,
	withoutKey,
} from './response';
import type { Attempts, Repeatable } from './retry';
import { transientOutcomes, waitBeforeRetry } from './retry';
import type { Credential } from './settings';
import { credentialName, readCredential } from './settings';
import type { ApiVersion } from './versions';
import { version1 } from './versions';

type ApiContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** What requests say about who sends them; a test compares it with the version of the package. */
const clientName = 'n8n-nodes-chatbase/0.1.0';

/** Milliseconds that a response may take unless the request or the user says otherwise. */
const defaultTimeout = 30_000;

/** A shorter key may be a word that records hold for another reason. */
const minRedactedLength = 16;

/** Outcomes that leave open whether the service has carried the request out. */
const unclearOutcomes = new Set<Outcome>([
	'5xx',
	'timeout',
	'broken',
	'unreadable',
	'streamedFailure',
]);

interface ApiRequest {
	method: IHttpRequestMethods;
	/** Path below the root of the API, already encoded. */
	path: string;
	qs?: IDataObject;
	/** Becomes JSON, unless it is a form. */
	body?: IDataObject | FormData;
	resource: ApiResource;
	/** Whether it may be sent a second time, if not as the version of the API has it. */
	repeatable?: Repeatable;
	version?: ApiVersion;
	/** Milliseconds that the response may take, or a stream between two pieces of data, unless the user has set Timeout. */
	timeout?: number;
	/**
	 * Reads the body of a successful response while it arrives; what it returns becomes the body.
	 *
	 * @throws StreamedFailure if the service reports a failure in it
	 */
	readStream?: (stream: ResponseStream, contentType: string) => Promise<unknown>;
}

interface ApiSettings {
	/** Proxy, TLS and timeout as the user has set them; timeout in milliseconds. */
	http?: Partial<IHttpRequestOptions>;
	availableSettings?: AvailableSettings;
	/** Called with the headers of each response with status 200 to 299: any other may be of a proxy. */
	onHeaders?: (headers: Record<string, unknown>) => void;
}

/** The way to the service: every request of the package leaves through `send`. */
export class ApiClient {
	private readonly signal?: AbortSignal;

	private readonly allowedDomains?: string;

	constructor(
		/** What errors are for; n8n 2.41 copies it, with the mapper's schema in it, whenever it is asked. */
		readonly node: INode,
		private readonly context: ApiContext,
		readonly state: CredentialState,
		private readonly settings: ApiSettings = {},
	) {
		if ('getExecutionCancelSignal' in context) this.signal = context.getExecutionCancelSignal();
		this.allowedDomains = allowedDomainsOf(node, state.credential);
	}

	/** How many requests may be in flight at the same time, those for other items included. */
	get maxConcurrency(): number {
		return this.state.limits.maxConcurrency;
	}

	get timeout(): number {
		return this.settings.http?.timeout ?? defaultTimeout;
	}

	/**
	 * Sends a request when a slot is free, and again if that is safe and may help.
	 *
	 * @returns the last response, whatever its status
	 * @throws RunStoppedError if the run has ended meanwhile
	 * @throws NodeOperationError if the execution was canceled
	 * @throws NodeApiError if the key was refused before, or n8n itself refuses the request
	 */
	async send(request: ApiRequest): Promise<ApiResponse> {
		return await this.state.limits.withSlot(async () => await this.sendUntilSettled(request));
	}

	/** Waits as long as the run goes on, and throws as `send` does if it has ended. */
	async wait(milliseconds: number): Promise<void> {
		await this.state.wait(milliseconds, this.signal);
		if (this.state.limits.stopped) throw new RunStoppedError();
		this.assertNotCanceled();
	}

	/**
	 * Sends a request that has to succeed with a JSON object.
	 *
	 * @throws NodeApiError for every other outcome, besides what `send` throws
	 */
	async sendForBody(request: ApiRequest): Promise<IDataObject> {
		return this.expectBody(await this.send(request), (body) => body);
	}

	/**
	 * Takes what was asked for out of a response.
	 *
	 * @param find finds it in the JSON object of the body; undefined if it is not what the API promises. By default it
	 *   is the object in the envelope.
	 * @throws NodeApiError if the request failed, or nothing is found
	 */
	expectBody<Found = IDataObject>(
		response: ApiResponse,
		find: (body: IDataObject) => Found | undefined = (body) => {
			const data = response.version.dataIn(body);
			return isObject(data) ? (data as Found) : undefined;
		},
	): Found {
		if (response.outcome) throw this.failure(response);
		const found = isObject(response.body) ? find(response.body) : undefined;
		if (found !== undefined) return found;
		throw this.unexpected(response);
	}

	failure(response: ApiResponse): NodeApiError {
		return failureOf(
			this.node,
			response,
			response.outcome ?? 'unexpectedResponse',
			this.state.credential.apiKey,
			this.settings.availableSettings ?? { requestOptions: false, maxConcurrency: false },
		);
	}

	/** The error for a response whose status says success while its body is not what the API promises. */
	unexpected(response: ApiResponse): NodeApiError {
		return this.failure({ ...response, outcome: 'unexpectedResponse' });
	}

	/** Text of the service as errors can quote it: escaped, and without the key. */
	redact(text: string): string {
		return escapeHtml(redact(text, this.state.credential.apiKey));
	}

	private async sendUntilSettled(request: ApiRequest): Promise<ApiResponse> {
		const { state } = this;
		const { method, path, resource, version = version1 } = request;
		const repeatable = request.repeatable ?? version.repeatable(method);
		const attempts: Attempts = { failed: 0, rateLimited: 0, waited: 0 };
		const startedAt = Date.now();
		const place = state.takePlace();
		let mayHaveRun = false;
		for (;;) {
			await state.wait(state.limits.nextTurn(), this.signal);
			await state.resumed(place, this.signal);
			this.assertMaySend(resource);
			if (method === 'GET') state.limits.reads++;
			else state.limits.writes++;
			const attempt = await this.attempt(request, version);
			const outcome = outcomeOfAttempt(attempt, version);
			mayHaveRun ||= outcome !== undefined && unclearOutcomes.has(outcome);
			const serviceTime = serviceTimeOf(attempt);
			const pause = waitBeforeRetry(
				outcome,
				headerOf(attempt, 'retry-after'),
				repeatable,
				attempts,
				serviceTime,
				Math.random,
			);
			if (pause === undefined || (outcome !== '429' && state.seemsDown)) {
				const response: ApiResponse = {
					...('brokenBy' in attempt ? {} : { status: attempt.status, body: attempt.body }),
					outcome,
					method,
					path,
					resource,
					version,
					mayHaveRun,
					sentAt: Math.floor((startedAt + serviceTime - Date.now()) / 1000) * 1000,
					attempts: attempts.failed + attempts.rateLimited + 1,
					rateLimitWait: attempts.waited,
				};
				if (outcome === '401') state.unauthorized = response;
				state.settle(response, transientOutcomes.has(outcome));
				return response;
			}
			attempts.waited += pause;
			if (outcome === '429') {
				attempts.rateLimited++;
				state.pause(pause);
			} else {
				attempts.failed++;
				await state.wait(pause, this.signal);
			}
		}
	}

	private assertMaySend(resource: ApiResource) {
		if (this.state.unauthorized) throw this.failure({ ...this.state.unauthorized, resource });
		if (this.state.limits.stopped) throw new RunStoppedError();
		this.assertNotCanceled();
		const { isDownSince } = this.state;
		if (!isDownSince) return;
		const error = this.failure({ ...isDownSince, resource, attempts: 1, mayHaveRun: false });
		error.description = `The service did not answer 20 requests in a row, so nothing more was sent. ${error.description ?? ''}`;
		throw error;
	}

	private assertNotCanceled() {
		if (!this.signal?.aborted) return;
		// n8n 2.41 looks for this spelling to tell a canceled execution from one that failed.
		throw new NodeOperationError(this.node, 'The execution was canceled');
	}

	private async attempt(request: ApiRequest, version: ApiVersion): Promise<Attempt> {
		const { credential } = this.state;
		const { http } = this.settings;
		const timeout = http?.timeout ?? request.timeout ?? defaultTimeout;
		const connection = new AbortController();
		// Without a reason, Node.js makes an error with a stack trace for it.
		const close = () => connection.abort('closed');
		this.signal?.addEventListener('abort', close);
		// n8n's HTTP client stops its own clock when it has the headers (n8n 2.41).
		const deadline = new Deadline(timeout, close);
		const options: IHttpRequestOptions = {
			...http,
			method: request.method,
			url: version.root(credential.baseUrl) + request.path,
			qs: request.qs,
			...contentOf(request.body, request.readStream !== undefined),
			timeout,
			encoding: request.readStream ? 'stream' : 'text',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			sendCredentialsOnCrossOriginRedirect: false,
			allowedDomains: this.allowedDomains,
		};
		let response: IN8nHttpFullResponse | undefined;
		try {
			response = (await this.context.helpers.httpRequestWithAuthentication.call(
				this.contextUntil(connection.signal),
				credentialName,
				options,
				// The credential of this item; n8n 2.41 would take that of the first one.
				{ credentialsDecrypted: { id: '', name: '', type: credentialName, data: credential } },
			)) as IN8nHttpFullResponse;
			const { statusCode, headers } = response;
			if (statusCode >= 200 && statusCode < 300) this.settings.onHeaders?.(headers);
			return await this.readResponse(response, request, deadline);
		} catch (error) {
			this.assertNotCanceled();
			if (deadline.hasPassed) return { brokenBy: 'timeout' };
			if (response && error instanceof StreamedFailure) {
				const { statusCode: status, headers } = response;
				return { status, headers, body: error.body, hasFailed: true };
			}
			const brokenBy = connectionFaultOf(
				(error as Error).cause ?? error,
				http?.proxy !== undefined,
			);
			if (brokenBy) return { brokenBy };
			throw this.refusalOf(error as Error & { description?: unknown });
		} finally {
			deadline.stop();
			this.signal?.removeEventListener('abort', close);
			close();
		}
	}

	private async readResponse(
		{ statusCode: status, headers, body }: IN8nHttpFullResponse,
		{ readStream }: ApiRequest,
		deadline: Deadline,
	): Promise<ReceivedResponse> {
		const { apiKey } = this.state.credential;
		const secret = apiKey.length < minRedactedLength ? '' : apiKey;
		const parse = (text: string) => parseBody(redact(text, secret));
		if (!readStream) {
			return { status, headers, body: typeof body === 'string' ? parse(body) : body };
		}
		const arriving = body as unknown as AsyncIterable<Uint8Array>;
		if (status < 200 || status >= 300) {
			return { status, headers, body: parse(await readAll(arriving)) };
		}
		const restartTimeout = () => deadline.restart();
		const stream = Object.assign(withoutKey(arriving, secret), { restartTimeout });
		restartTimeout();
		const read = await readStream(stream, String(headers['content-type'] ?? ''));
		return { status, headers, body: read };
	}

	/**
	 * n8n's context for a request that can be ended by us, too. n8n's HTTP client listens to no other signal than that
	 * of its context, and hides the response behind a stream that, destroyed, waits for its next chunk before it lets
	 * go of the connection (n8n 2.41 with axios 1.18, `enforceMaxContentLength`).
	 */
	private contextUntil(signal: AbortSignal): ApiContext {
		return Object.create(this.context, {
			getExecutionCancelSignal: { value: () => signal },
		}) as ApiContext;
	}

	/** What n8n itself refuses to send, in its own words alone: its error may hold the request, the key included. */
	private refusalOf({ message, description }: { message: string; description?: unknown }) {
		const { apiKey } = this.state.credential;
		return new NodeApiError(
			this.node,
			{},
			{
				message: redact(message, apiKey),
				description: typeof description === 'string' ? redact(description, apiKey) : undefined,
			},
		);
	}
}

/** @throws NodeOperationError if the credential cannot work */
export async function openApiClient(
	context: ILoadOptionsFunctions | IPollFunctions,
	maxConcurrency: number,
	settings: ApiSettings = {},
): Promise<ApiClient> {
	const node = context.getNode();
	const credential = readCredential(node, await context.getCredentials(credentialName));
	const state = new CredentialState(credential, new RunLimits(maxConcurrency));
	return new ApiClient(node, context, state, settings);
}

/**
 * Body and headers as they go out. JSON is written here: axios would copy the object first, and lose properties named
 * like parts of a prototype.
 */
function contentOf(
	body: ApiRequest['body'],
	isStreamed: boolean,
): Pick<IHttpRequestOptions, 'body' | 'headers'> {
	const headers = {
		Accept: isStreamed ? 'text/event-stream, text/plain, application/json' : 'application/json',
		'User-Agent': clientName,
	};
	if (!isObject(body) || body instanceof FormData) return { body, headers };
	return {
		body: JSON.stringify(body),
		headers: { ...headers, 'Content-Type': 'application/json' },
	};
}

function headerOf(attempt: Attempt, name: string): string | undefined {
	const header = 'brokenBy' in attempt ? undefined : attempt.headers[name];
	return header === undefined ? undefined : String(header);
}

/** What the clock of the service showed when it responded, in milliseconds since 1970; ours if it doesn't tell. */
function serviceTimeOf(attempt: Attempt): number {
	const time = Date.parse(headerOf(attempt, 'date') ?? '');
	return Number.isNaN(time) ? Date.now() : time;
}

/**
 * The domains that n8n lets the credential be used with, worked out for the address of the credential as n8n does it
 * for the base URL of a declarative node. Older versions of n8n don't have this setting.
 */
function allowedDomainsOf(node: INode, credential: Credential): string | undefined {
	return n8nWorkflow.getCredentialAllowedDomains?.({
		node,
		credentialData: credential,
		credentialOwnedSurface: true,
		nodeEndpointUrl: credential.baseUrl,
	});
}
