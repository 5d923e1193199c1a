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
import { clientName } from './clientName';
import type { Credential } from './credential';
import { credentialName, readCredential } from './credential';
import type { Outcome, AvailableSettings, ApiResource } from './errorTexts';
import { failureOf, redact } from './errors';
import { escapeHtml } from './html';
import type { Attempt, ApiResponse } from './response';
import { connectionFaultOf, outcomeOfAttempt } from './response';
import type { Attempts, Repeatable } from './retry';
import { waitBeforeRetry } from './retry';
import { RunStoppedError, CredentialState } from './credentialState';
import { readBody, whileArriving } from './stream';
import { RunLimits } from './runLimits';

/** The places of n8n that talk to the service: a run of the node, a call of a tool, a list in the panel, the trigger. */
export type ApiContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** Milliseconds that a response may take unless the request or the user says otherwise. */
export const defaultTimeout = 30_000;

/** Outcomes after which nobody can tell whether the service has carried the request out. */
const unclearOutcomes = new Set<Outcome>(['5xx', 'timeout', 'broken', 'unreadable']);

export interface ApiRequest {
	method: IHttpRequestMethods;
	/** Path below the Base URL, already encoded. */
	path: string;
	qs?: IDataObject;
	/** Becomes JSON, unless it is a form. */
	body?: IDataObject | FormData;
	/** What the request is about, which decides the words of an error. */
	subject: ApiResource;
	/** Whether it may be sent a second time. Default: `onlyIfNotRun` for POST, else `always`. */
	repeatable?: Repeatable;
	/** Milliseconds to wait for the response, and between two parts of a stream, unless the user has set the Timeout option. */
	timeout?: number;
	/** Reads the body of a successful response while it arrives; what it returns becomes the body. */
	readStream?: (stream: AsyncIterable<Uint8Array>, contentType: string) => Promise<unknown>;
}

/** How requests go out, besides the credential. */
export interface ApiSettings {
	/** Proxy, TLS and timeout as the user has set them; timeout in milliseconds. */
	http?: Partial<IHttpRequestOptions>;
	/** Which settings errors can name. */
	availableSettings?: AvailableSettings;
	/** Called with the headers of each response with status 200 to 299: any other may be of a proxy. */
	onHeaders?: (headers: Record<string, unknown>) => void;
}

/** The way to the service: every request of the package leaves through `send`. */
export class ApiClient {
	private readonly signal?: AbortSignal;

	/** What came of the latest request in a slot that is held; undefined for a success. */
	private lastOutcome?: Outcome;

	/**
	 * @param node the node that errors are for; n8n 2.41 copies it, with the mapper's schema in it, whenever it is asked
	 * @param context n8n's context that the request is sent for
	 * @param state what the requests that belong together share
	 * @param settings what the user has set for requests
	 * @param hasSlot whether the requests take part in a slot that is held already
	 */
	constructor(
		readonly node: INode,
		private readonly context: ApiContext,
		readonly state: CredentialState,
		private readonly settings: ApiSettings = {},
		private readonly hasSlot = false,
	) {
		if ('getExecutionCancelSignal' in context) this.signal = context.getExecutionCancelSignal();
	}

	/** How many requests may be in flight at the same time, those for other items included. */
	get maxConcurrency(): number {
		return this.hasSlot ? 1 : this.state.limits.maxConcurrency;
	}

	/** Milliseconds that a response may take. */
	get timeout(): number {
		return this.settings.http?.timeout ?? defaultTimeout;
	}

	/**
	 * Sends a request when a slot is free, and again where that is safe and may help.
	 *
	 * @returns the last response, whatever its status
	 * @throws Dropped when the run has ended meanwhile
	 * @throws NodeOperationError when the execution was cancelled
	 * @throws NodeApiError when the key was refused before, or n8n itself refuses the request
	 */
	async send(request: ApiRequest): Promise<ApiResponse> {
		if (this.hasSlot) {
			const response = await this.sendUntilSettled(request);
			this.lastOutcome = response.outcome;
			return response;
		}
		return await this.state.limits.withSlot(
			async () => await this.sendUntilSettled(request),
			({ outcome }) => outcome === undefined,
		);
	}

