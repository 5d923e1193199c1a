/** What a mirror does with a missing contact: it reads the contact once more, and then deletes or marks it. */
import type { ApiClient } from '../../../api/client';
import { failureOf } from '../../../api/failure';
import { confirmsDeletion } from '../../../api/response';
import { abbreviate } from '../../../values/text';
import { readAttributesIfAny } from '../../customAttribute/attributes';
import { isContactMissing, readContact, sendToContact } from '../contact';
import { asStored, type Contact, type StoredContact } from '../plan/contactRecord';
import { differenceOf } from '../plan/difference';
import { attributePrefix, noValues } from '../plan/values';
import type { Done } from '../write/outcomes';
import { sendUpdate } from '../write/updates';
import { isManaged, type MirrorSettings } from './ownership';

interface MissingScope {
	readonly api: ApiClient;
	readonly chatbotId: string;
	readonly mirror: MirrorSettings;
}

/** Deletes or marks a missing contact. Throws if the service refuses. */
export async function handleMissingContact(
	scope: MissingScope,
	listed: StoredContact,
): Promise<Done> {
	const { api, chatbotId, mirror } = scope;
	const { id, record } = listed;
	const { contact: current } = await readContact(api, chatbotId, id);
	if (!current) return { contact: record, action: 'deleted' };

	// Since the list was read, another contact may have got the ID.
	if (current.id !== record.id || !isManaged(current, mirror))
		return { contact: current, action: 'kept' };

	const stored = asStored(current) ?? listed;
	const { missingSince } = mirror;
	if (missingSince === undefined) return await deleteMissingContact(scope, stored);
	return await markMissing(scope, stored, missingSince);
}

async function deleteMissingContact(
	scope: MissingScope,
	{ id, record }: StoredContact,
): Promise<Done> {
	const { api, chatbotId } = scope;
	const response = await sendToContact(api, {
		method: 'DELETE',
		chatbotId,
		contactId: id,
	});
	const isConfirmed = !response.outcome && confirmsDeletion(response);
	const isDeleted = isConfirmed || isContactMissing(response);
	const mayBeDeleted = !response.outcome || response.mayHaveRun;
	if (!isDeleted && !mayBeDeleted) throw api.failure(response);

	// The service may have deleted the contact, although no response says so.
	if (isDeleted || !(await stillExists(scope, id))) {
		return { contact: record, action: 'deleted' };
	}
	if (response.outcome) throw api.failure({ ...response, mayHaveRun: false });
	throw api.unexpected(response).with({ written: 'no' });
}

/** Whether a contact exists that was perhaps deleted. Throws if that can't be seen. */
async function stillExists(
	{ api, chatbotId }: MissingScope,
	id: string,
): Promise<boolean> {
	try {
		const { contact } = await readContact(api, chatbotId, id);
		return contact !== undefined;
	} catch (error) {
		throw failureOf(error)
			.with({ written: 'unknown' })
			.and(`Contact ${abbreviate(id)} may have been deleted.`);
	}
}

/** Sets the date. A date that was set meanwhile stays. */
async function markMissing(
	{ api, chatbotId }: MissingScope,
	{ id, record }: StoredContact,
	missingSince: string,
): Promise<Done> {
	const name = attributePrefix + missingSince;
	const wanted = {
		values: new Map([[name, new Date().toISOString()]]),
		notSent: noValues,
		attributes: await readAttributesIfAny(api, chatbotId),
	};
	const change = differenceOf(record, wanted, { onlyIfEmpty: [name] });
	if (change.changed.length === 0) {
		return { contact: record, action: 'marked', kept: change.kept };
	}

	const update = { chatbotId, contactId: id, existing: record, wanted, change };
	const result = await sendUpdate(api, update);
	if ('response' in result) throw api.failure(result.response);
	return { ...result.done, action: 'marked' };
}

/** A contact of the list that has an External ID, as all managed ones have. */
export function listedContact(contact: Contact): StoredContact {
	return asStored(contact) ?? { id: '', record: contact };
}
