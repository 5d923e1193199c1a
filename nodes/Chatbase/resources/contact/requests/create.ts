import type { IDataObject, NodeApiError } from 'n8n-workflow';

import { escapeHtml } from '../../../api/html';
import type { ApiResponse } from '../../../api/response';
import type { ApiClient } from '../../../api/client';
import { chunk } from '../../../values/chunk';
import { isObject } from '../../../values/object';
import { readTimestamp } from '../../../values/time';
import type { Contact } from '../plan/contact';
import { externalIdOf } from '../plan/contact';
import { findContacts } from './find';
import { maxPageSize, pathOfContacts } from './paths';

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
	onRefused(response: ApiResponse): Promise<void>;
	/** Called when something else keeps it from being created. */
	onFailed(error: unknown): void;
}

/** Statuses that say something about the data of a batch, and not about the service or the key. */
const refusals = [400, 409, 413, 422];

/**
 * Creates contacts in batches of up to 1000.
 *
 * A batch that the service refuses is held against the list once; what is left is halved until the contact that is to
 * blame stands alone. Where the service has stored what came before that contact, the end of it is searched instead,
 * and all that was stored so is looked up together in the end. A batch whose outcome is not known is looked for, with
 * growing pauses for as long as a response may take; what has not appeared by then is sent once more.
 *
 * @param creations what to create; each hears of its outcome
 * @param areMissing whether the list was looked at before and had none of them
 */
