import type { NodeApiError } from 'n8n-workflow';

import { escapeHtml } from '../../../api/html';
import type { ApiResponse } from '../../../api/response';
import type { ApiClient } from '../../../api/client';
import { isObject } from '../../../values/object';
import type { Contact } from '../plan/contact';
import { normalizeEmail, externalIdOf } from '../plan/contact';
import type { FoundContacts } from '../requests/find';
import { findContacts, knownList } from '../requests/find';
import { ContactMissing, readContact } from '../requests/single';

/** What is known of a write that the service has turned down. */
export interface RefusedWrite {
	chatbotId: string;
	response: ApiResponse;
	/** The External ID that the contact has, or would have been created with. */
	contactId: string;
	/** The e-mail address that the contact was to have. */
	email: unknown;
	/** Whether several contacts of the run exchange their addresses. */
	isSwap: boolean;
	/** Whether the operation can match contacts by e-mail. */
	canMatchByEmail: boolean;
}

/**
 * The error for data that the service has turned down. Where an address is taken, it says who has it.
 *
 * @throws Dropped or NodeOperationError when the run has ended meanwhile
 */
export async function refusedError(api: ApiClient, write: RefusedWrite): Promise<NodeApiError> {
	const { response, contactId, email, isSwap, canMatchByEmail, chatbotId } = write;
	const error = api.failure(response, 'contact');
	const address = normalizeEmail(email);
	if (response.outcome !== '409' || address === undefined || isAboutId(response)) return error;
	const holder = await holderOf(api, chatbotId, address, contactId);
	const holderId = holder && externalIdOf(holder);
	const words = [
		holder &&
			(holderId === undefined
				? 'A contact without an External ID has it.'
				: `The contact with the External ID "${holderId}" has it.`),
		isSwap &&
			'It gives this address up in the same run and takes another one in return, which the service allows in no order: give one of them another address first, and its own in a second run.',
		holderId !== undefined &&
			!isSwap &&
			canMatchByEmail &&
			'If it is the same person, set Match Contacts By to External ID, Then Email: the contact then takes the new External ID.',
	].filter(Boolean);
	error.description = [error.description, escapeHtml(words.join(' '))].filter(Boolean).join(' ');
	return error;
}

/** Whether the service says that the ID is taken, and not the address. */
function isAboutId({ body }: ApiResponse): boolean {
	return isObject(body) && /external.?id/i.test(String(body.message));
}

/** The other contact that has an address, of which only the list can tell. It is read once a run at most. */
async function holderOf(
	api: ApiClient,
	chatbotId: string,
	address: string,
	contactId: string,
): Promise<Contact | undefined> {
	const holderIn = ({ byAddress }: FoundContacts) =>
		byAddress.get(address)?.find((contact) => externalIdOf(contact) !== contactId);
	try {
		const known = await knownList(api, chatbotId);
		const former = known && holderIn(known);
		const formerId = former && externalIdOf(former);
		if (formerId !== undefined) {
			// The run may have changed it since.
			const current = await readContact(api, chatbotId, formerId);
			if (!(current instanceof ContactMissing) && normalizeEmail(current.email) === address) {
				return current;
			}
		}
		return holderIn(
			await api.state.memoize(
				`holders of addresses ${chatbotId}`,
				async () => await findContacts(api, chatbotId, new Set(), true, () => {}),
			),
		);
	} catch {
		// The address is taken all the same; who has it would only have been of help.
		return undefined;
	}
}
