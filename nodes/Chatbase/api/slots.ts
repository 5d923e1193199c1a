import { sleep } from 'n8n-workflow';

import type { ApiResponse } from './response';

/** Limits how many requests of a run are sent at the same time. */
export class Slots {
	private taken = 0;

	/** The calls that wait for a slot, in their order. */
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
			// After a failure, the slot becomes free a moment later, so the caller can first stop the waiting requests.
			if (hasFailed) void sleep(0).then(() => this.leave());
			else this.leave();
		}
	}

	/** Gives the slot to the next waiting call, so that no later call gets it first. */
	private leave() {
		const next = this.waiting.shift();
		if (next) next();
		else this.taken--;
	}
}
