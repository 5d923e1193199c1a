import type { IDataObject } from 'n8n-workflow';

import type { Contact } from '../../contacts/contact';
import { chunk } from '../../contacts/upsertPlan';
import type { ServiceResponse } from '../../transport/response';
import type { Service } from '../../transport/service';
import { isObject } from '../../values/object';
import { findContacts } from './findContacts';
import { contactsPath, largestPage } from './requests';

/** How often contacts are sent again that a lost response left open and a look at the list did not find. */
const mostTries = 3;

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
	 * @param mayBeOurs whether a request of ours may have created it whose response was lost
	 * @param response the response that led to it
	 */
	onExisting(contact: Contact, mayBeOurs: boolean, response: ServiceResponse): Promise<void>;
	/** Called when the contact cannot be created. */
	onFailed(error: unknown): void;
}

/** Statuses that say something about the data of a batch, and not about the service or the key. */
const refusals = [400, 409, 413, 422];

/**
 * Creates contacts in batches of up to 1000. A batch that the service refuses is halved until the contact
 * that is to blame stands alone. A batch whose outcome is not known is looked up and never sent again
 * blindly.
 *
 * @param creations what to create; each hears of its outcome
 */
export async function createContacts(
	service: Service,
	chatbotId: string,
	creations: Creation[],
): Promise<void> {
	const batches = chunk(creations, largestPage);
	await Promise.all(
		batches.map(async (batch) => {
			try {
				await createBatch(service, chatbotId, batch, 1);
			} catch (error) {
				batch.forEach(({ onFailed }) => onFailed(error));
			}
		}),
	);
}

async function createBatch(
	service: Service,
	chatbotId: string,
	batch: Creation[],
	tries: number,
): Promise<void> {
	const response = await service.send({
		method: 'POST',
		path: contactsPath(service.node, chatbotId),
		body: { users: batch.map(({ data }) => data) },
		subject: 'contact',
	});
	const isRefused = response.status !== undefined && refusals.includes(response.status);
	if (response.outcome && !isRefused && !response.unclear) throw service.failure(response, 'contact');
	const created = createdContacts(response);
	batch
		.filter(({ externalId }) => created.has(externalId))
		.forEach(({ externalId, onCreated }) => onCreated(created.get(externalId)!));
	const open = batch.filter(({ externalId }) => !created.has(externalId));
	if (open.length > 0) await settleOpen(service, chatbotId, open, response, tries);
}

/** Deals with contacts that a response does not show as created. */
async function settleOpen(
	service: Service,
	chatbotId: string,
	open: Creation[],
	response: ServiceResponse,
	tries: number,
): Promise<void> {
	const byOwnId = new Map(open.map((creation) => [creation.externalId, creation]));
	const { byId, failed } = await findContacts(
		service,
		chatbotId,
		new Set(byOwnId.keys()),
		false,
		(id, error) => byOwnId.get(id)!.onFailed(error),
	);
	const existing = open.filter(({ externalId }) => byId.has(externalId));
	// A refused batch may have been carried out in part: nobody has documented that it is not.
	const mayBeOurs = response.unclear || !response.outcome || open.length > 1;
	await Promise.all(
		existing.map(
			async ({ externalId, onExisting }) =>
				await onExisting(byId.get(externalId)!, mayBeOurs, response),
		),
	);
	const rest = open.filter(({ externalId }) => !byId.has(externalId) && !failed.has(externalId));
	if (rest.length === 0) return;
	if (!response.outcome) throw service.unexpected(response, 'contact');
	if (response.unclear) {
		if (tries === mostTries) throw service.failure(response, 'contact');
		return await createBatch(service, chatbotId, rest, tries + 1);
	}
	if (existing.length > 0) return await createBatch(service, chatbotId, rest, tries);
	if (rest.length === 1) return rest[0].onFailed(service.failure(response, 'contact'));
	// One half after the other: in Stop mode the first contact that fails keeps the rest from being sent.
	for (const half of chunk(rest, Math.ceil(rest.length / 2))) {
		await createBatch(service, chatbotId, half, tries);
	}
}

/** The contacts in a response, by External ID. The list stands in `data`, or in `data.created`. */
function createdContacts({ body, outcome }: ServiceResponse): Map<string, Contact> {
	const data = isObject(body) && !outcome ? body.data : undefined;
	const list = isObject(data) ? data.created : data;
	const contacts = Array.isArray(list) ? list.filter(isObject) : [];
	return new Map(contacts.map((contact) => [String(contact.external_id), contact as Contact]));
}
