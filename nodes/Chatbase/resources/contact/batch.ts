import type { IDataObject, NodeApiError } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { errorText, withSentence } from '../../api/errors';
import { forEachLimited } from '../../api/limits';
import type { ApiResponse } from '../../api/response';
import { dataIn } from '../../api/response';
import { lookUntil } from '../../api/unknownOutcome';
import { chunk } from '../../values/chunk';
import { isObject } from '../../values/object';
import { readTimestamp } from '../../values/time';
import type { Contact } from './contact';
import { contactsPath, externalIdOf } from './contact';
import { findContacts, maxPageSize } from './list';
import type { KnownContacts } from './match';
import type { ContactTask } from './plan';
import { RefusalStreak } from './refusal';

/** Statuses about the data of a batch, not about the service or the key. */
const refusals = [400, 409, 413, 422];

/** Receives what becomes of each task. */
interface TaskResults {
	readonly api: ApiClient;
	readonly chatbotId: string;
	/** Whether new contacts were looked up before and not found. */
	readonly isLookedUp: boolean;
	bodyOf(task: ContactTask): IDataObject;
	created(task: ContactTask, contact: Contact): void;
	/** @param mayBeOurs whether a request of this run may have created the contact */
	exists(task: ContactTask, contact: Contact, mayBeOurs: boolean): Promise<void>;
	failed(task: ContactTask, error: unknown): void;
	refused(task: ContactTask, response: ApiResponse): Promise<void>;
}

/**
 * Creates contacts in batches of up to 1,000. After a refusal, the list is read once, then the batch is halved until the
 * refused contacts are found. After 20 equal refusals the last contact of the batch is tried: if it gets the same one,
 * the rest fails without a request. After an unclear outcome, the contacts are looked up with growing pauses, and sent
 * once more if they have not appeared.
 */
export async function createInBatches(writer: TaskResults, tasks: ContactTask[]): Promise<void> {
	const batches = chunk(tasks, maxPageSize);
	const streak = new RefusalStreak();
	await forEachLimited(batches, writer.api.maxConcurrency, async (batch) => {
		const creator = new BatchCreator(writer, batch, streak);
		try {
			await creator.create(batch, writer.isLookedUp);
		} catch (error) {
			const unclear = batch.filter((task) => creator.mayExist.has(task));
			const told = unclear.length > 0 ? mayExist(error as NodeApiError, unclear) : error;
			batch.forEach((task) => writer.failed(task, told));
		}
	});
}

class BatchCreator {
	/** Contacts that an unclear or refused request may have created. */
	readonly mayExist = new Set<ContactTask>();

	/** When each contact was first sent, by the clock of the service. */
	private readonly sentAt = new Map<ContactTask, number>();

	/** Contacts of the batch without a result, in order. */
	private readonly open: Set<ContactTask>;

	/** The last contact of the batch, tried after many equal refusals. */
	private probe?: ContactTask;

	private readonly api: ApiClient;

	constructor(
		private readonly writer: TaskResults,
		batch: ContactTask[],
		private readonly streak: RefusalStreak,
	) {
		this.open = new Set(batch);
		this.api = writer.api;
	}

	/** Sends one half after the other, since in Stop mode nothing is sent after the first failure. */
	async create(tasks: ContactTask[], areMissing: boolean, isLastTry = false): Promise<void> {
		const batch = tasks.filter((task) => this.open.has(task));
		if (batch.length === 0) return;
		const response = await this.api.send({
			method: 'POST',
			path: contactsPath,
			resource: 'contacts',
			params: { chatbotId: this.writer.chatbotId },
			body: { users: batch.map((task) => this.writer.bodyOf(task)) },
		});
		for (const task of batch) {
			if (!this.sentAt.has(task)) this.sentAt.set(task, response.sentAt);
		}
		if (response.mayHaveRun) {
			batch.forEach((task) => this.mayExist.add(task));
			return await this.settleUnknown(batch, response, isLastTry);
		}
		if (!response.outcome) return await this.settleCreated(batch, response);
		if (!refusals.includes(response.status ?? 0)) throw this.api.failure(response);
		if (batch.length === 1) return await this.settleSingle(batch[0], response);
		batch.forEach((task) => this.mayExist.add(task));
		const rest = areMissing ? batch : await this.settleExisting(batch);
		if (rest.length < batch.length) return await this.create(rest, true);
		const middle = Math.ceil(rest.length / 2);
		await this.create(rest.slice(0, middle), true);
		await this.create(rest.slice(middle), true);
	}

