import type { IDataObject, NodeApiError } from 'n8n-workflow';

import { escapeHtml } from '../../../transport/html';
import type { ServiceResponse } from '../../../transport/response';
import type { Service } from '../../../transport/service';
import { chunk } from '../../../values/chunk';
import { isObject } from '../../../values/object';
import { readTimestamp } from '../../../values/time';
import type { Contact } from '../plan/contact';
import { externalIdOf } from '../plan/contact';
import { findContacts, FoundContacts } from './find';
import { largestPage, pathOfContacts } from './paths';

const subject = 'contact';
const second = 1000;

/** A contact to create, and what to do with the outcome. */
export interface Creation {
	externalId: string;
	/** The contact as it is sent. */
	data: IDataObject;
	/** Called when the service has created it. */
	onCreated(contact: Contact): void;
	/**
	 * Called when the service turns out to have a contact with this ID.
	 *
	 * @param mayBeOurs whether a request of ours may have created it
	 */
	onExisting(contact: Contact, mayBeOurs: boolean): Promise<void>;
	/** Called when the service has turned the contact down. */
	onRefused(response: ServiceResponse): Promise<void>;
	/** Called when something else keeps it from being created. */
	onFailed(error: unknown): void;
}

/** Statuses that say something about the data of a batch, and not about the service or the key. */
const refusals = [400, 409, 413, 422];

/**
 * Creates contacts in batches of up to 1000.
 *
 * A batch that the service refuses is held against the list once; what is left is halved until the contact that is to
 * blame stands alone. A batch whose outcome is not known is looked for, with growing pauses for as long as a response
 * may take; what has not appeared by then is sent once more.
 *
 * @param creations what to create; each hears of its outcome
 * @param areMissing whether the list was looked at before and had none of them
 */
export async function createContacts(
	service: Service,
	chatbotId: string,
	creations: Creation[],
	areMissing: boolean,
): Promise<void> {
	const creator = new ContactCreator(service, chatbotId);
	await Promise.all(
		chunk(creations, largestPage).map(async (batch) => {
			try {
				await creator.create(batch, { areMissing });
			} catch (error) {
				batch.forEach(({ onFailed }) => onFailed(error));
			}
		}),
	);
}

/** What is known of contacts that are about to be sent. */
interface Past {
	/** Whether the list was looked at and had none of them. */
	areMissing: boolean;
	/** Whether they were sent before, so that the service may have stored them then. */
	wereSent?: boolean;
	/** Whether the outcome of that was unknown, so that they are not sent once more. */
	isLastTry?: boolean;
}

const sentBefore: Past = { areMissing: true, wereSent: true };

class ContactCreator {
	/**
	 * Whether the service stores a part of a batch that it refuses, which no document tells. Unknown until a contact shows
	 * it that was not stored with a refused batch (`probe`), though it is fine.
	 */
	private storesParts?: boolean;

	private probe?: string;

	constructor(
		private readonly service: Service,
		private readonly chatbotId: string,
	) {}

	async create(batch: Creation[], past: Past): Promise<void> {
		const response = await this.service.send({
			method: 'POST',
			path: pathOfContacts(this.chatbotId),
			body: { users: batch.map(({ data }) => data) },
			subject,
		});
		if (response.unclear) return await this.settleUnknown(batch, response, past);
		if (!response.outcome) return await this.settleCreated(batch, response);
		if (!refusals.includes(response.status ?? 0)) throw this.service.failure(response, subject);
		await this.settleRefused(batch, response, past);
	}

	private async settleCreated(batch: Creation[], response: ServiceResponse) {
		const created = createdContacts(response);
		if (this.probe !== undefined && created.has(this.probe)) this.storesParts ??= false;
		const open: Creation[] = [];
		for (const creation of batch) {
			const contact = created.get(creation.externalId);
			if (contact) creation.onCreated(contact);
			else open.push(creation);
		}
		if (open.length === 0) return;
		const { byId } = await this.find(open, response);
		for (const { externalId, onCreated, onFailed } of open) {
			const contact = byId.get(externalId);
			if (contact) onCreated(contact);
			else onFailed(this.mayExist(this.service.unexpected(response, subject), externalId));
		}
	}

