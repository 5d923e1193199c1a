import { sleep } from 'n8n-workflow';

import type { Credential } from './credential';
import type { ApiResponse } from './response';
import type { RunLimits } from './runLimits';

const slice = 1000;

/** Signals that a request was not sent because another item has ended the run. */
export class RunStoppedError extends Error {}

/** What the requests of a run with one credential share: the pace that the service asks for, and what it has told. */
export class CredentialState {
	/** The response to a request whose key was not accepted. Nothing is sent after it. */
	unauthorized?: ApiResponse;

	private resumeAt = 0;

	private readonly lookUps = new Map<string, Promise<unknown>>();

	/** The end of the latest work about each thing. */
	private readonly turns = new Map<string, Promise<void>>();

	/**
	 * @param credential key and address of its requests
	 * @param limits what it shares with the other sessions of the run
	 */
	constructor(
		readonly credential: Credential,
		readonly limits: RunLimits,
	) {}

	/**
	 * Looks something up once, however many items need it.
	 *
	 * @param name what it is, the chatbot included
	 * @param look asks the service
	 */
	async memoize<Value>(name: string, look: () => Promise<Value>): Promise<Value> {
		const known = this.lookUps.get(name) as Promise<Value> | undefined;
		const asked = known ?? look();
		this.lookUps.set(name, asked);
		return await asked;
	}

	/** Keeps what has become known meanwhile, for those who look it up later. */
	cache(name: string, value: unknown) {
		this.lookUps.set(name, Promise.resolve(value));
	}

	/**
	 * Lets works that are about the same thing run one after the other, in the order they came.
	 *
	 * @param things what the work is about
	 * @param work what to do
	 */
	async runExclusive<Result>(things: string[], work: () => Promise<Result>): Promise<Result> {
		const before = things.map((thing) => this.turns.get(thing));
		const result = Promise.all(before).then(work);
		const over = result.then(
			() => undefined,
			() => undefined,
		);
		things.forEach((thing) => this.turns.set(thing, over));
		return await result;
	}

	/** Holds all requests of the session back, because the service asked one of them to wait. */
	pause(milliseconds: number) {
		const now = Date.now();
		const until = Math.max(this.resumeAt, now + milliseconds);
		this.limits.waited += until - Math.max(this.resumeAt, now);
		this.resumeAt = until;
	}

	/** Waits until the session may go on; ends early when there is nothing left to wait for. */
	async resumed(signal?: AbortSignal) {
		while (this.resumeAt > Date.now() && this.isOpen(signal)) {
			await this.wait(this.resumeAt - Date.now(), signal);
		}
	}

	/**
	 * Waits in slices, so that neither an end of the session nor a timer that is left over lasts long.
	 *
	 * @param milliseconds how long
	 * @param signal n8n's signal that the execution was cancelled, which ends the wait at once
	 */
	async wait(milliseconds: number, signal?: AbortSignal) {
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
		return !this.limits.stopped && !this.unauthorized && !signal?.aborted;
	}
}
