import type { IDataObject } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { AttributesMode, WantedContact } from '../../contacts/change';
import { changeOf, droppedFrom, needsSchema } from '../../contacts/change';
import type { Contact } from '../../contacts/contact';
import { escapeHtml } from '../../transport/html';
import type { Service } from '../../transport/service';
import type { AttributeSchemas } from './attributeSchemas';
import { contactOf, contactPath, ContactMissing, isContactMissing, readContact } from './requests';

/** What an operation that writes contacts has been told to do. */
export interface WriteSettings {
	chatbotId: string;
	attributesMode: AttributesMode;
	onDroppedFields: 'warn' | 'error' | 'ignore';
	dryRun: boolean;
}

/** What the node did with a contact, or would have done. */
export type SyncAction = 'created' | 'updated' | 'unchanged' | 'wouldCreate' | 'wouldUpdate';

/** Reads the settings that the operations share, as their options store them. */
export function readWriteSettings(chatbotId: string, options: IDataObject): WriteSettings {
	return {
		chatbotId,
		attributesMode: options.customAttributesMode === 'replace' ? 'replace' : 'merge',
		onDroppedFields:
			options.onDroppedFields === 'error' || options.onDroppedFields === 'ignore'
				? options.onDroppedFields
				: 'warn',
		dryRun: options.dryRun === true,
	};
}

/**
 * Brings a contact that exists to what is wanted, and holds the result against what was sent.
 *
 * @param existing the contact as it is; undefined when that need not be known
 * @returns the record of the contact, or that there is no such contact
 * @throws NodeApiError when the service fails
 * @throws NodeOperationError when fields were not kept and the item shall fail then
 */
export async function updateExisting(
	service: Service,
	schemas: AttributeSchemas,
	settings: WriteSettings,
	contactId: string,
	existing: Contact | undefined,
	wanted: WantedContact,
): Promise<IDataObject | ContactMissing> {
	const { chatbotId, attributesMode, dryRun } = settings;
	const schema = needsSchema(existing, wanted, attributesMode) ? await schemas.of(chatbotId) : [];
	const { changed, data } = changeOf(existing, wanted, attributesMode, schema);
	if (existing && changed.length === 0) {
		return syncRecord(service, settings, existing, 'unchanged', [], wanted.unknown);
	}
	if (existing && dryRun) {
		return syncRecord(service, settings, existing, 'wouldUpdate', changed, wanted.unknown);
	}
	const contact = await patch(service, chatbotId, contactId, data);
	if (contact instanceof ContactMissing) return contact;
	const dropped = [...droppedFrom(data, contact), ...wanted.unknown];
	return syncRecord(service, settings, contact, 'updated', changed, dropped);
}

/** Sends the changes. */
async function patch(
	service: Service,
	chatbotId: string,
	contactId: string,
	data: IDataObject,
): Promise<Contact | ContactMissing> {
	const path = contactPath(service.node, chatbotId, contactId);
	const response = await service.send({ method: 'PATCH', path, body: { data }, subject: 'contact' });
	if (!isContactMissing(response)) return contactOf(service, response);
	const newId = data.external_id;
	if (!response.unclear || typeof newId !== 'string' || newId === contactId) {
		return new ContactMissing(response);
	}
	// An attempt whose response was lost has given the contact its new ID, when the old one is gone now.
	return await readContact(service, chatbotId, newId);
}

/**
 * The output for a contact: as the service returned it, and what the node did about it.
 *
 * @throws NodeOperationError when fields were not kept and the item shall fail then
 */
export function syncRecord(
	service: Service,
	{ onDroppedFields }: WriteSettings,
	contact: IDataObject,
	action: SyncAction,
	changed: string[],
	dropped: string[],
): IDataObject {
	if (dropped.length > 0 && onDroppedFields === 'error') {
		const isWritten = action === 'created' || action === 'updated';
		throw new NodeOperationError(service.node, 'The service does not keep all fields', {
			description: escapeHtml(
				`Not kept: ${dropped.join(', ')}. ${isWritten ? 'Everything else was written' : 'Nothing was written'}. Check that the chatbot has custom attributes of exactly these names.`,
			),
		});
	}
	const named = onDroppedFields === 'ignore' ? [] : dropped;
	return { ...contact, _sync: { action, changed, dropped: named } };
}
