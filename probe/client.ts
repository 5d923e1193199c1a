/* eslint-disable @n8n/community-nodes/no-restricted-imports */
/** An HTTP client: one request at a time, repeated only after a rate limit. */
import { setTimeout as sleep } from 'node:timers/promises';

import { refuseForeign, versionOf } from './ownership';
import { ServiceResponse, type Arrived } from './response';

export interface Call {
	query?: Record<string, string | number>;
	body?: unknown;
	/** A text file with a name, sent as a form to the host for files. */
	file?: { name: string; content: string };
	/** A key in place of the real one, or none. */
	apiKey?: string | null;
	/** Milliseconds. Default: 30 seconds. */
	timeoutMs?: number;
	/** Whether a response that breaks off counts as one. */
	isPartEnough?: boolean;
}

export interface ClientOptions {
	/** With the version segment, which is exchanged for requests of version 2. */
	baseUrl: string;
	apiKey: string;
	/** Starts no request after it; waits for the current one, so that its outcome is known. */
	signal: AbortSignal;
	/** Called with a sentence about each wait. */
	report: (line: string) => void;
}

/** Thrown instead of a request after the interruption. */
export class Interrupted extends Error {}

/** The only other host that the key goes to. */
export const fileHost = 'files.chatbase.co';

/** Longest wait after one 429, and how often to wait for the same request. */
const longestWaitMs = 60_000;
const mostWaits = 5;

export class Client {
	/** Requests so far, those that a rate limit refused included. */
	requests = 0;
	/** Whether any request could have changed something. */
	hasWritten = false;
	/** Responses so far, without their bodies. */
	readonly seen: Array<{ status: number; headers: Headers }> = [];
	/** What the probe made in version 2, such as `sources/ID`. Nothing else is changed there. */
	readonly made = new Set<string>();
	private signal: AbortSignal | undefined;

	constructor(private readonly options: ClientOptions) {
		this.signal = options.signal;
	}

	/** Allows requests after the signal, for cleaning up. */
	ignoreInterruption(): void {
		this.signal = undefined;
	}

	/** @param path relative to the base address, encoded */
	async ask(method: string, path: string, call: Call = {}): Promise<ServiceResponse> {
		for (let waits = 0; ; waits++) {
			if (this.signal?.aborted) throw new Interrupted();
			const response = await this.send(method, path, call);
			if (response.status !== 429 || waits === mostWaits) return response;

			const ms = waitMs(response.headers.get('retry-after'), waits);
			this.options.report(`The service asks to wait: ${Math.ceil(ms / 1000)} s`);
			await this.pause(ms);
		}
	}

	/** Waits, unless the run was interrupted. */
	async pause(ms: number): Promise<void> {
		await sleep(ms, undefined, { signal: this.signal }).catch(() => undefined);
	}

	private async send(method: string, path: string, call: Call): Promise<ServiceResponse> {
		const { body, file, isPartEnough = false } = call;
		const sent = file ? { type: 'file', name: file.name } : body;
		refuseForeign({ method, path, body: sent }, this.made);
		const isWrite = method !== 'GET';
		this.requests++;
		if (isWrite) this.hasWritten = true;

		const arrived = await this.fetched(method, path, call);
		const { isComplete } = arrived;
		const status = isComplete || isPartEnough ? arrived.status : 0;
		const isUnclear = isWrite && (status === 0 || status >= 500);
		if (status === 0) return new ServiceResponse({ isUnclear });
		return new ServiceResponse({ ...arrived, status, isUnclear });
	}

	/** What arrives of a response: status 0 if nothing does, part of the body if it breaks off. */
	private async fetched(method: string, path: string, call: Call): Promise<Arrived> {
		const parts: Uint8Array[] = [];
		let status = 0;
		let headers = new Headers();
		let isComplete = false;

		try {
			const response = await fetch(this.urlOf(path, call), this.requestOf(method, call));
			status = response.status;
			headers = response.headers;
			this.seen.push({ status, headers });
			await readInto(parts, response);
			isComplete = true;
		} catch {
			// There was no response, or it broke off.
		}

		return { status, headers, bytes: Buffer.concat(parts), isComplete };
	}

	private urlOf(path: string, { query = {}, file, apiKey }: Call): URL {
		const { baseUrl } = this.options;
		const root = versionOf(path) === 2 ? baseUrl.replace(/1$/, '2') : baseUrl;
		const url = new URL(root + path);

		const isForFiles = file !== undefined || apiKey === null;
		if (isForFiles && url.host === 'www.chatbase.co') url.host = fileHost;
		for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
		return url;
	}

	private requestOf(method: string, call: Call): RequestInit {
		const { body, file, apiKey = this.options.apiKey, timeoutMs = 30_000 } = call;
		const json = body === undefined ? undefined : JSON.stringify(body);

		return {
			method,
			// The key must not go to another origin.
			redirect: 'manual',
			signal: AbortSignal.timeout(timeoutMs),
			headers: {
				...(apiKey !== null && { authorization: `Bearer ${apiKey}` }),
				...(json !== undefined && { 'content-type': 'application/json' }),
			},
			body: file ? formWith(file) : json,
		};
	}
}

async function readInto(parts: Uint8Array[], { body }: Response): Promise<void> {
	const reader = body?.getReader();
	for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
		parts.push(part.value);
	}
}

function formWith({ name, content }: { name: string; content: string }): FormData {
	const form = new FormData();
	form.append('name', name);
	form.append('file', new Blob([content], { type: 'text/plain' }), `${name}.txt`);
	return form;
}

/** Milliseconds to wait: as told in seconds or by a date, else one second and twice as long each time. */
function waitMs(retryAfter: string | null, waits: number): number {
	const seconds = Number(retryAfter ?? NaN);
	const untilDate = Date.parse(retryAfter ?? '') - Date.now();
	const told = Number.isNaN(seconds) ? untilDate : seconds * 1000;

	const ms = Number.isNaN(told) ? 1000 * 2 ** waits : told;
	return Math.min(Math.max(ms, 0), longestWaitMs);
}
