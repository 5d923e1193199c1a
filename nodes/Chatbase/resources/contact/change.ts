import { type IDataObject, NodeOperationError } from 'n8n-workflow';

import { type ApiClient, RequestExpiredError } from '../../api/client';
import { escapeHtml, shorten } from '../../api/errors';
import type { ApiResponse } from '../../api/response';
import type { InputItem } from '../../execution/item';
import { recordOf, type Sync, type SyncAction } from '../../sync/summary';
import { readAttributesIfAny } from '../customAttribute/attributes';
import type { Contact } from './contact';
import {
	assertIsContact,
	ContactMissing,
	ContactRefused,
	isContactMissing,
	readContact,
	sendToContact,
} from './contact';
import { changeOf, droppedFrom, isAsSent, lostAttributes, type WantedContact } from './difference';
import type { WriteSettings } from './item';

export interface ContactChange {
	wanted: WantedContact;
	settings: WriteSettings;
	/** The current contact; absent if it was not read or will be created. */
	existing?: Contact;
	/** When it was read, by `performance.now()`. */
	readAt: number;
}

interface Written {
	contact: Contact;
	sync: Sync;
}

/** After this time, a contact is read again before attributes are sent that the item does not set. */
const maxAge = 30_000;

const maxReads = 2;

interface WriteLimits {
	/** Whether a contact is left as it is, asked whenever it is read. */
	isSkipped?: (contact: Contact) => boolean;
	/** The refusal that a request would get, if that is known before it is sent. */
	refusalOf?: (data: IDataObject) => ApiResponse | undefined;
}

export async function writeChange(
	api: ApiClient,
	{ wanted, settings, existing, readAt }: ContactChange,
	contactId: string,
	limits: WriteLimits = {},
	reads = 0,
): Promise<Written | ContactMissing | ContactRefused> {
	if (existing && limits.isSkipped?.(existing)) {
		return { contact: existing, sync: { action: 'skipped', changed: [], dropped: [] } };
	}
	const { chatbotId, mode, dryRun } = settings;
	const readSchema = async () => await readAttributesIfAny(api, chatbotId);
	const replaces = mode === 'replace' && wanted.attributes.size > 0;
	const known = wanted.schema ?? (replaces ? await readSchema() : undefined);
	let change = changeOf(existing, wanted, settings, known);
	const resultWith = (contact: Contact, action: SyncAction, dropped: string[]): Written => {
		const { changed, kept } = change;
		return { contact, sync: { action, changed, dropped, ...(kept.length > 0 && { kept }) } };
	};
	if (change.carriesAttributes && (!dryRun || change.rounded.length > 0)) {
		change = changeOf(existing, wanted, settings, await readSchema());
	}
	if (change.rounded.length > 0) throw roundedError(api, contactId, change.rounded);
	if (existing && (change.changed.length === 0 || dryRun)) {
		const action = change.changed.length === 0 ? 'unchanged' : 'wouldUpdate';
		return resultWith(existing, action, droppedFrom({}, wanted, existing));
	}
	const refusal = limits.refusalOf?.(change.data);
	if (refusal) return new ContactRefused(refusal);
	const expiresAt = change.carriesAttributes && reads < maxReads ? readAt + maxAge : undefined;
	const request = { method: 'PATCH', body: { data: change.data }, expiresAt } as const;
	const contact = await patchContact(api, chatbotId, contactId, request, existing).catch(
		(error: unknown) => {
			if (error instanceof RequestExpiredError) return undefined;
			throw error;
		},
	);
	if (!contact) {
		const current = await readContact(api, chatbotId, contactId);
		if (current instanceof ContactMissing) return current;
		const task = { wanted, settings, existing: current, readAt: performance.now() };
		return await writeChange(api, task, contactId, limits, reads + 1);
	}
	if (contact instanceof ContactMissing || contact instanceof ContactRefused) return contact;
	const dropped = [
		...droppedFrom(change.data, wanted, contact),
		...lostAttributes(existing, change.data, wanted, contact),
	];
	return resultWith(contact, 'updated', dropped);
}

function roundedError({ node }: ApiClient, contactId: string, names: string[]) {
	const nextStep = `Contact ${contactId}: ${names.join(', ')} would be sent with the changed attributes, but has more digits than the node can send. Nothing was written. Map it too, or store it as text.`;
	const title = 'A custom attribute has a number with too many digits';
	return new NodeOperationError(node, title, { description: escapeHtml(shorten(nextStep)) });
}

/** @param existing the contact before; undefined if it was not read */
async function patchContact(
	api: ApiClient,
	chatbotId: string,
	contactId: string,
	request: { method: 'PATCH'; body: { data: IDataObject }; expiresAt?: number },
	existing?: Contact,
): Promise<Contact | ContactMissing | ContactRefused> {
	const { data } = request.body;
	const response = await sendToContact(api, chatbotId, contactId, request);
	if (response.outcome === '400' || response.outcome === '409') return new ContactRefused(response);
	const newId = data.external_id;
	if (!isContactMissing(response)) {
		assertIsContact(api, response, [contactId, String(newId ?? contactId)]);
		return api.expectBody<Contact>(response);
	}
	if (!response.mayHaveRun || typeof newId !== 'string' || newId === contactId) {
		return new ContactMissing(response);
	}
	// An attempt whose response was lost may have changed the ID. Or the contact never existed, and another one has the ID.
	const found = await readContact(api, chatbotId, newId);
	if (found instanceof ContactMissing) return found;
	const isSame = existing?.id === undefined ? isAsSent(data, found) : found.id === existing.id;
	return isSame ? found : new ContactMissing(response);
}

/** Throws if fields were dropped and the item should fail then. */
export function allowedRecord(
	item: InputItem,
	{ contact, sync }: Written,
	{ onDroppedFields }: WriteSettings,
): IDataObject {
	const { dropped = [], action } = sync;
	if (onDroppedFields === 'error' && dropped.length > 0) {
		throw droppedError(item, dropped, action === 'created' || action === 'updated');
	}
	return recordOf(contact, onDroppedFields === 'ignore' ? { ...sync, dropped: [] } : sync);
}

export function droppedError(item: InputItem, dropped: string[], isWritten: boolean) {
	return item.error(
		'The service dropped fields',
		`Dropped: ${dropped.join(', ')}. ${isWritten ? 'Everything else was written' : 'Nothing was written'}. Check that the chatbot has custom attributes with exactly these names.`,
	);
}
