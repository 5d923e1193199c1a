import { sleep } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { addTo, forEachLimited, giveWay } from '../../values/list';
import type { ApiResponse } from '../../api/response';
import { createContacts } from './batch';
import {
	newContact,
	planChange,
	type PlannedChange,
	sendChange,
	withoutRequest,
} from './change';
import {
	type ContactTask,
	failTask,
	isEmailTaken,
	keptEmailError,
	mayNeedEmail,
	refusalError,
	RefusalStreak,
	succeedCreated,
	succeedTask,
	type WriteScope,
} from './task';
import {
	type Contact,
	externalIdOf,
	failureOf,
	isContactMissing,
	normalizeEmail,
} from './contact';
import { dataOf, type Values } from './contactValues';
import { findRefusedEmails } from './keptEmails';
import type { KnownContacts } from './list';

interface WaitingUpdate {
	task: ContactTask;
	refusal: ApiResponse;
}

/** Writes the contacts of a chatbot, and answers their items. */
export class ContactWriter implements WriteScope {
	readonly isLookedUp: boolean;

	private readonly streak = new RefusalStreak();

	/** Updates that were refused, perhaps because another contact has their new email. */
	private readonly waiting = new Map<string, WaitingUpdate[]>();

	/** Emails that an update has given up since then. */
	private readonly freed = new Set<string>();

	/** Contacts that were deleted since they were read. */
	private readonly gone: ContactTask[] = [];

	private hasCreated = false;

	/**
	 * @param known what was looked up; if nothing was, existing contacts are not changed
	 * @param isSkipped whether a contact is not written
	 */
	constructor(
		readonly api: ApiClient,
		readonly chatbotId: string,
		public known?: KnownContacts,
		private readonly isSkipped: (contact: Contact) => boolean = () => false,
	) {
		this.isLookedUp = known !== undefined;
	}

	async write(all: ContactTask[]): Promise<void> {
		const tasks = all[0]?.settings.dryRun ? this.failRefused(all) : all;
		await this.update(tasks.filter(({ existing }) => existing));
		const missing = [...tasks.filter(({ existing }) => !existing), ...this.gone];
		if (missing.length === 0) return;

		if (missing[0].settings.dryRun) {
			for (const task of missing) {
				const values = newContact(task.wanted);
				succeedCreated(task, values, dataOf(values), 'wouldCreate');
			}
			return;
		}

		this.hasCreated = true;
		await this.update(await createContacts(this, missing));
	}

	/** Fails what a real run could not write, as far as the list shows it. */
	private failRefused(tasks: ContactTask[]): ContactTask[] {
		const isWritten = ({ existing }: ContactTask) =>
			!existing || !this.isSkipped(existing);
		const refused = findRefusedEmails(tasks.filter(isWritten), this.known!);
		for (const [task, holder] of refused) {
			failTask(task, (item) => keptEmailError(item, task, holder));
		}
		return tasks.filter((task) => !refused.has(task));
	}

	/** An update whose new email is taken is sent again if another one has freed it. */
	private async update(tasks: ContactTask[]) {
		for (let next = tasks; next.length > 0; next = this.takeFreed()) {
			await this.updateAll(next);
		}

		for (const { task, refusal } of [...this.waiting.values()].flat()) {
			this.refuse(task, refusal);
		}
		this.waiting.clear();
	}

	private takeFreed(): ContactTask[] {
		const ready = [...this.freed].flatMap((email) => this.waiting.get(email) ?? []);
		this.freed.forEach((email) => this.waiting.delete(email));
		this.freed.clear();
		return ready.map(({ task }) => task);
	}

	private async updateAll(tasks: ContactTask[]) {
		const started = new Set<ContactTask>();
		const start = async (task: ContactTask): Promise<boolean> => {
			if (started.has(task)) return false;
			started.add(task);
			return await this.updateOne(task);
		};

		let end = tasks.length;
		const tryLast = async () => {
			let isJudged = false;
			while (end > 0 && !isJudged) {
				end--;
				isJudged = await start(tasks[end]);
			}
		};

		// Twice as many as are sent at once, so that the next ones are compared while those are being sent.
		await forEachLimited(tasks, 2 * this.api.maxConcurrency, async (task) => {
			await start(task);
			await this.streak.confirm(tryLast);
		});
	}

	/** @returns whether the service has judged it: not if nothing was sent, or its email is taken */
	private async updateOne(task: ContactTask): Promise<boolean> {
		const existing = task.existing!;
		if (this.isSkipped(existing)) {
			succeedTask(task, { contact: existing, sync: { action: 'skipped' } });
			return false;
		}

		try {
			const planned = planChange(this.api, externalIdOf(existing)!, task);
			const unsent = withoutRequest(planned);
			if (!unsent) return await this.sendOne(task, planned);

			succeedTask(task, unsent);
			await giveWay();
			return false;
		} catch (error) {
			failTask(task, () => error);
			return true;
		}
	}

	private async sendOne(task: ContactTask, planned: PlannedChange): Promise<boolean> {
		const { sent } = planned.difference;
		const email = normalizeEmail(sent.get('email'));
		const refusal = this.refusalOf(sent, email);
		const result = refusal ? { response: refusal } : await sendChange(this.api, planned);
		if ('response' in result) return this.settleUnwritten(task, email, result.response);

		this.streak.end();
		const before = normalizeEmail(task.existing!.email);
		if (before && before !== normalizeEmail(result.contact.email)) this.freed.add(before);
		succeedTask(task, result);
		// The next request leaves before more contacts are compared.
		await sleep(0);
		return true;
	}

	/** The refusal that an update would get: another one with its email got it, or all others did. */
	private refusalOf(sent: Values, email = ''): ApiResponse | undefined {
		const [first] = this.waiting.get(email) ?? [];
		const isTaken = first !== undefined && isEmailTaken(first.refusal);
		if (isTaken && !this.freed.has(email)) return first.refusal;
		return this.streak.refusalOf(sent);
	}

	private settleUnwritten(
		task: ContactTask,
		email: string | undefined,
		response: ApiResponse,
	): boolean {
		if (isContactMissing(response)) {
			const id = externalIdOf(task.existing!)!;
			const mayCreate = task.wanted.values.has('external_id') && !this.hasCreated;
			if (mayCreate) this.gone.push(task);
			else failTask(task, () => failureOf(this.api, response, id));
			return true;
		}

		if (email !== undefined && mayNeedEmail(response)) {
			addTo(this.waiting, email, { task, refusal: response });
			return false;
		}
		this.streak.add(response);
		this.refuse(task, response);
		return true;
	}

	private refuse(task: ContactTask, response: ApiResponse) {
		failTask(task, () => refusalError(this, task, response));
	}
}
