import type { IDataObject, NodeApiError } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { errorText, withSentence } from '../../api/errors';
import { forEachLimited } from '../../api/limits';
import { fillPath } from '../../api/address';
import type { ApiResponse } from '../../api/response';
import { dataIn } from '../../api/response';
import { chunk } from '../../values/chunk';
import { isObject } from '../../values/object';
import { readTimestamp } from '../../values/time';
import type { Contact } from './contact';
import { contactsPath, externalIdOf } from './contact';
import { findContacts, maxPageSize } from './list';
import type { KnownContacts } from './match';
import type { ContactWork } from './writer';

const second = 1000;

export interface CreationOutcomes {
	bodyOf(work: ContactWork): IDataObject;
	created(work: ContactWork, contact: Contact): void;
	/** @param mayBeOurs whether a request of this run may have created the contact */
	exists(work: ContactWork, contact: Contact, mayBeOurs: boolean): Promise<void>;
	refused(work: ContactWork, response: ApiResponse): Promise<void>;
	failed(work: ContactWork, error: unknown): void;
}

/** Statuses about the data of a batch, not about the service or the key. */
const refusals = [400, 409, 413, 422];

/** After so many equal refusals of single contacts, the service may refuse all contacts, such as on a full plan. */
const maxAlike = 20;

export class RefusalStreak {
	private words = '';

	private length = 0;

	add({ outcome, body, version }: ApiResponse) {
		const words = JSON.stringify([outcome, version.wordsIn(body)]);
		this.length = words === this.words ? this.length + 1 : 1;
		this.words = words;
	}

	end() {
		this.length = 0;
	}

	get isLong(): boolean {
		return this.length >= maxAlike;
	}
}

/**
 * Creates contacts in batches of up to 1,000. After a refusal, the list is read once, then the batch is halved until the
 * refused contacts are found. After 20 equal refusals the last contact of the batch is tried: if it gets the same one,
 * the rest fails without a request. After an unclear outcome, the contacts are looked up with growing pauses, for as long
 * as a response may take. Contacts that have not appeared by then are sent once more.
 *
 * @param areMissing whether the list was read before and had none of them
 */
export async function createInBatches(
	api: ApiClient,
	chatbotId: string,
	works: ContactWork[],
	areMissing: boolean,
	outcomes: CreationOutcomes,
): Promise<void> {
	const batches = chunk(works, maxPageSize);
	const streak = new RefusalStreak();
	await forEachLimited(batches, api.maxConcurrency, async (batch) => {
		const creator = new BatchCreator(api, chatbotId, outcomes, batch, streak);
		try {
			await creator.create(batch, areMissing);
		} catch (error) {
			const unclear = batch.filter((work) => creator.mayExist.has(work));
			const told = unclear.length > 0 ? mayExist(error as NodeApiError, unclear) : error;
			batch.forEach((work) => outcomes.failed(work, told));
		}
	});
}

class BatchCreator {
	/** Contacts that an unclear or refused request may have created. */
	readonly mayExist = new Set<ContactWork>();

	/** When each contact was first sent, by the clock of the service. */
	private readonly sentAt = new Map<ContactWork, number>();

	/** Contacts of the batch without a result, in order. */
	private readonly open: Set<ContactWork>;

	/** The last contact of the batch, tried after many equal refusals. */
	private probe?: ContactWork;

	constructor(
		private readonly api: ApiClient,
		private readonly chatbotId: string,
		private readonly outcomes: CreationOutcomes,
		batch: ContactWork[],
		private readonly streak: RefusalStreak,
	) {
		this.open = new Set(batch);
	}

	/** Sends one half after the other, since in Stop mode nothing is sent after the first failure. */
	async create(works: ContactWork[], areMissing: boolean, isLastTry = false): Promise<void> {
		const batch = works.filter((work) => this.open.has(work));
		if (batch.length === 0) return;
		const wereSent = batch.some((work) => this.sentAt.has(work));
		const response = await this.api.send({
			method: 'POST',
			path: fillPath(contactsPath, { chatbotId: this.chatbotId }),
			body: { users: batch.map((work) => this.outcomes.bodyOf(work)) },
			resource: 'contacts',
		});
		for (const work of batch) {
			if (!this.sentAt.has(work)) this.sentAt.set(work, response.sentAt);
		}
		if (response.mayHaveRun) {
			batch.forEach((work) => this.mayExist.add(work));
			return await this.settleUnknown(batch, response, isLastTry);
		}
		if (!response.outcome) return await this.settleCreated(batch, response);
		if (!refusals.includes(response.status ?? 0)) throw this.api.failure(response);
		if (batch.length > 1) batch.forEach((work) => this.mayExist.add(work));
		if (batch.length === 1) return await this.settleSingle(batch[0], response, wereSent);
		const rest = areMissing ? batch : await this.settleExisting(batch);
		if (rest.length === 0) return;
		if (rest.length < batch.length) return await this.create(rest, true);
		const middle = Math.ceil(rest.length / 2);
		await this.create(rest.slice(0, middle), true);
		await this.create(rest.slice(middle), true);
	}