	/**
	 * Sends several requests from one slot, so that no queue lies between them.
	 *
	 * @param work sends them, one after the other
	 */
	async inOneSlot<Result>(work: (api: ApiClient) => Promise<Result>): Promise<Result> {
		const sender = new ApiClient(this.node, this.context, this.state, this.settings, true);
		return await this.state.limits.withSlot(
			async () => await work(sender),
			() => sender.lastOutcome === undefined,
		);
	}

	/**
	 * Waits, as long as the run goes on.
	 *
	 * @param milliseconds how long
	 * @throws Dropped or NodeOperationError when the run has ended meanwhile
	 */
	async wait(milliseconds: number): Promise<void> {
		await this.state.wait(milliseconds, this.signal);
		if (this.state.limits.stopped) throw new RunStoppedError();
		this.assertNotCancelled();
	}

	/**
	 * Sends a request that has to succeed with a JSON object.
	 *
	 * @returns the body of the response
	 * @throws NodeApiError for every other outcome, besides what `send` throws
	 */
	async sendForBody(request: ApiRequest): Promise<IDataObject> {
		return this.expectBody(await this.send(request), request.subject, (body) => body);
	}

	/**
	 * Takes what was asked for out of a response.
	 *
	 * @param find finds it in the JSON object of the body; undefined where it is not what the API promises. By default it
	 *   is the object under `data`.
	 * @throws NodeApiError when the request failed, or nothing is found
	 */
	expectBody<Held = IDataObject>(
		response: ApiResponse,
		subject: ApiResource,
		find: (body: IDataObject) => Held | undefined = ({ data }) =>
			isObject(data) ? (data as Held) : undefined,
	): Held {
		if (response.outcome) throw this.failure(response, subject);
		const held = isObject(response.body) ? find(response.body) : undefined;
		if (held !== undefined) return held;
		throw this.unexpected(response, subject);
	}

	/** The error that tells what came of a request that did not succeed. */
	failure(response: ApiResponse, subject: ApiResource): NodeApiError {
		return failureOf(
			this.node,
			response,
			response.outcome ?? 'unexpectedResponse',
			subject,
			this.state.credential.apiKey,
			this.settings.availableSettings ?? { requestOptions: false, maxConcurrency: false },
		);
	}

	/** The error for a response whose status says success while its body is not what the API promises. */
	unexpected(response: ApiResponse, subject: ApiResource): NodeApiError {
		return this.failure({ ...response, outcome: 'unexpectedResponse' }, subject);
	}

	/** Text of the service as errors can quote it: escaped, and without the key. */
	redact(text: string): string {
		return escapeHtml(redact(text, this.state.credential.apiKey));
	}

	private async sendUntilSettled(request: ApiRequest): Promise<ApiResponse> {
		const { state } = this;
		const repeatable =
			request.repeatable ?? (request.method === 'POST' ? 'onlyIfNotRun' : 'always');
		const attempts: Attempts = { failed: 0, rateLimitWait: 0, rateLimited: 0 };
		const begun = Date.now();
		let mayHaveRun = false;
		for (;;) {
			const turn = state.limits.nextTurn();
			if (turn > Date.now()) await state.wait(turn - Date.now(), this.signal);
			await state.resumed(this.signal);
			this.assertMaySend(request.subject);
			if (request.method === 'GET') state.limits.reads++;
			else state.limits.writes++;
			const attempt = await this.attempt(request);
			const outcome = outcomeOfAttempt(attempt);
			mayHaveRun ||= outcome !== undefined && unclearOutcomes.has(outcome);
			const pause = waitBeforeRetry(
				outcome,
				retryAfterOf(attempt),
				repeatable,
				attempts,
				Date.now(),
				Math.random,
			);
			if (pause === undefined) {
				const response: ApiResponse = {
					...('brokenBy' in attempt ? {} : { status: attempt.status, body: attempt.body }),
					outcome,
					method: request.method,
					path: request.path,
					mayHaveRun,
					sentAt: onServiceClock(begun, attempt),
					attempts: attempts.failed + attempts.rateLimited + 1,
					rateLimitWait: attempts.rateLimitWait,
				};
				if (outcome === '401') state.unauthorized = response;
				return response;
			}
			if (outcome === '429') {
				attempts.rateLimited++;
				attempts.rateLimitWait += pause;
				state.pause(pause);
			} else {
				attempts.failed++;
				await state.wait(pause, this.signal);
			}
		}
	}

