import {
	type IDataObject,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type ILoadOptionsFunctions,
	type IN8nHttpFullResponse,
	type IPollFunctions,
} from 'n8n-workflow';

import { isObject } from '../values/json';
import { endOfRun, Failure, failureOf, ownFailure } from './failure';
import { CredentialState } from './credentialState';
import { RunState } from './runState';
import { uploadWaits } from './uploads';
import type { AvailableSettings } from './errorTexts';
import { type ApiRequest, fileRootOf, fillPath, headersAndBody } from './request';
import { requestFailure } from './requestFailure';
import {
	type ApiResponse,
	connectionFaultOf,
	failureKindOf,
	foundIn,
	readBody,
	StreamedFailure,
} from './response';
import {
	type Attempts,
	readRetryAfter,
	rejectedForNow,
	unclearOutcomes,
	usualRepeatable,
	waitBeforeRetry,
} from './retry';
import { redact } from './secretKeys';
import {
	allowedDomainsOf,
	type Credential,
	credentialName,
	isAllowed,
	readCredential,
} from './settings';
import { type ApiResource, traitsOf } from './subjects';

type ApiContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** How many requests can run at the same time, unless the user chooses another number. */
export const usualConcurrency = 5;

/** In milliseconds. */
const defaultTimeout = 30_000;

interface ApiSettings {
	/** Proxy, TLS and timeout (in milliseconds) of the user. */
	http?: Partial<IHttpRequestOptions>;
	availableSettings?: AvailableSettings;
	/** Called with the headers of each response with status 200 to 299. Responses with another status may come from a proxy. */
	onHeaders?: (headers: Record<string, unknown>) => void;
}

interface ApiClientOptions extends ApiSettings {
	context: ApiContext;
	credential: Credential;
	run: RunState;
}

/** How one attempt ended. */
interface Received extends Pick<ApiResponse, 'status' | 'body' | 'outcome'> {
	/** Empty without a response. */
	headers: Record<string, unknown>;
}

/** The connection to the service. Every request of the package is sent by `send`. */
export class ApiClient {
	readonly state: CredentialState;

	/** Empty if all are allowed. */
	private readonly allowedDomains: string[];

	constructor(private readonly options: ApiClientOptions) {
		this.state = new CredentialState(options.run);
		this.allowedDomains = allowedDomainsOf(options.credential);
	}

	get maxConcurrency(): number {
		return this.options.run.maxConcurrency;
	}

	/** How long a request may wait for its response, in milliseconds. */
	timeoutOf({ timeout = defaultTimeout }: Pick<ApiRequest, 'timeout'>): number {
		return this.options.http?.timeout ?? timeout;
	}

	/**
	 * Sends a request when a slot is free, and repeats it if that is safe and may help. Returns the last response, with any
	 * status. Throws if the run ended meanwhile, the execution was canceled, the key was rejected before, or n8n refuses the
	 * request.
	 */
	async send(request: ApiRequest): Promise<ApiResponse> {
		const url = this.rootOf(request.resource) + fillPath(request.path, request.params);
		return await this.options.run.slots.use(
			async () => await this.sendUntilSettled(request, url),
		);
	}

	/** Throws as `send` does if the run ended. */
	async wait(milliseconds: number): Promise<void> {
		await this.state.wait(milliseconds);
		if (this.options.run.stopped) throw endOfRun();
		this.options.run.assertNotCanceled();
	}

	/**
	 * Returns what `find` finds in the body, by default the object in the envelope. Throws if the request failed or nothing is
	 * found.
	 */
	expectBody<Found = IDataObject>(
		response: ApiResponse,
		find: (body: IDataObject) => Found | undefined = ({ data }) =>
			isObject(data) ? (data as Found) : undefined,
	): Found {
		const found = foundIn(response, find);
		if (found === undefined) throw this.failure(response);
		return found;
	}

