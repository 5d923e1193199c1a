import type { ApiClient } from '../../api/client';
import { withSentence } from '../../api/errors';
import type { ApiResponse } from '../../api/response';
import type { InputItem } from '../../execution/item';
import { firstOf } from '../../values/firstOf';
import type { Contact } from './contact';
import { externalIdOf, normalizeEmail } from './contact';
import { knownList } from './list';

/** After so many equal refusals of single contacts, the service may refuse all contacts, such as on a full plan. */
const maxAlike = 20;

export class RefusalStreak {
	private words = '';

	private length = 0;

	private last?: ApiResponse;

	add(response: ApiResponse) {
		const { outcome, body, version } = response;
		const words = JSON.stringify([outcome, version.wordsIn(body)]);
		this.length = words === this.words ? this.length + 1 : 1;
		this.words = words;
		this.last = response;
	}

	end() {
		this.length = 0;
	}

	/** The last refusal of a long streak. */
	get refusal(): ApiResponse | undefined {
		return this.length >= maxAlike ? this.last : undefined;
	}
}

/** Contacts that are missing from the input, and what happens to them after the items. */
export interface MissingContacts {
	contacts: ReadonlySet<Contact>;
	action: 'deleted' | 'marked';
}

interface RefusedWrite {
	chatbotId: string;
	contactId?: string;
	email: unknown;
	/** Whether contacts of the run exchange their emails. */
	isSwap?: boolean;
	/** The items of the run with this email. */
	rivals?: InputItem[];
	canMatchByEmail?: boolean;
	missing?: MissingContacts;
}

/** The error for refused data. For a taken email, it names the contact that has it, if the list was read. */
export async function refusedError(
	api: ApiClient,
	response: ApiResponse,
	{ chatbotId, contactId, email, isSwap, rivals = [], canMatchByEmail, missing }: RefusedWrite,
) {
	const error = api.failure(response);
	const address = normalizeEmail(email);
	const isAboutId = response.version.isAbout(response.body, 'externalId');
	if (response.outcome !== '409' || address === undefined || isAboutId) return error;
	const known = await knownList(api, chatbotId);
	const holder = known?.withEmail(address).find((other) => externalIdOf(other) !== contactId);
	const holderId = holder && externalIdOf(holder);
	const words = [
		holder &&
			(holderId === undefined
				? 'A contact without an External ID had it when the list was read.'
				: `Contact ${holderId} had it when the list was read.`),
		holder &&
			missing?.contacts.has(holder) &&
			`It is missing from the input and would be ${missing.action} after all items are written. Delete it first, or change the Email of this item.`,
		isSwap &&
			'Contacts of this run exchange their emails, which the service does not allow. Give one of them a temporary Email first.',
		rivals.length > 1 &&
			`Items of this run have the same Email: ${firstOf(rivals.map(({ identity, index }) => `${identity.id ?? address} (item ${index})`))}. Give each another Email.`,
		!isSwap &&
			rivals.length <= 1 &&
			canMatchByEmail &&
			'If both are the same customer, set Match Contacts By to External ID or Email. The contact then gets the new External ID.',
	].filter(Boolean);
	return withSentence(error, words.join(' '));
}