	private assertMaySend(subject: ApiResource) {
		if (this.state.unauthorized) throw this.failure(this.state.unauthorized, subject);
		if (this.state.limits.stopped) throw new RunStoppedError();
		this.assertNotCancelled();
	}

	private assertNotCancelled() {
		if (!this.signal?.aborted) return;
		// n8n 2.41 looks for this spelling to tell a canceled execution from one that failed.
		throw new NodeOperationError(this.node, 'The execution was canceled');
	}

	private async attempt(request: ApiRequest): Promise<Attempt> {
		const { readStream } = request;
		const { credential } = this.state;
		const reading = new AbortController();
		const context = readStream ? this.contextUntil(reading.signal) : this.context;
		const timeout = this.settings.http?.timeout ?? request.timeout ?? defaultTimeout;
		const options: IHttpRequestOptions = {
			...this.settings.http,
			method: request.method,
			url: credential.baseUrl + request.path,
			qs: request.qs,
			...contentOf(request.body, readStream !== undefined),
			json: readStream === undefined,
			timeout,
			encoding: readStream && 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			sendCredentialsOnCrossOriginRedirect: false,
			allowedDomains: allowedDomainsOf(this.node, credential),
		};
		try {
			const response = (await this.context.helpers.httpRequestWithAuthentication.call(
				context,
				credentialName,
				options,
				// The credential of this item; n8n 2.41 would take that of the first one.
				{ credentialsDecrypted: { id: '', name: '', type: credentialName, data: credential } },
			)) as IN8nHttpFullResponse;
			const { statusCode: status, headers } = response;
			if (status >= 200 && status < 300) this.settings.onHeaders?.(headers);
			if (!readStream) return { status, headers, body: response.body };
			const arriving = response.body as unknown as AsyncIterable<Uint8Array>;
			const stream = whileArriving(arriving, timeout, () => reading.abort());
			const succeeded = status >= 200 && status < 300;
			return {
				status,
				headers,
				body: succeeded
					? await readStream(stream, String(headers['content-type'] ?? ''))
					: await readBody(stream),
			};
		} catch (error) {
			this.assertNotCancelled();
			const brokenBy = connectionFaultOf((error as Error).cause ?? error);
			if (brokenBy) return { brokenBy };
			throw this.refusalOf(error as Error & { description?: unknown });
		}
	}

	/**
	 * n8n's context for a request that can be ended by us, too. n8n's HTTP client listens to no other signal than that
	 * of its context, and hides the response behind a stream that, destroyed, waits for its next chunk before it lets
	 * go of the connection (n8n 2.41 with axios 1.18, `enforceMaxContentLength`).
	 */
	private contextUntil(end: AbortSignal): ApiContext {
		const signal = this.signal ? AbortSignal.any([this.signal, end]) : end;
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

/**
 * The way to the service outside of a run: for a list of the panel, and for a poll of the trigger.
 *
 * @param context n8n's context that requests are sent for
 * @param maxConcurrency how many requests may be in flight at the same time
 * @param settings what the user has set for requests
 * @throws NodeOperationError when the credential cannot work
 */
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
 * Body and headers as they go out. JSON is written here: axios would copy the object first, and lose
 * properties named like parts of a prototype.
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

function retryAfterOf(attempt: Attempt): string | undefined {
	const header = 'brokenBy' in attempt ? undefined : attempt.headers['retry-after'];
	return header === undefined ? undefined : String(header);
}

/** Takes a moment from our clock to that of the service, whose responses have a `Date` in whole seconds. */
function onServiceClock(moment: number, attempt: Attempt): number {
	const date = 'brokenBy' in attempt ? NaN : Date.parse(String(attempt.headers.date));
	const ahead = Number.isNaN(date) ? 0 : date - Date.now();
	return Math.floor((moment + ahead) / 1000) * 1000;
}

/**
 * The domains that n8n lets the credential be used with, worked out for the address of the
 * credential as n8n does it for the base URL of a declarative node. Older versions of n8n do not
 * have this setting.
 */
function allowedDomainsOf(node: INode, credential: Credential): string | undefined {
	return n8nWorkflow.getCredentialAllowedDomains?.({
		node,
		credentialData: credential,
		credentialOwnedSurface: true,
		nodeEndpointUrl: credential.baseUrl,
	});
}
