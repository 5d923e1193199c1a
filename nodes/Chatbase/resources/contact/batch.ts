import type { NodeApiError } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { markMayBeDone, withSentence } from '../../api/errors';
import { forEachLimited } from '../../api/concurrency';
import { type ApiResponse, dataIn } from '../../api/response';
import { lookUntil } from '../../api/unknownOutcome';
import { chunk, firstOf } from '../../values/list';
import { abbreviate } from '../../values/text';
import { isBlank, isObject } from '../../values/json';
import { readTimestamp } from '../../values/time';
import { type Contact, contactsPath, externalIdOf } from './contact';
import { dataOf, type Values } from './difference';
import { type KnownContacts, maxPageSize } from './list';
import { type ContactTask, failTask } from './plan';

/** Statuses about the data of a batch, not about the service or the key. */
const refusals = [400, 409, 413, 422];

interface TaskResults {
	readonly api: ApiClient;
	readonly chatbotId: string;
	/** Whether new contacts were looked up before and not found. */
	readonly isLookedUp: boolean;
	sentFor(task: ContactTask): Values;
	created(task: ContactTask, contact: Contact): void;
	/** @param mayBeOurs whether a request of this run may have created the first of the contacts */
	exists(task: ContactTask, contacts: Contact[], mayBeOurs: boolean): Promise<void>;
	/** @param isUnclear whether an earlier request may have created the contact */
	refused(task: ContactTask, response: ApiResponse, isUnclear: boolean): void;
	find(tasks: ContactTask[]): Promise<KnownContacts>;
}

/** What lookups have shown of contacts before they are sent. `notKept` are missing although a refused batch had them. */
type Seen = 'never' | 'missing' | 'notKept';

/**
 * Creates contacts in batches of up to 1,000. After a refusal, the contacts are looked up, since the service may have kept
 * some. The rest is halved until the refused contacts are found. After an unclear outcome, the contacts are looked up with
 * growing pauses, and sent once more if they have not appeared.
 */
export async function createInBatches(writer: TaskResults, tasks: ContactTask[]): Promise<void> {
	const findings = { streak: new RefusalStreak(), keepsNothing: false };
	const batches = chunk(tasks, maxPageSize);
	await forEachLimited(batches, writer.api.maxConcurrency, async (batch) => {
		const creator = new BatchCreator(writer, batch, findings);
		try {
			await creator.create(batch, writer.isLookedUp ? 'missing' : 'never');
		} catch (error) {
			const unclear = [...creator.open].filter((task) => creator.mayExist.has(task));
			if (unclear.length > 0) addMayExist(error as NodeApiError, unclear);
			batch.forEach((task) => failTask(task, () => error));
		}
	});
}

class BatchCreator {
	/** Contacts that an unclear or refused request may have created. */
	readonly mayExist = new Set<ContactTask>();

	private readonly unclear = new Set<ContactTask>();

	/** When each contact was first sent, by the clock of the service. */
	private readonly sentAt = new Map<ContactTask, number>();

	/** Contacts of the batch without a result, in order. */
	readonly open: Set<ContactTask>;

	constructor(
		private readonly writer: TaskResults,
		batch: ContactTask[],
		/** Of all batches; `keepsNothing` says whether the service keeps nothing of one that it refuses. */
		private readonly findings: { streak: RefusalStreak; keepsNothing: boolean },
	) {
		this.open = new Set(batch);
	}

	/** @returns whether the service accepted all of them */
	async create(tasks: ContactTask[], seen: Seen, isLastTry = false): Promise<boolean> {
		const batch = this.withoutHopeless(tasks);
		if (batch.length === 0) return false;
		const response = await this.writer.api.send({
			method: 'POST',
			path: contactsPath,
			resource: 'contacts',
			params: { chatbotId: this.writer.chatbotId },
			body: { users: batch.map((task) => dataOf(this.writer.sentFor(task))) },
		});
		const unsent = batch.filter((task) => !this.sentAt.has(task));
		unsent.forEach((task) => this.sentAt.set(task, response.sentAt));
		if (response.mayHaveRun) {
			batch.forEach((task) => this.mayExist.add(task) && this.unclear.add(task));
			await this.settleUnknown(batch, response, isLastTry);
			return false;
		}
		if (!response.outcome) {
			await this.settleCreated(batch, response);
			return true;
		}
		if (!refusals.includes(response.status ?? 0)) throw this.writer.api.failure(response);
		if (batch.length === 1) await this.settleSingle(batch[0], response);
		else await this.divide(batch, seen);
		return false;
	}

