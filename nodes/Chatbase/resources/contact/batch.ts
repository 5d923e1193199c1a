import type { IDataObject, NodeApiError } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { escapeHtml } from '../../api/errors';
import { forEachLimited } from '../../api/limits';
import { fillPath } from '../../api/address';
import type { ApiResponse } from '../../api/response';
import { isObject } from '../../values/object';
import { readTimestamp } from '../../values/time';
import type { Contact } from './contact';
import { contactsPath, externalIdOf } from './contact';
import { findContacts, maxPageSize } from './list';
import type { KnownContacts } from './match';

const second = 1000;

/** A contact to create, and what to do with the outcome. */
export interface Creation {
	externalId: string;
	/** The contact as it is sent. */
	data: IDataObject;
	onCreated(contact: Contact): void;
	/**
	 * Called if the service turns out to have a contact with this ID.
	 *
	 * @param mayBeOurs whether a request of ours may have created it
	 */
	onExisting(contact: Contact, mayBeOurs: boolean): Promise<void>;
	/** Called if the service has refused the contact. */
	onRefused(response: ApiResponse): Promise<void>;
	/** Called if something else keeps the contact from being created. */
	onFailed(error: unknown): void;
}

/** Statuses that say something about the data of a batch, and not about the service or the key. */
const refusals = [400, 409, 413, 422];

/**
 * Creates contacts in batches of up to 1,000. After a refusal, the list is read once, then the batch is halved until the
 * contact that is to blame stands alone. A batch whose outcome is not known is looked for, with growing pauses for as
 * long as a response may take; what has not appeared by then is sent once more.
 *
 * @param creations each hears of its outcome
 * @param areMissing whether the list was looked at before and had none of them
 */
export async function createInBatches(
	api: ApiClient,
	chatbotId: string,
	creations: Creation[],
	areMissing: boolean,
): Promise<void> {
	const starts = Array.from({ length: Math.ceil(creations.length / maxPageSize) }, (_, index) => [
		...creations.slice(index * maxPageSize, (index + 1) * maxPageSize),
	]);
	const creator = new BatchCreator(api, chatbotId);
	await forEachLimited(starts, api.maxConcurrency, async (batch) => {
		try {
			await creator.create(batch, areMissing);
		} catch (error) {
			batch.forEach(({ onFailed }) => onFailed(error));
		}
	});
}

class BatchCreator {
	/** When each contact was sent first, by the clock of the service. */
	private readonly sentAt = new Map<Creation, number>();

	constructor(
		private readonly api: ApiClient,
		private readonly chatbotId: string,
	) {}

	/** One half after the other: in Stop mode the first contact that fails keeps the rest from being sent. */
	async create(batch: Creation[], areMissing: boolean, isLastTry = false): Promise<void> {
		const wereSent = batch.some((creation) => this.sentAt.has(creation));
		const response = await this.api.send({
			method: 'POST',
			path: fillPath(contactsPath, { chatbotId: this.chatbotId }),
			body: { users: batch.map(({ data }) => data) },
			resource: 'contacts',
		});
		for (const creation of batch) {
			if (!this.sentAt.has(creation)) this.sentAt.set(creation, response.sentAt);
		}
		if (response.mayHaveRun) return await this.settleUnknown(batch, response, isLastTry);
		if (!response.outcome) return await this.settleCreated(batch, response);
		if (!refusals.includes(response.status ?? 0)) {
			const error = this.api.failure(response);
			throw wereSent ? mayExist(error, batch) : error;
		}
		if (batch.length === 1) return await this.settleSingle(batch[0], response, wereSent);
		const rest = areMissing ? batch : await this.settleExisting(batch);
		if (rest.length < batch.length) return await this.create(rest, true);
		const middle = Math.ceil(rest.length / 2);
		await this.create(rest.slice(0, middle), true);
		await this.create(rest.slice(middle), true);
	}

