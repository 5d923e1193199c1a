import { type IDataObject, NodeOperationError } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { escapeHtml, shorten } from '../../api/errors';
import type { ApiResponse } from '../../api/response';
import type { InputItem } from '../../execution/item';
import type { PendingItem } from '../../execution/run';
import { recordOf, type Sync, type SyncAction } from '../../sync/records';
import {
	assertIsContact,
	type Contact,
	isContactMissing,
	readContact,
	sendToContact,
} from './contact';
import { dataOf, type Values, type WantedContact } from './contactValues';
import {
	contactAfter,
	type Difference,
	differenceOf,
	droppedFrom,
	isAsSent,
} from './difference';
import type { WriteSettings } from './fields';
import type { ContactParams } from './item';

export interface ContactChange {
	wanted: WantedContact;
	settings: WriteSettings;
	/** The current contact; absent if it was not read or will be created. */
	existing?: Contact;
}

/** An update that was compared with its contact. */
export interface PlannedChange extends ContactChange {
	contactId: string;
	difference: Difference;
}

/** A contact to write, and its items, which all want the same values. */
export interface ContactTask extends ContactChange {
	items: [PendingItem<ContactParams>, ...Array<PendingItem<ContactParams>>];
}

export function idOf({ wanted }: ContactTask): string {
	return String(wanted.values.get('external_id'));
}

/** A contact that was written, or already is as wanted. */
export interface Written {
	contact: Contact;
	sync: Sync;
}

/** The response to an update that the service refused, or whose contact does not exist. */
export interface Unwritten {
	response: ApiResponse;
}

/** Writes what differs, if anything does. */
export async function writeChange(
	api: ApiClient,
	contactId: string,
	change: ContactChange,
): Promise<Written | Unwritten> {
	const planned = planChange(api, contactId, change);
	return withoutRequest(planned) ?? (await sendChange(api, planned));
}

/** Throws if an attribute that must be sent along may be a number with too many digits. */
export function planChange(
	api: ApiClient,
	contactId: string,
	change: ContactChange,
): PlannedChange {
	const difference = differenceOf(change.existing, change.wanted, change.settings);
	const { tooLong } = difference;
	if (tooLong.length === 0) return { ...change, contactId, difference };

	const nextStep = `Contact ${contactId}: ${tooLong.join(', ')} would be sent with the changed attributes, but has more digits than the node can send. Nothing was written. Map it too, or store it as text.`;
	throw new NodeOperationError(
		api.node,
		'A custom attribute has a number with too many digits',
		{
			description: escapeHtml(shorten(nextStep)),
		},
	);
}

/** The result of an update that sends nothing: nothing differs, or it is a dry run. Undefined for all others. */
export function withoutRequest({
	wanted,
	settings,
	existing,
	difference,
}: PlannedChange): Written | undefined {
	const { changed, before, kept } = difference;
	if (!existing) return undefined;
	if (changed.length > 0 && !settings.dryRun) return undefined;

	const dropped = droppedFrom(existing, wanted);
	if (changed.length === 0) {
		return { contact: existing, sync: { action: 'unchanged', dropped, kept } };
	}
	const contact = contactAfter(existing, difference);
	return { contact, sync: { action: 'wouldUpdate', changed, before, dropped, kept } };
}

export async function sendChange(
	api: ApiClient,
	{ contactId, wanted, settings: { chatbotId }, existing, difference }: PlannedChange,
): Promise<Written | Unwritten> {
	const { current, sent, changed, before, kept } = difference;
	const request = { method: 'PATCH', body: { data: dataOf(sent) } } as const;
	const response = await sendToContact(api, chatbotId, contactId, request);
	if (response.outcome === '400' || response.outcome === '409') return { response };

	const resultWith = (contact: Contact): Written => {
		const dropped = droppedFrom(contact, { ...wanted, sent, before: current });
		return { contact, sync: { action: 'updated', changed, before, dropped, kept } };
	};
	const newId = sent.get('external_id');
	if (!isContactMissing(response)) {
		assertIsContact(api, response, [contactId, String(newId ?? contactId)]);
		return resultWith(api.expectBody<Contact>(response));
	}
	if (!response.mayHaveRun || typeof newId !== 'string' || newId === contactId) {
		return { response };
	}

	// An attempt whose response was lost may have changed the ID. Or the contact never existed, and another one has the ID.
	const { contact } = await readContact(api, chatbotId, newId);
	if (!contact) return { response };

	const isSame =
		existing?.id === undefined ? isAsSent(sent, contact) : contact.id === existing.id;
	return isSame ? resultWith(contact) : { response };
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

	return recordOf(
		contact,
		onDroppedFields === 'ignore' ? { ...sync, dropped: [] } : sync,
	);
}

export function droppedError(
	item: InputItem,
	dropped: string[],
	isWritten: boolean,
): NodeOperationError {
	return item.error(
		'The service dropped fields',
		`Dropped: ${dropped.join(', ')}. ${isWritten ? 'Everything else was written' : 'Nothing was written'}. Check that the chatbot has custom attributes with exactly these names. Custom Attribute: Create adds missing ones.`,
	);
}

export function failTask(
	{ items }: ContactTask,
	errorOf: (item: InputItem) => unknown,
): void {
	items.forEach(({ item, fail }) => fail(errorOf(item)));
}

export function succeedTask({ items, settings }: ContactTask, written: Written): void {
	for (const { item, succeed, fail } of items) {
		try {
			succeed([allowedRecord(item, written, settings)]);
		} catch (error) {
			fail(error);
		}
	}
}

export function succeedCreated(
	task: ContactTask,
	sent: Values,
	contact: Contact,
	action: SyncAction = 'created',
): void {
	const dropped = droppedFrom(contact, { ...task.wanted, sent });
	succeedTask(task, { contact, sync: { action, changed: [...sent.keys()], dropped } });
}