	/**
	 * The address before the path of a resource. Throws if the Base URL can't lead to that version of the API, or the
	 * credential does not allow the host.
	 */
	rootOf(resource: ApiResource): string {
		const { version, isOnFileHost } = traitsOf[resource];
		const root = version.root(this.options.credential.baseUrl);

		if (root === undefined) {
			throw ownFailure(
				'The Base URL of the credential does not end in v1',
				'This operation uses version 2 of the API, at the same address with v2 in place of v1. Enter an address such as https://www.chatbase.co/api/v1.',
			);
		}
		if (!isOnFileHost) return root;
		return this.allowedFileRoot(root);
	}

	/** The failure of a request, or of a success that lacks what the API promises. It quotes the service. */
	failure(response: ApiResponse): Failure {
		const { credential, availableSettings: available } = this.options;
		return requestFailure(response, { ...credential, available });
	}

	/** The failure of a success whose body is not what the API promises. */
	unexpected(response: ApiResponse): Failure {
		return this.failure({ ...response, outcome: 'unexpectedResponse' });
	}

	/** Text from outside, without the key. */
	hideKey(text: string): string {
		return redact(text, this.options.credential.apiKey);
	}

	private allowedFileRoot(root: string): string {
		const url = fileRootOf(root);
		const { hostname } = new URL(url);
		if (isAllowed(hostname, this.allowedDomains)) return url;

		throw ownFailure(
			'The credential does not allow the host for files',
			`Files go to ${hostname}. Add ${hostname} to Allowed Domains in the credential. Nothing was sent there.`,
		);
	}

	private async sendUntilSettled(request: ApiRequest, url: string): Promise<ApiResponse> {
		const { state } = this;
		const { run } = this.options;
		const { method, resource, isUpload = false } = request;
		const attempts = noAttempts(request);
		const { repeatable } = attempts;
		const isRead = repeatable === 'reads';
		let mayHaveRun = false;

		for (;;) {
			await state.turn(isUpload);
			this.assertMaySend(request, mayHaveRun);
			if (isRead) run.reads++;
			else run.writes++;

			const { headers, status, body, outcome } = await this.attempt(request, url);
			const requestedWait = readRetryAfter(headers['retry-after']);
			state.remaining = Number(headers['x-ratelimit-remaining']);
			mayHaveRun ||= !isRead && unclearOutcomes.has(outcome);

			const pause = outcome && waitBeforeRetry({ outcome, requestedWait }, attempts);
			// While the service seems down, each request is tried only once. A 429 shows that the service is up.
			const isHopeless = state.seemsDown && outcome !== '429';
			if (pause === undefined || isHopeless) {
				const response: ApiResponse = {
					method,
					resource,
					version: traitsOf[resource].version,
					status,
					body,
					outcome,
					repeatable,
					mayHaveRun,
					attempts: attempts.failed + attempts.rejected + 1,
					rateLimitWait: attempts.waited,
					requestedWait,
				};
				state.settle(response);
				return response;
			}

			attempts.waited += pause;
			const isRejected = rejectedForNow.has(outcome);
			if (isRejected) attempts.rejected++;
			else attempts.failed++;

			// Until the end of the pause, the service would also reject the other requests.
			if (isRejected && !isUpload) state.pause(pause);
			else await state.wait(pause);
		}
	}

	/** @param mayHaveRun whether an earlier try of the request may have been done */
	private assertMaySend({ method, resource }: ApiRequest, mayHaveRun: boolean) {
		const { unauthorized, gaveUp } = this.state;
		const written = mayHaveRun ? 'unknown' : 'no';
		// How often another request was sent, and whether it may be done, is nothing that this one could say.
		const after = (last: ApiResponse) =>
			this.failure({ ...last, method, resource, attempts: 0, mayHaveRun: false });

		if (unauthorized) throw after(unauthorized).with({ written });
		if (this.options.run.stopped) throw endOfRun(written);
		this.options.run.assertNotCanceled(written);
		if (!gaveUp) return;

		const again = mayHaveRun ? ' again' : '';
		const reason = `Not sent${again}, because ${gaveUp.failures} requests in a row failed.`;
		const failure = after(gaveUp.last);
		throw failure.with({ written, sentences: [reason, ...failure.sentences] });
	}

