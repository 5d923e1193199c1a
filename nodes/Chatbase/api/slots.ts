import { sleep } from 'n8n-workflow';

import type { ApiResponse } from './response';

/** As many requests at the same time as a run may send. */
export class Slots {
	private taken = 0;

	/** Those who wait for a slot, in the order of their calls. */
	private readonly waiting: Array<() => void> = [];

	constructor(private readonly maximum: number) {}

	/** Sends as soon as a slot is free, in the order of the calls. */
	async use(send: () => Promise<ApiResponse>): Promise<ApiResponse> {
		if (this.taken < this.maximum) this.taken++;
		else await new Promise<void>((resolve) => this.waiting.push(resolve));

		let hasFailed = true;
		try {
			const response = await send();
			hasFailed = response.outcome !== undefined;
			return response;
		} finally {
			// A failure leaves the slot one tick later, so that the caller can stop those who wait.
			if (hasFailed) void sleep(0).then(() => this.leave());
			else this.leave();
		}
	}

	/** The slot goes to the next one who waits, so that no later call gets it first. */
	private leave() {
		const next = this.waiting.shift();
		if (next) next();
		else this.taken--;
	}
}
