import { sleep } from 'n8n-workflow';

import type { Credential, ServiceContext } from './credential';
import { readCredential } from './credential';
import { limitConcurrency } from './limit';
import type { ServiceResponse } from './response';

const slice = 1000;

/** Signals that a request was not sent because another item has ended the run. */
export class Dropped extends Error {}

/** What the requests that belong together share: their slots, the pace the service asks for, and the end. */
export class Session {
	/** Runs a task when one of the slots is free. */
	readonly whenFree: ReturnType<typeof limitConcurrency>;

	/** The response to a request whose key was not accepted. Nothing is sent after it. */
	unauthorized?: ServiceResponse;

	/** Set when one item has failed in Stop mode. Nothing is sent after it. */
	stopped = false;

	private resumeAt = 0;

	/** The API key as soon as it was read, so that no error quotes it. */
	apiKey = '';

	private credentialRead?: Promise<Credential>;

	/** @param maxConcurrency how many requests may be in flight at the same time */
	constructor(readonly maxConcurrency: number) {
		this.whenFree = limitConcurrency(maxConcurrency);
	}

	/** The credential of the node, read once. */
	async credential(context: ServiceContext): Promise<Credential> {
		this.credentialRead ??= readCredential(context);
		const credential = await this.credentialRead;
		this.apiKey = String(credential.apiKey);
		return credential;
	}

	/** Holds all requests of the session back, because the service asked one of them to wait. */
	pause(milliseconds: number) {
		this.resumeAt = Math.max(this.resumeAt, Date.now() + milliseconds);
	}

	/** Waits until the session may go on; ends early when there is nothing left to wait for. */
	async resumed(signal?: AbortSignal) {
		while (this.resumeAt > Date.now() && this.isOpen(signal)) {
			await this.rest(this.resumeAt - Date.now(), signal);
		}
	}

	/**
	 * Waits in slices, so that neither an end of the session nor a timer that is left over lasts long.
	 *
	 * @param milliseconds how long
	 * @param signal n8n's signal that the execution was cancelled, which ends the wait at once
	 */
	async rest(milliseconds: number, signal?: AbortSignal) {
		const until = Date.now() + milliseconds;
		let wake = () => {};
		const cancelled = new Promise<void>((resolve) => (wake = resolve));
		signal?.addEventListener('abort', wake);
		for (let left = milliseconds; left > 0 && this.isOpen(signal); left = until - Date.now()) {
			await Promise.race([sleep(Math.min(left, slice)), cancelled]);
		}
		// The signal lives as long as the execution, which may wait very often.
		signal?.removeEventListener('abort', wake);
	}

	private isOpen(signal?: AbortSignal): boolean {
		return !this.stopped && !this.unauthorized && !signal?.aborted;
	}
}