	/** Fails contacts that would get the refusal of all others. */
	private withoutHopeless(tasks: ContactTask[]): ContactTask[] {
		for (const task of tasks) {
			const refusal = this.findings.streak.refusalOf(task.wanted.values.get('email'));
			if (!refusal || !this.open.delete(task)) continue;
			this.writer.refused(task, refusal, this.unclear.has(task));
		}
		return tasks.filter((task) => this.open.has(task));
	}

	/** Sends a refused batch again in parts, one after the other: in Stop mode, nothing is sent after a failure. */
	private async divide(batch: ContactTask[], seen: Seen): Promise<boolean> {
		batch.forEach((task) => this.mayExist.add(task));
		const rest = await this.missingOf(batch, seen);
		const hasKept = rest.length < batch.length;
		// Those that existed before explain the refusal.
		if (hasKept && seen === 'never') return await this.create(rest, 'missing');
		if (!this.findings.keepsNothing) {
			// Alone, it is either the one that ended the batch, or one that the service would have kept.
			const isAccepted = await this.create(rest.splice(0, 1), 'notKept');
			this.findings.keepsNothing = isAccepted && !hasKept;
		}
		if (hasKept) return await this.create(rest, 'missing');
		const middle = Math.ceil(rest.length / 2);
		const isAccepted = await this.create(rest.slice(0, middle), 'notKept');
		const others = rest.slice(middle);
		// If all of the others came with the refused batch, the refusal is about them.
		const isAboutOthers = isAccepted && rest.length === batch.length && others.length > 1;
		return await (isAboutOthers ? this.divide(others, 'notKept') : this.create(others, 'notKept'));
	}

	/** Returns the contacts of a refused batch that don't exist, with as few lookups as are safe. */
	private async missingOf(batch: ContactTask[], seen: Seen): Promise<ContactTask[]> {
		if (seen !== 'never' && this.findings.keepsNothing) return [...batch];
		// A service that keeps what comes before the first bad contact would have kept the first one.
		const [first, ...others] = batch;
		if (seen !== 'notKept') return await this.settleExisting(batch);
		const isFirstMissing = (await this.settleExisting([first])).length > 0;
		return isFirstMissing ? [...batch] : await this.settleExisting(others);
	}

	private async settleCreated(batch: ContactTask[], response: ApiResponse) {
		const created = createdContacts(response);
		if (created.size > 0) this.findings.streak.end();
		const open = batch.filter((task) => {
			const contact = created.get(idOf(task));
			if (contact && this.open.delete(task)) this.writer.created(task, contact);
			return !contact;
		});
		if (open.length === 0) return;
		open.forEach((task) => this.mayExist.add(task));
		const known = await this.writer.find(open);
		for (const task of open) {
			this.open.delete(task);
			const [contact] = known.withId(idOf(task));
			if (contact) this.writer.created(task, contact);
			else this.fail(task, known.failed.get(idOf(task)) ?? this.writer.api.unexpected(response));
		}
	}

	private async settleSingle(task: ContactTask, response: ApiResponse) {
		const { streak } = this.findings;
		this.open.delete(task);
		const known = await this.writer.find([task]);
		const contacts = known.withId(idOf(task));
		if (contacts.length > 0) {
			streak.end();
			const mayBeOurs = this.mayExist.has(task) && this.isNew(contacts[0], task);
			return await this.writer.exists(task, contacts, mayBeOurs);
		}
		const isUnclear = (known.failed.size > 0 ? this.mayExist : this.unclear).has(task);
		this.writer.refused(task, response, isUnclear);
		streak.add(response);
		await streak.confirm(async () => {
			const isLike = ({ wanted }: ContactTask) => streak.concerns(wanted.values.get('email'));
			const other = [...this.open].reverse().find(isLike);
			if (other) await this.create([other], 'notKept');
		});
	}

