import type { NodeApiError } from 'n8n-workflow';

import { escapeHtml } from '../../../transport/html';
import type { ServiceResponse } from '../../../transport/response';
import type { Service } from '../../../transport/service';
import { addressOf, externalIdOf } from '../plan/contact';
import { findContacts } from '../requests/find';

/** What is known of a write that the service has turned down. */
export interface RefusedWrite {
	chatbotId: string;
	response: ServiceResponse;
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
export async function refusedError(service: Service, write: RefusedWrite): Promise<NodeApiError> {
	const { response, email, isSwap, canMatchByEmail, chatbotId } = write;
	const error = service.failure(response, 'contact');
	const address = addressOf(email);
	if (response.outcome !== '409' || address === undefined) return error;
	const holder = await holderOf(service, chatbotId, address);
	const words = [
		holder && `The contact with the External ID "${holder}" has it.`,
		isSwap &&
			'It gives this address up in the same run and takes another one in return, which the service allows in no order: give one of them another address first, and its own in a second run.',
		holder &&
			!isSwap &&
			canMatchByEmail &&
			'If it is the same person, set Match Contacts By to External ID, Then Email: the contact then takes the new External ID.',
	].filter(Boolean);
	error.description = [error.description, escapeHtml(words.join(' '))].filter(Boolean).join(' ');
	return error;
}

/** The External ID of the contact that has an address, looked up once a run in the whole list. */
async function holderOf(
	service: Service,
	chatbotId: string,
	address: string,
): Promise<string | undefined> {
	try {
		const { byAddress } = await service.session.once(
			`addresses ${chatbotId}`,
			async () => await findContacts(service, chatbotId, new Set(), true, () => {}),
		);
		const [holder] = byAddress.get(address) ?? [];
		return holder && externalIdOf(holder);
	} catch {
		// The address is taken all the same; who has it would only have been of help.
		return undefined;
	}
}
