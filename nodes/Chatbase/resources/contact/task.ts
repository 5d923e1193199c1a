import type { NodeApiError, NodeOperationError } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { withSentence } from '../../api/errors';
import type { ApiResponse } from '../../api/response';
import { takenIn } from '../../api/subjects';
import type { Topic } from '../../api/versions';
import type { InputItem } from '../../execution/item';
import type { Group } from '../../sync/plan';
import type { SyncAction } from '../../sync/records';
import { isBlank } from '../../values/json';
import { allowedRecord, type ContactChange, droppedFrom, type Written } from './change';
import { type Contact, externalIdOf, failureOf, normalizeEmail } from './contact';
import type { Values } from './contactValues';
import type { ContactParams } from './item';
import type { KnownContacts } from './list';

/** A contact to write, and its items, which all want the same values. */
export interface ContactTask extends ContactChange {
	items: Group<ContactParams>;
}

export function idOf({ wanted }: ContactTask): string {
	return String(wanted.values.get('external_id'));
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

/** After so many equal refusals in a row, the service may refuse all contacts, such as on a full plan. */
const maxAlike = 20;

/** Counts equal refusals of single contacts. */
export class RefusalStreak {
	private length = 0;

	private last?: ApiResponse;

	private state: 'open' | 'confirming' | 'confirmed' = 'open';

	add(response: ApiResponse): void {
		const isAlike = this.last !== undefined && wordsOf(this.last) === wordsOf(response);
		this.length = isAlike ? this.length + 1 : 1;
		this.last = response;
	}

	end(): void {
		this.length = 0;
	}

	/** Tries a contact from the end of the run after a long streak. Only if it is refused alike, all others are. */
	async confirm(tryLast: () => Promise<void>): Promise<void> {
		const { length } = this;
		if (length < maxAlike || this.state !== 'open') return;

		this.state = 'confirming';
		await tryLast();
		this.state = this.length > length ? 'confirmed' : 'open';
	}

	/** The refusal that a contact with these values would get; undefined if it must be tried. */
	refusalOf(values: Values): ApiResponse | undefined {
		return this.state === 'confirmed' && this.concerns(values) ? this.last : undefined;
	}

	/** A contact without an email is not refused because of its email, and one without a phone number not because of that. */
	concerns(values: Values): boolean {
		const { last } = this;
		if (!last) return true;

		const lacks = (field: string) => isBlank(values.get(field));
		const isAboutEmail = lacks('email') && mayBeAbout(last, 'email');
		const isAboutPhone = lacks('phonenumber') && mayBeAbout(last, 'phone');
		return !isAboutEmail && !isAboutPhone;
	}
}

function wordsOf({ outcome, body, version }: ApiResponse): string {
	return JSON.stringify([outcome, version.wordsIn(body)]);
}

/** Whether a refusal says that another contact has the email. */
export function isEmailTaken(response: ApiResponse): boolean {
	return response.outcome === '409' && takenBy(response) === 'email';
}

/** Whether a refused contact may be accepted once another one gives up its email. A 409 need not say what it is about. */
export function mayNeedEmail(response: ApiResponse): boolean {
	return response.outcome === '409' && mayBeAbout(response, 'email');
}

function mayBeAbout(response: ApiResponse, topic: 'email' | 'phone'): boolean {
	const { outcome, body, version } = response;
	const isOpen = outcome === '409' && takenBy(response) === undefined;
	return isOpen || version.isAbout(body, topic);
}

function takenBy({ resource, body, version }: ApiResponse): Topic | undefined {
	return takenIn(resource, (topic) => version.isAbout(body, topic));
}

/** What the writes to the contacts of a chatbot share. */
export interface WriteScope {
	api: ApiClient;
	chatbotId: string;
	/** Whether contacts were looked up before. Without that, existing contacts are not changed. */
	isLookedUp: boolean;
	/** What was read last. */
	known?: KnownContacts;
}

/** The error of a contact that the service would refuse, in a dry run. */
export function keptEmailError(
	item: InputItem,
	{ wanted, settings, existing }: ContactTask,
	holder: Contact,
): NodeOperationError {
	const holderId = externalIdOf(holder);
	const name =
		holderId === undefined ? 'a contact without an External ID' : `contact ${holderId}`;
	const isMatchable = !existing && settings.matchBy === 'externalId';
	const nextStep = `The email "${String(wanted.values.get('email'))}" belongs to ${name}, so the service would refuse it.`;
	return item.error(
		'The email is taken by another contact',
		isMatchable ? `${nextStep} ${matchAdvice}` : nextStep,
	);
}

const matchAdvice =
	'If both are the same customer, set Match Contacts By to External ID or Email. The contact then gets the new External ID.';

/** The error of a refused contact. */
export function refusalError(
	{ api, isLookedUp, known }: WriteScope,
	task: ContactTask,
	response: ApiResponse,
): NodeApiError {
	const { wanted, settings, existing } = task;
	const id = existing ? externalIdOf(existing)! : idOf(task);
	const error = failureOf(api, response, id);
	const email = normalizeEmail(wanted.values.get('email'));
	if (email === undefined || !isEmailTaken(response)) return error;

	const holders = known?.isWhole ? known.withEmail(email) : [];
	const holder = holders.find((other) => externalIdOf(other) !== id);
	if (holder) {
		const holderId = externalIdOf(holder);
		const name =
			holderId === undefined ? 'A contact without an External ID' : `Contact ${holderId}`;
		withSentence(error, `${name} had it when the list was read.`);
	}

	// An existing contact was found by its ID. Without a lookup, there is no Match Contacts By.
	if (isLookedUp && !existing && settings.matchBy === 'externalId') {
		withSentence(error, matchAdvice);
	}
	return error;
}