	private async attempt(request: ApiRequest, url: string): Promise<Received> {
		const { deadlines, signal } = this.options.run;
		const timeout = this.timeoutOf(request);
		const connection = new AbortController();
		// Without a reason, Node.js would make an error with a stack trace.
		const close = () => connection.abort('closed');
		const expire = () => connection.abort('expired');
		// n8n's HTTP client only limits the time until the headers arrive (n8n 2.41).
		const restartTimeout = () => deadlines.start(expire, timeout);
		let response: IN8nHttpFullResponse | undefined;

		signal?.addEventListener('abort', close);
		restartTimeout();
		try {
			response = await this.request(this.optionsFor(request, url), connection.signal);
			const { statusCode: status, headers } = response;
			const body = await readBody(response, restartTimeout, request.readStream);
			const outcome = failureKindOf(status, body, traitsOf[request.resource].version);

			if (!outcome) this.options.onHeaders?.(headers);
			return { status, headers, body, outcome };
		} catch (error) {
			this.options.run.assertNotCanceled(request.method === 'GET' ? 'no' : 'unknown');
			if (connection.signal.reason === 'expired')
				return { headers: {}, outcome: 'timeout' };
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
		const { credential, context } = this.options;
		// n8n 2.41 would use the credential of the first item.
		const decrypted = { id: '', name: '', type: credentialName, data: credential };
		const { httpRequestWithAuthentication } = context.helpers;
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
			...this.options.http,
			method: request.method,
			url,
			qs: request.qs,
			...headersAndBody(request.body, request.readStream !== undefined),
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
	 * n8n's context with a signal by which the node can abort a request. n8n's HTTP client knows no other signal. To destroy
	 * its stream is not enough: the connection then stays open until the next chunk arrives (n8n 2.41 with axios 1.18,
	 * `enforceMaxContentLength`).
	 */
	private contextUntil(signal: AbortSignal): ApiContext {
		return Object.create(this.options.context, {
			getExecutionCancelSignal: { value: () => signal },
		}) as ApiContext;
	}

	/** How a request ended if it got no response, or if the service reported a failure in the stream of the response. */
	private faultOf(error: unknown, response: IN8nHttpFullResponse | undefined): Received {
		if (response && error instanceof StreamedFailure) {
			const { statusCode: status, headers } = response;
			return { status, headers, body: error.body, outcome: 'streamedFailure' };
		}

		const outcome = connectionFaultOf(error);
		if (outcome) return { headers: {}, outcome };
		throw this.refusalOf(error as Error);
	}

	/**
	 * The failure of a request that n8n refuses to send. It uses only the texts of n8n's error, which may contain the key
	 * elsewhere.
	 */
	private refusalOf(error: Error): Failure {
		const { title, sentences } = failureOf(error);
		return new Failure({
			title: this.hideKey(title),
			sentences: sentences.map((sentence) => this.hideKey(sentence)),
		});
	}
}

function noAttempts({ method, repeatable, isUpload }: ApiRequest): Attempts {
	return {
		repeatable: repeatable ?? usualRepeatable[method] ?? 'always',
		failed: 0,
		rejected: 0,
		waited: 0,
		...(isUpload && uploadWaits),
	};
}

/** A client for the panel and the trigger, where no items share a run. */
export async function openApiClient(
	context: ILoadOptionsFunctions | IPollFunctions,
	settings: ApiSettings,
): Promise<ApiClient> {
	const credential = readCredential(await context.getCredentials(credentialName));
	const run = new RunState(usualConcurrency);
	return new ApiClient({ context, credential, run, ...settings });
}