	private async settleCreated(batch: ContactWork[], response: ApiResponse) {
		const created = createdContacts(response);
		if (created.size > 0) this.streak.end();
		batch.forEach((work) => this.open.delete(work));
		const open = batch.filter((work) => {
			const contact = created.get(idOf(work));
			if (contact) this.outcomes.created(work, contact);
			return !contact;
		});
		if (open.length === 0) return;
		const known = await this.find(open);
		for (const work of open) {
			const [contact] = known.withId(idOf(work));
			if (contact) this.outcomes.created(work, contact);
			else this.outcomes.failed(work, mayExist(this.api.unexpected(response), [work]));
		}
	}

	private async settleSingle(work: ContactWork, response: ApiResponse, wasSent: boolean) {
		this.open.delete(work);
		const known = await this.find([work], response);
		const [contact] = known.withId(idOf(work));
		if (contact) {
			this.streak.end();
			return await this.outcomes.exists(work, contact, wasSent && this.mayBeOurs(contact, work));
		}
		if (known.failed.size === 0) await this.outcomes.refused(work, response);
		this.streak.add(response);
		if (!this.streak.isLong || this.open.size === 0) return;
		if (work !== this.probe) {
			this.probe = [...this.open].pop()!;
			return await this.create([this.probe], true);
		}
		for (const other of this.open) await this.outcomes.refused(other, response);
		this.open.clear();
	}

	/**
	 * Looks up the contacts of a refused batch. Those that exist may have caused the refusal, or were created by the batch.
	 *
	 * @returns the others
	 */
	private async settleExisting(batch: ContactWork[]): Promise<ContactWork[]> {
		const known = await this.find(batch);
		const rest = batch.filter((work) => isMissing(known, work) || !this.open.delete(work));
		await forEachLimited(batch, this.api.maxConcurrency, async (work) => {
			const [contact] = known.withId(idOf(work));
			if (contact) await this.outcomes.exists(work, contact, this.mayBeOurs(contact, work));
		});
		return rest;
	}

	private async settleUnknown(batch: ContactWork[], response: ApiResponse, isLastTry: boolean) {
		let open = batch;
		let waited = 0;
		for (let pause = second; ; pause *= 2) {
			const known = await this.find(open);
			await forEachLimited(open, this.api.maxConcurrency, async (work) => {
				const [contact] = known.withId(idOf(work));
				if (contact) await this.outcomes.exists(work, contact, true);
			});
			open = open.filter((work) => isMissing(known, work) || !this.open.delete(work));
			if (open.length === 0) return;
			// The service may still be creating contacts, for as long as its response may take.
			if (waited >= this.api.timeout) break;
			await this.api.wait(pause);
			waited += pause;
		}
		if (!isLastTry) return await this.create(open, true, true);
		for (const work of open) {
			const error = this.api.failure({ ...response, attempts: 2 });
			this.outcomes.failed(work, mayExist(error, [work]));
		}
	}

	/** Whether the contact is new enough to come from a request of this run. */
	private mayBeOurs({ created_at }: Contact, work: ContactWork): boolean {
		return (readTimestamp(created_at) ?? Infinity) >= this.sentAt.get(work)!;
	}

	/** @param refusal the refusal of a single contact */
	private async find(works: ContactWork[], refusal?: ApiResponse): Promise<KnownContacts> {
		const byId = new Map(works.map((work) => [idOf(work), work]));
		const ids = new Set(byId.keys());
		return await findContacts(this.api, this.chatbotId, ids, false, (id, error) => {
			const work = byId.get(id)!;
			const told = refusal ? this.refusalBefore(refusal, error as NodeApiError) : error;
			const isUnclear = this.mayExist.has(work);
			this.outcomes.failed(work, isUnclear ? mayExist(told as NodeApiError, [work]) : told);
		});
	}

	/** The message of a refusal comes first, since it may say more than the failed lookup after it. */
	private refusalBefore(refusal: ApiResponse, lookUp: NodeApiError): NodeApiError {
		const error = this.api.failure(refusal);
		const told = errorText(lookUp).slice(0, maxQuoteLength);
		return withSentence(error, `The lookup of the contact failed: ${told}`);
	}
}

function idOf({ wanted }: ContactWork): string {
	return String(wanted.fields.get('external_id'));
}

function isMissing(known: KnownContacts, work: ContactWork): boolean {
	return known.withId(idOf(work)).length === 0 && !known.failed.has(idOf(work));
}

const maxQuoteLength = 500;

const maxNames = 3;

function mayExist(error: NodeApiError, works: ContactWork[]): NodeApiError {
	const names = works.slice(0, maxNames).map(idOf);
	const more = works.length > maxNames ? ` and ${works.length - maxNames} more` : '';
	const noun = works.length === 1 ? 'Contact' : 'Contacts';
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
