import type { ApiClient } from '../../api/client';
import { withSentence } from '../../api/errors';
import type { ApiResponse } from '../../api/response';
import { firstOf } from '../../values/firstOf';
import { isBlank } from '../../values/scalar';
import { type Contact, externalIdOf, failureOf, normalizeEmail } from './contact';
import { knownList } from './list';
import type { ContactTask } from './plan';

/** After so many equal refusals in a row, the service may refuse all contacts, such as on a full plan. */
const maxAlike = 20;

/** Counts equal refusals of single contacts. */
export class RefusalStreak {
	private length = 0;

	private last?: ApiResponse;

	private state: 'open' | 'confirming' | 'confirmed' = 'open';

	add(response: ApiResponse) {
		this.length = this.last && wordsOf(this.last) === wordsOf(response) ? this.length + 1 : 1;
		this.last = response;
	}

	end() {
		this.length = 0;
	}

	/**
	 * After a long streak, tries a contact from the end of the run. Only if it is refused alike, all others are.
	 *
	 * @param tryAnother sends a request for a contact that needs one, if there is any
	 */
	async confirm(tryAnother: () => Promise<void>) {
		const { length } = this;
		if (length < maxAlike || this.state !== 'open') return;
		this.state = 'confirming';
		await tryAnother();
		this.state = this.length > length ? 'confirmed' : 'open';
	}

	/** The refusal that a contact with this email would get; undefined if it must be tried. */
	refusalOf(email: unknown): ApiResponse | undefined {
		return this.state === 'confirmed' && this.concerns(email) ? this.last : undefined;
	}

	/** A contact without an email is not refused because of its email. */
	concerns(email: unknown): boolean {
		return !this.isAboutEmail || !isBlank(email);
	}

	get isAboutEmail(): boolean {
		if (!this.last) return false;
		const { body, outcome, version } = this.last;
		const isConflict = outcome === '409' && !version.isAbout(body, 'externalId');
		return isConflict || version.isAbout(body, 'email');
	}
}

function wordsOf({ outcome, body, version }: ApiResponse): string {
	return JSON.stringify([outcome, version.wordsIn(body)]);
}

interface RefusedWrite {
	chatbotId: string;
	contactId: string;
	email: unknown;
	/** Whether contacts of the run exchange their emails. */
	isExchange?: boolean;
	/** What else the run writes with this email, itself included. */
	rivals?: ContactTask[];
	canMatchByEmail?: boolean;
	/** Whether a contact is marked or deleted after the items. */
	isMissing?: (contact: Contact) => boolean;
}

/** The error for refused data. For a taken email, it names the contact that has it, if the list was read. */
export async function refusedError(
	api: ApiClient,
	response: ApiResponse,
	{
		chatbotId,
		contactId,
		email,
		isExchange,
		rivals = [],
		canMatchByEmail,
		isMissing,
	}: RefusedWrite,
) {
	const error = failureOf(api, response, contactId);
	const address = normalizeEmail(email);
	const isAboutId = response.version.isAbout(response.body, 'externalId');
	if (response.outcome !== '409' || address === undefined || isAboutId) return error;
	const known = await knownList(api, chatbotId);
	const holder = known?.withEmail(address).find((other) => externalIdOf(other) !== contactId);
	const id = holder && externalIdOf(holder);
	const name = id === undefined ? 'A contact without an External ID' : `Contact ${id}`;
	const names = firstOf(
		rivals,
		({ items: [{ item }] }) => `${item.identity.id ?? address} (item ${item.index})`,
	);
	const sentences = [
		holder && `${name} had it when the list was read.`,
		holder &&
			isMissing?.(holder) &&
			'It is missing from the input, and is marked or deleted only after all items are written. Delete it first, or change the Email of this item.',
		isExchange &&
			'Contacts of this run exchange their emails, which the service does not allow. Give one of them a temporary Email first.',
		rivals.length > 1 &&
			`Items of this run have the same Email: ${names}. Give each another Email.`,
		rivals.length <= 1 &&
			canMatchByEmail &&
			!isExchange &&
			'If both are the same customer, set Match Contacts By to External ID or Email. The contact then gets the new External ID.',
	];
	return withSentence(error, sentences.filter(Boolean).join(' '));
}