	private async settleRefused(batch: Creation[], response: ServiceResponse, past: Past) {
		const { areMissing, wereSent } = past;
		const isAlone = batch.length === 1;
		const { byId, failed } = await this.existingOf(batch, response, areMissing);
		const existing = batch.filter(({ externalId }) => byId.has(externalId));
		// A contact that was refused alone, and was never sent before, is somebody else's.
		const isOurs = (contact: Contact) =>
			wereSent || (!isAlone && (areMissing || isYoungerThan(contact, response)));
		await Promise.all(
			existing.map(async ({ externalId, onExisting }) => {
				const contact = byId.get(externalId)!;
				if (isOurs(contact) && !isAlone) this.storesParts = true;
				await onExisting(contact, isOurs(contact));
			}),
		);
		const rest = batch.filter(({ externalId: id }) => !byId.has(id) && !failed.has(id));
		if (rest.length === 0) return;
		if (isAlone) {
			if (rest[0].externalId === this.probe) this.probe = undefined;
			return await rest[0].onRefused(response);
		}
		if (existing.length > 0) return await this.create(rest, sentBefore);
		// One half after the other: in Stop mode the first contact that fails keeps the rest from being sent.
		for (const half of chunk(rest, Math.ceil(rest.length / 2))) await this.create(half, sentBefore);
	}

	/** The contacts of a refused batch that exist: looked up in whole only where there can be any. */
	private async existingOf(
		batch: Creation[],
		response: ServiceResponse,
		areMissing: boolean,
	): Promise<Pick<FoundContacts, 'byId' | 'failed'>> {
		const [first] = batch;
		if (batch.length > 1 && areMissing && this.storesParts !== true) {
			if (this.storesParts === false || this.probe !== undefined) return new FoundContacts();
			const found = await this.find([first], response);
			if (found.byId.size === 0) {
				this.probe = first.externalId;
				return found;
			}
		}
		const found = await this.find(batch, response);
		if (!found.byId.has(first.externalId)) this.probe ??= first.externalId;
		return found;
	}

	private async settleUnknown(batch: Creation[], response: ServiceResponse, past: Past) {
		let open = batch;
		let waited = 0;
		for (let pause = second; ; pause *= 2) {
			const found = await this.find(open, response);
			await Promise.all(
				open.map(async ({ externalId, onExisting }) => {
					const contact = found.byId.get(externalId);
					if (contact) await onExisting(contact, true);
				}),
			);
			open = open.filter(({ externalId: id }) => !found.byId.has(id) && !found.failed.has(id));
			if (open.length === 0) return;
			// What the service is still busy with may appear for as long as its response may take.
			if (waited >= this.service.timeout) break;
			await this.service.rest(pause);
			waited += pause;
		}
		if (!past.isLastTry) return await this.create(open, { ...sentBefore, isLastTry: true });
		const failure = { ...response, attempts: 2 };
		for (const { externalId, onFailed } of open) {
			onFailed(this.mayExist(this.service.failure(failure, subject), externalId));
		}
	}

	/** Looks contacts up after a request that may have created them. */
	private async find(creations: Creation[], response: ServiceResponse) {
		const byOwnId = new Map(creations.map((creation) => [creation.externalId, creation]));
		const mayHaveRun = response.unclear || !response.outcome || creations.length > 1;
		const explained = (error: unknown, id: string) =>
			mayHaveRun ? this.mayExist(error as NodeApiError, id) : error;
		try {
			return await findContacts(
				this.service,
				this.chatbotId,
				new Set(byOwnId.keys()),
				false,
				(id, error) => byOwnId.get(id)!.onFailed(explained(error, id)),
			);
		} catch (error) {
			throw explained(error, [...byOwnId.keys()].slice(0, 3).join(', '));
		}
	}

	private mayExist(error: NodeApiError, ids: string): NodeApiError {
		const words = `Whether the service has created ${ids} is not known: look before you create it again.`;
		// An error can be that of several contacts; each of them is named once.
		error.description = `${error.description ?? ''} ${escapeHtml(words)}`.trim();
		return error;
	}
}

/**
 * Whether the service says that it has created a contact after it got a request. The time of the request is taken by
 * the clock of the service, which its response tells.
 */
function isYoungerThan({ created_at }: Contact, { begunAt }: ServiceResponse): boolean {
	return (readTimestamp(created_at) ?? -Infinity) >= begunAt;
}

/** The contacts in a response, by External ID. The list stands in `data`, or in `data.created`. */
function createdContacts({ body }: ServiceResponse): Map<string, Contact> {
	const data = isObject(body) ? body.data : undefined;
	const list = isObject(data) ? data.created : data;
	const contacts = Array.isArray(list) ? (list.filter(isObject) as Contact[]) : [];
	return new Map(contacts.map((contact) => [externalIdOf(contact) ?? '', contact]));
}