	private async settleCreated(batch: Creation[], response: ApiResponse) {
		const created = createdContacts(response);
		const open = batch.filter((creation) => {
			const contact = created.get(creation.externalId);
			if (contact) creation.onCreated(contact);
			return !contact;
		});
		if (open.length === 0) return;
		const known = await this.find(open);
		for (const creation of open) {
			const [contact] = known.withId(creation.externalId);
			if (contact) creation.onCreated(contact);
			else creation.onFailed(mayExist(this.api.unexpected(response), [creation]));
		}
	}

	private async settleSingle(creation: Creation, response: ApiResponse, wasSent: boolean) {
		const known = await this.find([creation], wasSent);
		const [contact] = known.withId(creation.externalId);
		if (contact) await creation.onExisting(contact, wasSent && this.mayBeOurs(contact, creation));
		else if (known.failed.size === 0) await creation.onRefused(response);
	}

	/**
	 * Looks in the list for contacts of a refused batch: those that exist are to blame, or were stored with it.
	 *
	 * @returns the others
	 */
	private async settleExisting(batch: Creation[]): Promise<Creation[]> {
		const known = await this.find(batch);
		const rest: Creation[] = [];
		await forEachLimited(batch, this.api.maxConcurrency, async (creation) => {
			const [contact] = known.withId(creation.externalId);
			if (contact) await creation.onExisting(contact, this.mayBeOurs(contact, creation));
			else if (!known.failed.has(creation.externalId)) rest.push(creation);
		});
		return rest;
	}

	private async settleUnknown(batch: Creation[], response: ApiResponse, isLastTry: boolean) {
		let open = batch;
		let waited = 0;
		for (let pause = second; ; pause *= 2) {
			const known = await this.find(open);
			await Promise.all(
				open.map(async ({ externalId, onExisting }) => {
					const [contact] = known.withId(externalId);
					if (contact) await onExisting(contact, true);
				}),
			);
			open = open.filter(
				({ externalId: id }) => known.withId(id).length === 0 && !known.failed.has(id),
			);
			if (open.length === 0) return;
			// What the service is still busy with may appear for as long as its response may take.
			if (waited >= this.api.timeout) break;
			await this.api.wait(pause);
			waited += pause;
		}
		if (!isLastTry) return await this.create(open, true, true);
		for (const creation of open) {
			creation.onFailed(mayExist(this.api.failure({ ...response, attempts: 2 }), [creation]));
		}
	}

	/** Whether a contact is not older than the request that may have created it. */
	private mayBeOurs({ created_at }: Contact, creation: Creation): boolean {
		return (readTimestamp(created_at) ?? Infinity) >= this.sentAt.get(creation)!;
	}

	/** Looks contacts up after a request that may have created them, unless `mightExist` is false. */
	private async find(creations: Creation[], mightExist = true): Promise<KnownContacts> {
		const byId = new Map(creations.map((creation) => [creation.externalId, creation]));
		const explained = (error: unknown, about: Creation[]) =>
			mightExist ? mayExist(error as NodeApiError, about) : error;
		try {
			return await findContacts(
				this.api,
				this.chatbotId,
				new Set(byId.keys()),
				false,
				(id, error) => byId.get(id)!.onFailed(explained(error, [byId.get(id)!])),
			);
		} catch (error) {
			throw explained(error, creations);
		}
	}
}

const maxNames = 3;

function mayExist(error: NodeApiError, creations: Creation[]): NodeApiError {
	const names = creations.slice(0, maxNames).map(({ externalId }) => externalId);
	const more = creations.length > maxNames ? ` and ${creations.length - maxNames} more` : '';
	const words = `Whether the service has created ${names.join(', ')}${more} is not known: look before you create it again.`;
	error.description = `${error.description ?? ''} ${escapeHtml(words)}`.trim();
	return error;
}

/** The contacts in a response, by External ID. The list stands in `data`, or in `data.created`. */
function createdContacts({ body, version }: ApiResponse): Map<string, Contact> {
	const data = version.dataIn(body);
	const list = isObject(data) ? data.created : data;
	const contacts = Array.isArray(list) ? (list.filter(isObject) as Contact[]) : [];
	return new Map(contacts.map((contact) => [externalIdOf(contact) ?? '', contact]));
}
