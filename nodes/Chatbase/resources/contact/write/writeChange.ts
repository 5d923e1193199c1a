import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../../api/client';
import type { WriteSettings } from '../input/writeTask';
import type { WantedContact } from '../plan/change';
import { changeOf, droppedFrom, needsSchema } from '../plan/change';
import type { Contact } from '../plan/contact';
import type { Written } from '../plan/record';
import { readAttributesIfAny } from '../requests/attributes';
import { ContactMissing, ContactRefused, patchContact } from '../requests/single';

/**
 * Brings a contact that exists to what is wanted, and holds the result against what was sent.
 *
 * @param existing the contact as it is; undefined when that need not be known
 * @returns what was written, or why nothing was
 * @throws NodeApiError when the service fails
 */
export async function writeChange(
	api: ApiClient,
	settings: WriteSettings,
	contactId: string,
	existing: Contact | undefined,
	wanted: WantedContact,
): Promise<Written | ContactMissing | ContactRefused> {
	const { chatbotId, mode, dryRun } = settings;
	const knowsSchema = needsSchema(existing, wanted, mode);
	const schema = knowsSchema ? await readAttributesIfAny(api, chatbotId) : undefined;
	const change = changeOf(existing, wanted, settings, schema);
	const { changed, kept, data } = change;
	if (existing && (changed.length === 0 || dryRun)) {
		const action = changed.length === 0 ? 'unchanged' : 'wouldUpdate';
		return {
			contact: existing,
			action,
			changed,
			kept,
			dropped: droppedFrom({}, wanted.unknown, existing),
		};
	}
	let sent: IDataObject = data;
	let result = await patchContact(api, chatbotId, contactId, sent, existing);
	const mayHoldArchived = 'custom_attributes' in sent && !knowsSchema;
	if (result instanceof ContactRefused && result.response.outcome === '400' && mayHoldArchived) {
		// What the contact holds of an archived attribute cannot go out again; which those are was not known.
		const current = await readAttributesIfAny(api, chatbotId);
		const again = changeOf(existing, wanted, settings, current).data;
		if (JSON.stringify(again) !== JSON.stringify(sent)) {
			sent = again;
			result = await patchContact(api, chatbotId, contactId, sent, existing);
		}
	}
	if (result instanceof ContactMissing || result instanceof ContactRefused) return result;
	const dropped = droppedFrom(sent, wanted.unknown, result);
	return { contact: result, action: 'updated', changed, kept, dropped };
}