	/** Returns the contacts that don't exist. The others caused a refusal, or were created. */
	private async settleExisting(batch: ContactTask[], isUnclear = false): Promise<ContactTask[]> {
		const known = await this.writer.find(batch);
		const isMissing = (id: string) => known.withId(id).length === 0 && !known.failed.has(id);
		const rest = batch.filter((task) => isMissing(idOf(task)) || !this.open.delete(task));
		await forEachLimited(batch, this.writer.api.maxConcurrency, async (task) => {
			const contacts = known.withId(idOf(task));
			if (known.failed.has(idOf(task))) this.fail(task, known.failed.get(idOf(task)));
			if (contacts.length === 0) return;
			await this.writer.exists(task, contacts, isUnclear || this.isNew(contacts[0], task));
		});
		return rest;
	}

	private async settleUnknown(batch: ContactTask[], response: ApiResponse, isLastTry: boolean) {
		let open = batch;
		const look = async () => (open = await this.settleExisting(open, true));
		// If it fails, `createInBatches` says what may have been created.
		await lookUntil(this.writer.api, look, ({ length }) => length === 0, '');
		if (!isLastTry) {
			await this.create(open, 'missing', true);
			return;
		}
		for (const task of open) this.fail(task, this.writer.api.failure({ ...response, attempts: 2 }));
	}

	/** Whether the contact is new enough to come from a request of this run. */
	private isNew({ created_at }: Contact, task: ContactTask): boolean {
		return (readTimestamp(created_at) ?? Infinity) >= this.sentAt.get(task)!;
	}

	/** If a request may have created the contact, the error says so. */
	private fail(task: ContactTask, error: unknown) {
		if (this.mayExist.has(task)) addMayExist(error as NodeApiError, [task]);
		failTask(task, () => error);
	}
}

export function idOf({ wanted }: ContactTask): string {
	return String(wanted.values.get('external_id'));
}

export function addMayExist(error: NodeApiError, tasks: ContactTask[]) {
	const names =
		tasks.length === 1
			? `Contact ${abbreviate(idOf(tasks[0]))}`
			: `Contacts ${firstOf(tasks, idOf)}`;
	const advice = 'Check before you run again, or use Create or Update.';
	withSentence(markMayBeDone(error), `${names} may have been created. ${advice}`);
}

/** The contacts in a response, by External ID. The list is in `data` or in `data.created`. */
function createdContacts(response: ApiResponse): Map<string, Contact> {
	const data = dataIn(response);
	const list = isObject(data) ? data.created : data;
	const contacts = Array.isArray(list) ? (list.filter(isObject) as Contact[]) : [];
	return new Map(contacts.map((contact) => [externalIdOf(contact) ?? '', contact]));
}

/** After so many equal refusals in a row, the service may refuse all contacts, such as on a full plan. */
const maxAlike = 20;

/** Counts equal refusals of single contacts. */
export class RefusalStreak {
	private length = 0;

	private last?: ApiResponse;

	private state: 'open' | 'confirming' | 'confirmed' = 'open';

	add(response: ApiResponse) {
		this.length = this.last && wordsOf(this.last) === wordsOf(response) ? this.length + 1 : 1;
		this.last = response;
	}

	end() {
		this.length = 0;
	}

	/** After a long streak, tries a contact from the end of the run. Only if it is refused alike, all others are. */
	async confirm(tryAnother: () => Promise<void>) {
		const { length } = this;
		if (length < maxAlike || this.state !== 'open') return;
		this.state = 'confirming';
		await tryAnother();
		this.state = this.length > length ? 'confirmed' : 'open';
	}

	/** The refusal that a contact with this email would get; undefined if it must be tried. */
	refusalOf(email: unknown): ApiResponse | undefined {
		return this.state === 'confirmed' && this.concerns(email) ? this.last : undefined;
	}

	/** A contact without an email is not refused because of its email. */
	concerns(email: unknown): boolean {
		return !this.isAboutEmail || !isBlank(email);
	}

	get isAboutEmail(): boolean {
		if (!this.last) return false;
		const { body, outcome, version } = this.last;
		const isConflict = outcome === '409' && !version.isAbout(body, 'externalId');
		return isConflict || version.isAbout(body, 'email');
	}
}

function wordsOf({ outcome, body, version }: ApiResponse): string {
	return JSON.stringify([outcome, version.wordsIn(body)]);
}