export async function createContacts(
	api: ApiClient,
	chatbotId: string,
	creations: Creation[],
	areMissing: boolean,
): Promise<void> {
	const creator = new ContactCreator(api, chatbotId);
	const failures: Array<() => void> = [];
	await Promise.all(
		chunk(creations, maxPageSize).map(async (batch) => {
			try {
				await creator.create(batch, { areMissing });
			} catch (error) {
				failures.push(() => batch.forEach(({ onFailed }) => onFailed(error)));
			}
		}),
	);
	await creator.confirm();
	// What was stored before its batch failed is answered by now.
	failures.forEach((fail) => fail());
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

	/** Contacts that seem to be stored with a batch that was refused, and what the service said to it. */
	private presumed = new Map<Creation, ApiResponse>();

	constructor(
		private readonly api: ApiClient,
		private readonly chatbotId: string,
	) {}

	async create(batch: Creation[], past: Past): Promise<void> {
		const response = await this.api.send({
			method: 'POST',
			path: pathOfContacts(this.chatbotId),
			body: { users: batch.map(({ data }) => data) },
			subject,
		});
		if (response.mayHaveRun) return await this.settleUnknown(batch, response, past);
		if (!response.outcome) return await this.settleCreated(batch, response);
		if (!refusals.includes(response.status ?? 0)) {
			const error = this.api.failure(response, subject);
			throw past.wereSent ? this.mayExist(error, enumerated(idsOf(batch))) : error;
		}
		if (batch.length === 1) return await this.settleRefusedAlone(batch[0], response, past);
		if (!past.areMissing) return await this.settleByList(batch, response);
		if (await this.hasStoredPart(batch, response)) return await this.settleParts(batch, response);
		await this.createHalves(batch);
	}

	/** Looks up what seems to be stored. What is not is sent once more. */
	async confirm(): Promise<void> {
		for (const isLastTry of [false, true]) {
			const presumed = [...this.presumed];
			this.presumed = new Map();
			const missing: Creation[] = [];
			try {
				if (presumed.length === 0) return;
				const found = await this.find(presumed.map(([creation]) => creation));
				for (const [creation, response] of presumed) {
					const { externalId, onExisting, onFailed } = creation;
					const contact = found.byId.get(externalId);
					if (contact) await onExisting(contact, true);
					else if (found.failed.has(externalId)) continue;
					else if (!isLastTry) missing.push(creation);
					else onFailed(this.mayExist(this.api.failure(response, subject), externalId));
				}
				if (missing.length > 0) await this.create(missing, sentBefore);
			} catch (error) {
				presumed.forEach(([{ onFailed }]) => onFailed(error));
			}
		}
	}

	private async settleCreated(batch: Creation[], response: ApiResponse) {
		const created = createdContacts(response);
		if (this.probe !== undefined && created.has(this.probe)) this.storesParts ??= false;
		const open: Creation[] = [];
		for (const creation of batch) {
			const contact = created.get(creation.externalId);
			if (contact) creation.onCreated(contact);
			else open.push(creation);
		}
		if (open.length === 0) return;
		const { byId } = await this.find(open);
		for (const { externalId, onCreated, onFailed } of open) {
			const contact = byId.get(externalId);
			if (contact) onCreated(contact);
			else onFailed(this.mayExist(this.api.unexpected(response, subject), externalId));
		}
	}

	private async settleRefusedAlone(
		creation: Creation,
		response: ApiResponse,
		{ wereSent = false }: Past,
	) {
		const { externalId, onExisting, onRefused } = creation;
		const { byId, failed } = await this.find([creation], wereSent);
		const contact = byId.get(externalId);
		if (failed.has(externalId)) return;
		if (externalId === this.probe) this.probe = undefined;
		// What was never sent before is somebody else's.
		if (contact) await onExisting(contact, wereSent);
		else await onRefused(response);
	}

	/** Looks in the list for contacts of a refused batch: those that exist are to blame, or were stored with it. */
	private async settleByList(batch: Creation[], response: ApiResponse) {
		const { byId, failed } = await this.find(batch);
		const existing = batch.filter(({ externalId }) => byId.has(externalId));
		await Promise.all(
			existing.map(async ({ externalId, onExisting }) => {
				const contact = byId.get(externalId)!;
				const isOurs = isYoungerThan(contact, response);
				if (isOurs) this.storesParts = true;
				await onExisting(contact, isOurs);
			}),
		);
		const rest = batch.filter(({ externalId: id }) => !byId.has(id) && !failed.has(id));
		if (rest.length === 0) return;
		if (existing.length > 0) return await this.create(rest, sentBefore);
		this.probe ??= rest[0].externalId;
		await this.createHalves(rest);
	}

	/** One half after the other: in Stop mode the first contact that fails keeps the rest from being sent. */
	private async createHalves(batch: Creation[]) {
		for (const half of chunk(batch, Math.ceil(batch.length / 2))) {
			await this.create(half, sentBefore);
		}
	}

	/** Whether the service has stored the beginning of a refused batch. */
	private async hasStoredPart([first]: Creation[], response: ApiResponse): Promise<boolean> {
		if (this.storesParts !== undefined) return this.storesParts;
		if (this.probe !== undefined) return false;
		if (await this.exists(first, response)) this.storesParts = true;
		else this.probe = first.externalId;
		return this.storesParts === true;
	}

	/** Searches the contact at which a batch was given up; all before it seem to be stored. */
	private async settleParts(batch: Creation[], response: ApiResponse) {
		let [stored, end] = [0, batch.length];
		while (stored < end) {
			const middle = Math.floor((stored + end) / 2);
			if (await this.exists(batch[middle], response)) stored = middle + 1;
			else end = middle;
		}
		batch.slice(0, stored).forEach((creation) => this.presumed.set(creation, response));
		const [refused, ...rest] = batch.slice(stored);
		if (refused) await this.create([refused], sentBefore);
		if (rest.length > 0) await this.create(rest, sentBefore);
	}

	private async exists(creation: Creation, response: ApiResponse): Promise<boolean> {
		const { byId, failed } = await this.find([creation]);
		if (failed.size > 0) {
			throw this.mayExist(this.api.failure(response, subject), 'the contacts of this request');
		}
		return byId.has(creation.externalId);
	}

	private async settleUnknown(batch: Creation[], response: ApiResponse, past: Past) {
		let open = batch;
		let waited = 0;
		for (let pause = second; ; pause *= 2) {
			const found = await this.find(open);
			await Promise.all(
				open.map(async ({ externalId, onExisting }) => {
					const contact = found.byId.get(externalId);
					if (contact) await onExisting(contact, true);
				}),
			);
			open = open.filter(({ externalId: id }) => !found.byId.has(id) && !found.failed.has(id));
			if (open.length === 0) return;
			// What the service is still busy with may appear for as long as its response may take.
			if (waited >= this.api.timeout) break;
			await this.api.wait(pause);
			waited += pause;
		}
		if (!past.isLastTry) return await this.create(open, { ...sentBefore, isLastTry: true });
		const failure = { ...response, attempts: 2 };
		for (const { externalId, onFailed } of open) {
			onFailed(this.mayExist(this.api.failure(failure, subject), externalId));
		}
	}

	/**
	 * Looks contacts up after a request that may have created them.
	 *
	 * @param mayExist whether that request, or one before it, may have; otherwise it was about one contact and refused
	 */
	private async find(creations: Creation[], mayExist = true) {
		const byOwnId = new Map(creations.map((creation) => [creation.externalId, creation]));
		const explained = (error: unknown, id: string) =>
			mayExist ? this.mayExist(error as NodeApiError, id) : error;
		try {
			return await findContacts(
				this.api,
				this.chatbotId,
				new Set(byOwnId.keys()),
				false,
				(id, error) => byOwnId.get(id)!.onFailed(explained(error, id)),
			);
		} catch (error) {
			throw explained(error, enumerated(idsOf(creations)));
		}
	}

	private mayExist(error: NodeApiError, ids: string): NodeApiError {
		const words = `Whether the service has created ${ids} is not known: look before you create it again.`;
		// An error can be that of several contacts; each of them is named once.
		error.description = `${error.description ?? ''} ${escapeHtml(words)}`.trim();
		return error;
	}
}

function idsOf(creations: Creation[]): string[] {
	return creations.map(({ externalId }) => externalId);
}

const namedAtMost = 3;

/** The IDs of a batch, as many as a text can hold. */
function enumerated(ids: string[]): string {
	const more = ids.length - namedAtMost;
	return ids.slice(0, namedAtMost).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/**
 * Whether the service says that it has created a contact after it got a request. The time of the request is taken by
 * the clock of the service, which its response tells.
 */
function isYoungerThan({ created_at }: Contact, { sentAt }: ApiResponse): boolean {
	return (readTimestamp(created_at) ?? -Infinity) >= sentAt;
}

/** The contacts in a response, by External ID. The list stands in `data`, or in `data.created`. */
function createdContacts({ body }: ApiResponse): Map<string, Contact> {
	const data = isObject(body) ? body.data : undefined;
	const list = isObject(data) ? data.created : data;
	const contacts = Array.isArray(list) ? (list.filter(isObject) as Contact[]) : [];
	return new Map(contacts.map((contact) => [externalIdOf(contact) ?? '', contact]));
}
