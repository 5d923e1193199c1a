import type { ApiResponse } from '../../api/response';
import { addTo } from '../../values/list';
import type { ContactTask } from './match';

export interface WaitingUpdate {
	task: ContactTask;
	refusal: ApiResponse;
}

/** Updates that were refused because another contact has their new email. An update that gives it up frees it. */
export class EmailQueue {
	private readonly waiting = new Map<string, WaitingUpdate[]>();

	private readonly freed = new Set<string>();

	add(task: ContactTask, email: string, refusal: ApiResponse) {
		addTo(this.waiting, email, { task, refusal });
	}

	/** Adds an update without a request if its email was refused to another one before. */
	addIfTaken(task: ContactTask, email: string | undefined): boolean {
		const [first] = this.waiting.get(email ?? '') ?? [];
		if (!first || email === undefined || this.freed.has(email)) return false;
		this.add(task, email, first.refusal);
		return true;
	}

	/** Notes that a contact has another email now. */
	free(before: string | undefined, now: string | undefined) {
		if (before !== undefined && before !== now) this.freed.add(before);
	}

	/** Takes the updates whose email was freed since they were refused. */
	takeReady(): ContactTask[] {
		const ready = [...this.freed].flatMap((email) => this.take(email));
		this.freed.clear();
		return ready.map(({ task }) => task);
	}

	takeAll(): WaitingUpdate[] {
		return [...this.waiting.keys()].flatMap((email) => this.take(email));
	}

	private take(email: string): WaitingUpdate[] {
		const updates = this.waiting.get(email) ?? [];
		this.waiting.delete(email);
		return updates;
	}
}