	private async settleCreated(batch: ContactTask[], response: ApiResponse) {
		const created = createdContacts(response);
		if (created.size > 0) this.streak.end();
		batch.forEach((task) => this.open.delete(task));
		const open = batch.filter((task) => {
			const contact = created.get(idOf(task));
			if (contact) this.writer.created(task, contact);
			return !contact;
		});
		if (open.length === 0) return;
		const known = await this.find(open);
		for (const task of open) {
			const [contact] = known.withId(idOf(task));
			if (contact) this.writer.created(task, contact);
			else this.writer.failed(task, mayExist(this.api.unexpected(response), [task]));
		}
	}

	private async settleSingle(task: ContactTask, response: ApiResponse) {
		this.open.delete(task);
		const known = await this.find([task], response);
		const [contact] = known.withId(idOf(task));
		if (contact) {
			this.streak.end();
			const mayBeOurs = this.mayExist.has(task) && this.isNew(contact, task);
			return await this.writer.exists(task, contact, mayBeOurs);
		}
		if (known.failed.size === 0) await this.writer.refused(task, response);
		this.streak.add(response);
		if (!this.streak.refusal || this.open.size === 0) return;
		if (task !== this.probe) {
			this.probe = [...this.open].pop()!;
			return await this.create([this.probe], true);
		}
		for (const other of this.open) await this.writer.refused(other, response);
		this.open.clear();
	}

	/** Returns the contacts that don't exist. The others caused a refusal, or were created. */
	private async settleExisting(batch: ContactTask[], isUnclear = false): Promise<ContactTask[]> {
		const known = await this.find(batch);
		const isMissing = (id: string) => known.withId(id).length === 0 && !known.failed.has(id);
		const rest = batch.filter((task) => isMissing(idOf(task)) || !this.open.delete(task));
		await forEachLimited(batch, this.api.maxConcurrency, async (task) => {
			const [contact] = known.withId(idOf(task));
			if (!contact) return;
			await this.writer.exists(task, contact, isUnclear || this.isNew(contact, task));
		});
		return rest;
	}

	private async settleUnknown(batch: ContactTask[], response: ApiResponse, isLastTry: boolean) {
		let open = batch;
		const look = async () => (open = await this.settleExisting(open, true));
		// If it fails, `createInBatches` says what may have been created.
		await lookUntil(this.api, look, ({ length }) => length === 0, '');
		if (!isLastTry) return await this.create(open, true, true);
		for (const task of open) {
			const error = this.api.failure({ ...response, attempts: 2 });
			this.writer.failed(task, mayExist(error, [task]));
		}
	}

	/** Whether the contact is new enough to come from a request of this run. */
	private isNew({ created_at }: Contact, task: ContactTask): boolean {
		return (readTimestamp(created_at) ?? Infinity) >= this.sentAt.get(task)!;
	}

	/** @param refusal of a single contact; it comes first in errors, since it may say more than a failed lookup */
	private async find(tasks: ContactTask[], refusal?: ApiResponse): Promise<KnownContacts> {
		const byId = new Map(tasks.map((task) => [idOf(task), task]));
		const { chatbotId } = this.writer;
		return await findContacts(this.api, chatbotId, new Set(byId.keys()), false, (id, error) => {
			const task = byId.get(id)!;
			let told = error as NodeApiError;
			if (refusal) {
				const lookup = errorText(told).slice(0, maxQuoteLength);
				const sentence = `The lookup of the contact failed: ${lookup}`;
				told = withSentence(this.api.failure(refusal), sentence);
			}
			this.writer.failed(task, this.mayExist.has(task) ? mayExist(told, [task]) : told);
		});
	}
}

function idOf({ wanted }: ContactTask): string {
	return String(wanted.fields.get('external_id'));
}

const maxQuoteLength = 500;

const maxNames = 3;

function mayExist(error: NodeApiError, tasks: ContactTask[]): NodeApiError {
	const names = tasks.slice(0, maxNames).map(idOf);
	const more = tasks.length > maxNames ? ` and ${tasks.length - maxNames} more` : '';
	const noun = tasks.length === 1 ? 'Contact' : 'Contacts';
	return withSentence(
		error,
		`${noun} ${names.join(', ')}${more} may have been created. Check before you run again, or use Create or Update.`,
	);
}

/** The contacts in a response, by External ID. The list is in `data` or in `data.created`. */
function createdContacts(response: ApiResponse): Map<string, Contact> {
	const data = dataIn(response);
	const list = isObject(data) ? data.created : data;
	const contacts = Array.isArray(list) ? (list.filter(isObject) as Contact[]) : [];
	return new Map(contacts.map((contact) => [externalIdOf(contact) ?? '', contact]));
}
