import { type IDataObject, NodeOperationError } from 'n8n-workflow';

import { type ApiClient, RequestExpiredError } from '../../api/client';
import { escapeHtml, shorten } from '../../api/errors';
import type { ApiResponse } from '../../api/response';
import type { InputItem } from '../../execution/item';
import { recordOf, type Sync, type SyncAction } from '../../sync/summary';
import { readAttributesIfAny } from '../customAttribute/attributes';
import {
	assertIsContact,
	type Contact,
	ContactMissing,
	ContactRefused,
	isContactMissing,
	readContact,
	sendToContact,
} from './contact';
import type { Values, WantedContact } from './difference';
import { changeOf, dataOf, droppedFrom, hasAttributes, isAsSent } from './difference';
import type { WriteSettings } from './fields';

export interface ContactChange {
	wanted: WantedContact;
	settings: WriteSettings;
	/** The current contact; absent if it was not read or will be created. */
	existing?: Contact;
	/** When it was read, by `performance.now()`; just now, if absent. */
	readAt?: number;
}

interface Written {
	contact: Contact;
	sync: Sync;
}

/** After so many milliseconds, a contact is read again before attributes are sent that the item does not set. */
const maxAge = 30_000;

const maxReads = 2;

interface WriteLimits {
	/** Whether a contact is left as it is, asked whenever it is read. */
	isSkipped?: (contact: Contact) => boolean;
	/** The refusal that a change of the email would get, or any change if it is undefined; if that is known. */
	refusalOf?: (email: unknown) => ApiResponse | undefined;
}

/** Writes what differs. A contact that has become too old meanwhile is read and compared again. */
export async function writeChange(
	api: ApiClient,
	task: ContactChange,
	contactId: string,
	limits: WriteLimits = {},
	reads = 0,
): Promise<Written | ContactMissing | ContactRefused> {
	const { wanted, settings, existing, readAt = performance.now() } = task;
	if (existing && limits.isSkipped?.(existing)) {
		return { contact: existing, sync: { action: 'skipped' } };
	}
	const { sent, changed, kept, carriesAttributes } = await changeFor(api, task, contactId);
	const resultWith = (contact: Contact, action: SyncAction, dropped: string[]): Written => ({
		contact,
		sync: { action, changed, dropped, kept },
	});
	if (existing && (changed.length === 0 || settings.dryRun)) {
		const action = changed.length === 0 ? 'unchanged' : 'wouldUpdate';
		return resultWith(existing, action, droppedFrom(existing, wanted));
	}
	const refusal = limits.refusalOf?.(sent.get('email'));
	if (refusal) return new ContactRefused(refusal);
	const expiresAt = carriesAttributes && reads < maxReads ? readAt + maxAge : undefined;
	const contact = await patchContact(api, task, contactId, sent, expiresAt).catch((error) => {
		if (error instanceof RequestExpiredError) return undefined;
		throw error;
	});
	if (!contact) {
		const current = await readContact(api, settings.chatbotId, contactId);
		if (current instanceof ContactMissing) return current;
		const again = { ...task, existing: current, readAt: performance.now() };
		return await writeChange(api, again, contactId, limits, reads + 1);
	}
	if (contact instanceof ContactMissing || contact instanceof ContactRefused) return contact;
	return resultWith(contact, 'updated', droppedFrom(contact, wanted, sent, existing));
}

/** Throws if an attribute that must be sent along was rounded. */
async function changeFor(
	api: ApiClient,
	{ wanted, settings, existing }: ContactChange,
	contactId: string,
) {
	const list = async () => await readAttributesIfAny(api, settings.chatbotId);
	const replaces = settings.mode === 'replace' && hasAttributes(wanted.values);
	const schema = replaces ? await list() : wanted.schema;
	let change = changeOf(existing, wanted, settings, schema);
	if (change.carriesAttributes && !schema)
		change = changeOf(existing, wanted, settings, await list());
	if (change.rounded.length === 0) return change;
	const nextStep = `Contact ${contactId}: ${change.rounded.join(', ')} would be sent with the changed attributes, but has more digits than the node can send. Nothing was written. Map it too, or store it as text.`;
	const title = 'A custom attribute has a number with too many digits';
	throw new NodeOperationError(api.node, title, { description: escapeHtml(shorten(nextStep)) });
}

async function patchContact(
	api: ApiClient,
	{ settings: { chatbotId }, existing }: ContactChange,
	contactId: string,
	sent: Values,
	expiresAt?: number,
): Promise<Contact | ContactMissing | ContactRefused> {
	const request = { method: 'PATCH', body: { data: dataOf(sent) }, expiresAt } as const;
	const response = await sendToContact(api, chatbotId, contactId, request);
	if (response.outcome === '400' || response.outcome === '409') return new ContactRefused(response);
	const newId = sent.get('external_id');
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
	const isSame = existing?.id === undefined ? isAsSent(sent, found) : found.id === existing.id;
	return isSame ? found : new ContactMissing(response);
}

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
