import type {
	IDataObject,
	IHttpRequestMethods,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
	INode,
	JsonObject,
} from 'n8n-workflow';
import * as n8nWorkflow from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { isObject } from '../values/object';
import type { Credential, ServiceContext } from './credential';
import type { Outcome, Subject } from './errorTexts';
import { failureOf } from './failure';
import { nodeOf } from './node';
import type { Attempt, ServiceResponse } from './response';
import { connectionFaultOf, outcomeOfAttempt } from './response';
import type { Attempts, Repeatable } from './retry';
import { waitBeforeRetry } from './retry';
import type { Session } from './session';
import { Dropped } from './session';
import { readBody, whileArriving } from './stream';

const defaultTimeout = 30_000;

/** Outcomes after which nobody can tell whether the service has carried the request out. */
const mayHaveRun = new Set<Outcome>(['5xx', 'timeout', 'broken']);

export interface ServiceRequest {
	method: IHttpRequestMethods;
	/** Path below the Base URL, already encoded. */
	path: string;
	qs?: IDataObject;
	/** Becomes JSON, unless it is a form. */
	body?: IDataObject | FormData;
	/** What the request is about, which decides the words of an error. */
	subject: Subject;
	/** Whether it may be sent a second time. Default: `onlyIfNotRun` for POST, else `always`. */
	repeatable?: Repeatable;
	/** Milliseconds to wait for the response, and between two parts of a stream, unless the user has set the Timeout option. */
	timeout?: number;
	/** Reads the body of a successful response while it arrives; what it returns becomes the body. */
	readStream?: (stream: AsyncIterable<Uint8Array>, contentType: string) => Promise<unknown>;
}

/** The way to the service: every request of the package leaves through `send`. */
export class Service {
	readonly node: INode;

	private readonly signal?: AbortSignal;

	/**
	 * @param context n8n's context that the request is sent for
	 * @param session what the requests that belong together share
	 * @param settings proxy, TLS and timeout as the user set them under Options; timeout in milliseconds
	 */
	constructor(
		private readonly context: ServiceContext,
		private readonly session: Session,
		private readonly settings: Partial<IHttpRequestOptions> = {},
	) {
		this.node = nodeOf(context);
		if ('getExecutionCancelSignal' in context) this.signal = context.getExecutionCancelSignal();
	}

	/**
	 * Sends a request when a slot is free, and again where that is safe and may help.
	 *
	 * @returns the last response, whatever its status
	 * @throws Dropped when the run has ended meanwhile
	 * @throws NodeOperationError when the execution was cancelled
	 * @throws NodeApiError when the key was refused before, or n8n itself refuses the request
	 */
	async send(request: ServiceRequest): Promise<ServiceResponse> {
		return await this.session.whenFree(
			async () => await this.sendUntilSettled(request),
			({ outcome }) => outcome === undefined,
		);
	}

	/** How many requests may be in flight at the same time, those for other items included. */
	get maxConcurrency(): number {
		return this.session.maxConcurrency;
	}

	/**
	 * Sends a request that has to succeed with a JSON object.
	 *
	 * @returns the body of the response
	 * @throws NodeApiError for every other outcome, besides what `send` throws
	 */
	async sendForObject(request: ServiceRequest): Promise<IDataObject> {
		const response = await this.send(request);
		if (response.outcome) throw this.failure(response, request.subject);
		if (!isObject(response.body)) throw this.unexpected(response, request.subject);
		return response.body;
	}

	/** The error that tells what came of a request that did not succeed. */
	failure(response: ServiceResponse, subject: Subject): NodeApiError {
		return failureOf(
			this.node,
			response,
			response.outcome ?? 'unexpectedResponse',
			subject,
			this.session.apiKey,
		);
	}

	/** The error for a response whose status says success while its body is not what the API promises. */
	unexpected(response: ServiceResponse, subject: Subject): NodeApiError {
		return this.failure({ ...response, outcome: 'unexpectedResponse' }, subject);
	}

	private async sendUntilSettled(request: ServiceRequest): Promise<ServiceResponse> {
		const repeatable =
			request.repeatable ?? (request.method === 'POST' ? 'onlyIfNotRun' : 'always');
		const attempts: Attempts = { failed: 0, rateLimitWait: 0, rateLimited: 0 };
		let unclear = false;
		for (;;) {
			await this.session.resumed(this.signal);
			this.assertMaySend(request.subject);
			const attempt = await this.attempt(request);
			const outcome = outcomeOfAttempt(attempt);
			unclear ||= outcome !== undefined && mayHaveRun.has(outcome);
			const pause = waitBeforeRetry(
				outcome,
				retryAfterOf(attempt),
				repeatable,
				attempts,
				Date.now(),
				Math.random,
			);
			if (pause === undefined) {
				const response: ServiceResponse = {
					...('brokenBy' in attempt ? {} : { status: attempt.status, body: attempt.body }),
					outcome,
					unclear,
					attempts: attempts.failed + attempts.rateLimited + 1,
					rateLimitWait: attempts.rateLimitWait,
				};
				if (outcome === '401') this.session.unauthorized = response;
				return response;
			}
			if (outcome === '429') {
				attempts.rateLimited++;
				attempts.rateLimitWait += pause;
				this.session.pause(pause);
			} else {
				attempts.failed++;
				await this.session.rest(pause, this.signal);
			}
		}
	}

	private assertMaySend(subject: Subject) {
		if (this.session.unauthorized) throw this.failure(this.session.unauthorized, subject);
		if (this.session.stopped) throw new Dropped();
		this.assertNotCancelled();
	}

	private assertNotCancelled() {
		if (!this.signal?.aborted) return;
		// n8n looks for this spelling to tell a canceled execution from one that failed.
		throw new NodeOperationError(this.node, 'The execution was canceled');
	}

	private async attempt(request: ServiceRequest): Promise<Attempt> {
		const { readStream } = request;
		const timeout = this.settings.timeout ?? request.timeout ?? defaultTimeout;
		const credential = await this.session.credential(this.context);
		const options: IHttpRequestOptions = {
			...this.settings,
			method: request.method,
			url: credential.baseUrl + request.path,
			qs: request.qs,
			...contentOf(request.body),
			json: true,
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
				this.context,
				'chatbaseV1Api',
				options,
			)) as IN8nHttpFullResponse;
			const { statusCode: status, headers } = response;
			if (!readStream) return { status, headers, body: response.body };
			const stream = whileArriving(response.body as unknown as AsyncIterable<Uint8Array>, timeout);
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
			throw new NodeApiError(this.node, error as JsonObject);
		}
	}
}

/**
 * The body as it goes out. JSON is written here: axios would copy the object first, and lose
 * properties named like parts of a prototype.
 */
function contentOf(body: ServiceRequest['body']): Pick<IHttpRequestOptions, 'body' | 'headers'> {
	if (!isObject(body) || body instanceof FormData) return { body };
	return { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
}

function retryAfterOf(attempt: Attempt): string | undefined {
	const header = 'brokenBy' in attempt ? undefined : attempt.headers['retry-after'];
	return header === undefined ? undefined : String(header);
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
