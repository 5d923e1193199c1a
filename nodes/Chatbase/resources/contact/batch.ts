import type { NodeApiError } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { errorText, withSentence } from '../../api/errors';
import { forEachLimited } from '../../api/limits';
import { fillPath } from '../../api/address';
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
import type { ContactWork, ContactWriter } from './writer';

/** Statuses about the data of a batch, not about the service or the key. */
const refusals = [400, 409, 413, 422];

/** After so many equal refusals of single contacts, the service may refuse all contacts, such as on a full plan. */
const maxAlike = 20;

export class RefusalStreak {
	private words = '';

	private length = 0;

	private last?: ApiResponse;

	add(response: ApiResponse) {
		const { outcome, body, version } = response;
		const words = JSON.stringify([outcome, version.wordsIn(body)]);
		this.length = words === this.words ? this.length + 1 : 1;
		this.words = words;
		this.last = response;
	}

	end() {
		this.length = 0;
	}

	/** The last refusal of a long streak. */
	get refusal(): ApiResponse | undefined {
		return this.length >= maxAlike ? this.last : undefined;
	}
}

/**
 * Creates contacts in batches of up to 1,000. After a refusal, the list is read once, then the batch is halved until the
 * refused contacts are found. After 20 equal refusals the last contact of the batch is tried: if it gets the same one,
 * the rest fails without a request. After an unclear outcome, the contacts are looked up with growing pauses, and sent
 * once more if they have not appeared.
 */
export async function createInBatches(writer: ContactWriter, works: ContactWork[]): Promise<void> {
	const batches = chunk(works, maxPageSize);
	const streak = new RefusalStreak();
	await forEachLimited(batches, writer.api.maxConcurrency, async (batch) => {
		const creator = new BatchCreator(writer, batch, streak);
		try {
			await creator.create(batch, writer.isLookedUp);
		} catch (error) {
			const unclear = batch.filter((work) => creator.mayExist.has(work));
			const told = unclear.length > 0 ? mayExist(error as NodeApiError, unclear) : error;
			batch.forEach((work) => writer.failed(work, told));
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

	private readonly api: ApiClient;

	constructor(
		private readonly writer: ContactWriter,
		batch: ContactWork[],
		private readonly streak: RefusalStreak,
	) {
		this.open = new Set(batch);
		this.api = writer.api;
	}

	/** Sends one half after the other, since in Stop mode nothing is sent after the first failure. */
	async create(works: ContactWork[], areMissing: boolean, isLastTry = false): Promise<void> {
		const batch = works.filter((work) => this.open.has(work));
		if (batch.length === 0) return;
		const response = await this.api.send({
			method: 'POST',
			path: fillPath(contactsPath, { chatbotId: this.writer.chatbotId }),
			body: { users: batch.map((work) => this.writer.bodyOf(work)) },
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
		if (batch.length === 1) return await this.settleSingle(batch[0], response);
		batch.forEach((work) => this.mayExist.add(work));
		const rest = areMissing ? batch : await this.settleExisting(batch);
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
			if (contact) this.writer.created(work, contact);
			return !contact;
		});
		if (open.length === 0) return;
		const known = await this.find(open);
		for (const work of open) {
			const [contact] = known.withId(idOf(work));
			if (contact) this.writer.created(work, contact);
			else this.writer.failed(work, mayExist(this.api.unexpected(response), [work]));
		}
	}

	private async settleSingle(work: ContactWork, response: ApiResponse) {
		this.open.delete(work);
		const known = await this.find([work], response);
		const [contact] = known.withId(idOf(work));
		if (contact) {
			this.streak.end();
			const mayBeOurs = this.mayExist.has(work) && this.isNew(contact, work);
			return await this.writer.exists(work, contact, mayBeOurs);
		}
		if (known.failed.size === 0) await this.writer.refused(work, response);
		this.streak.add(response);
		if (!this.streak.refusal || this.open.size === 0) return;
		if (work !== this.probe) {
			this.probe = [...this.open].pop()!;
			return await this.create([this.probe], true);
		}
		for (const other of this.open) await this.writer.refused(other, response);
		this.open.clear();
	}

	/** Returns the contacts that don't exist. The others caused a refusal, or were created. */
	private async settleExisting(batch: ContactWork[], isUnclear = false): Promise<ContactWork[]> {
		const known = await this.find(batch);
		const isMissing = (id: string) => known.withId(id).length === 0 && !known.failed.has(id);
		const rest = batch.filter((work) => isMissing(idOf(work)) || !this.open.delete(work));
		await forEachLimited(batch, this.api.maxConcurrency, async (work) => {
			const [contact] = known.withId(idOf(work));
			if (!contact) return;
			await this.writer.exists(work, contact, isUnclear || this.isNew(contact, work));
		});
		return rest;
	}

	private async settleUnknown(batch: ContactWork[], response: ApiResponse, isLastTry: boolean) {
		let open = batch;
		const look = async () => (open = await this.settleExisting(open, true));
		// If it fails, `createInBatches` says what may have been created.
		await lookUntil(this.api, look, ({ length }) => length === 0, '');
		if (!isLastTry) return await this.create(open, true, true);
		for (const work of open) {
			const error = this.api.failure({ ...response, attempts: 2 });
			this.writer.failed(work, mayExist(error, [work]));
		}
	}

	/** Whether the contact is new enough to come from a request of this run. */
	private isNew({ created_at }: Contact, work: ContactWork): boolean {
		return (readTimestamp(created_at) ?? Infinity) >= this.sentAt.get(work)!;
	}

	/** @param refusal of a single contact; it comes first in errors, since it may say more than a failed lookup */
	private async find(works: ContactWork[], refusal?: ApiResponse): Promise<KnownContacts> {
		const byId = new Map(works.map((work) => [idOf(work), work]));
		const { chatbotId } = this.writer;
		return await findContacts(this.api, chatbotId, new Set(byId.keys()), false, (id, error) => {
			const work = byId.get(id)!;
			let told = error as NodeApiError;
			if (refusal) {
				const lookup = errorText(told).slice(0, maxQuoteLength);
				const sentence = `The lookup of the contact failed: ${lookup}`;
				told = withSentence(this.api.failure(refusal), sentence);
			}
			this.writer.failed(work, this.mayExist.has(work) ? mayExist(told, [work]) : told);
		});
	}
}

function idOf({ wanted }: ContactWork): string {
	return String(wanted.fields.get('external_id'));
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
