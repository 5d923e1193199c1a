/** All errors of contacts that could not be written, and their texts. */
import type { ApiClient } from '../../../api/client';
import { type Failure, failureOf, type Written } from '../../../api/failure';
import type { ApiResponse } from '../../../api/response';
import type { InputItem } from '../../../execution/item';
import { contradictionText } from '../../../sync/agreement';
import { maxNames } from '../../../sync/sentences';
import { normalizeEmail } from '../../../values/clean';
import { countFormat } from '../../../values/json';
import { firstOf } from '../../../values/list';
import { abbreviate } from '../../../values/text';
import { type Contact, externalIdOf, isAddressable } from '../plan/contactRecord';
import type { KnownContacts } from '../plan/knownContacts';
import type { ReservedKeys } from '../plan/matching';
import type { Contradiction, Unclear, UnclearReason, Wish } from '../plan/wantedContact';
import type { ColumnPlan } from '../read/columns';
import { newContactAdvice } from '../read/wrongInput';
import type { Problem } from '../write/outcomes';
import { isEmailTaken } from '../write/refusals';

/** What errors about the contacts of a chatbot need to know. */
export interface ProblemScope {
	readonly api: ApiClient;
	/** The contacts that the run knows. Undefined in Create, which does not look contacts up. */
	readonly known?: KnownContacts;
	readonly reserved?: ReservedKeys;
	/** Contacts that the input of a mirror lacks. */
	readonly missing?: readonly Contact[];
}

/** What the error of an item needs to know besides the problem. */
interface ProblemOfItem {
	readonly wish?: Wish;
	readonly written: Written;
	/** What the columns are for, in automatic mapping. */
	readonly plan?: ColumnPlan;
	readonly scope: ProblemScope;
}

/** The error of one item. */
export function errorOf(
	item: InputItem,
	problem: Problem,
	{ wish, written, plan, scope }: ProblemOfItem,
): unknown {
	switch (problem.kind) {
		case 'contradiction':
			return contradictionError(item, problem.contradiction);
		case 'unclear':
			return unclearError(item, problem, plan);
		case 'dropped':
			return droppedError(item, problem.fields, written);
		case 'setByMirror':
			return item.error(
				'Remove the tag attribute from the mapping',
				`"${problem.attribute}" is set by the mirror. Remove it from Contact Fields and Additional Fields.`,
			);
		case 'emailKept':
			return emailKeptError(item, {
				holder: problem.holder,
				wish: wish!,
				scope,
			});
		case 'exists':
			return item.error(
				'A contact with this External ID exists',
				`External ID: ${problem.id}. Use Create or Update to change existing contacts.`,
			);
		case 'refused':
			return refusalError(scope, problem, wish);
		case 'notCreated':
			return creationError(problem, written);
		case 'error':
			return problem.error;
	}
}

/**
 * The failure of a contact that was not created. It says if the contact may exist all the same. Several items may share the
 * error.
 */
function creationError(
	{ id, error }: { id: string; error: unknown },
	written: Written,
): unknown {
	if (written !== 'unknown') return error;

	const sentence = `Contact ${abbreviate(id)} may have been created. Check before you run again, or use Create or Update.`;
	return failureOf(error).with({ written }).and(sentence);
}

function contradictionError(item: InputItem, contradiction: Contradiction): Failure {
	const advice = adviceForIds(contradiction);
	const { title, nextStep } = contradictionText('contact', contradiction, advice);
	return item.error(title, nextStep);
}

function adviceForIds({ ids }: Contradiction): string | undefined {
	const [one, other] = ids;
	if (other === undefined) return undefined;
	return `They match one contact by Email, though their External IDs differ (${one}, ${other}). Give each its own Email.`;
}

/** Texts by the reason why it is unclear which contact is meant. */
const unclearTexts: Record<UnclearReason, { title: string; nextStep: string }> = {
	emailNotFound: {
		title: 'No contact has this Email, and External ID is empty',
		nextStep: 'A new contact needs the ID that it has in your own system.',
	},
	listIncomplete: {
		title: 'The contact list could not be read completely',
		nextStep:
			'It changed while the node searched for this Email. Run the node again at a quieter time.',
	},
	emailIsShared: {
		title: 'Several contacts have this Email',
		nextStep:
			"The node can't tell which one you mean. Change the Email of all but one, or match by External ID.",
	},
	idIsShared: {
		title: 'Several contacts have this External ID',
		nextStep:
			'The service could update any of them. Delete all but one in the dashboard.',
	},
	idLooksTheSame: {
		title: 'A contact has an External ID that looks the same',
		nextStep:
			'It differs only by spaces around it, an apostrophe or invisible characters. Correct the ID in the input, or in the dashboard.',
	},
	itemLooksTheSame: {
		title: 'Another item has an External ID that looks the same',
		nextStep:
			'It differs only by spaces around it, an apostrophe or invisible characters, and would become a second contact. Correct one of them.',
	},
	holderHasNoId: {
		title: 'The contact with this Email has no External ID',
		nextStep:
			'The service needs a valid External ID to change a contact. Add one in the dashboard.',
	},
	emailIsReserved: {
		title: 'Another item with this Email failed',
		nextStep:
			'Both items could mean the contact with this Email. Correct the other item first.',
	},
	holderIsReserved: {
		title: 'Another item names the contact with this Email',
		nextStep:
			'It names the contact by its External ID. Use this ID in both items, or remove one of them.',
	},
};

function unclearError(
	item: InputItem,
	{ reason, candidates }: Unclear,
	plan?: ColumnPlan,
): Failure {
	const { title, nextStep } = unclearTexts[reason];
	if (reason === 'emailNotFound') {
		return item.error(title, `${nextStep} ${newContactAdvice(plan)}`);
	}

	const nameOf = (contact: Contact) => {
		const internal = reason === 'idIsShared' ? ` (internal ID ${contact.id})` : '';
		return `${externalIdOf(contact) ?? 'none'}${internal}`;
	};
	const names = firstOf(candidates, nameOf, maxNames);
	return item.error(title, `${nextStep}${names && ` External ID: ${names}.`}`);
}

export function droppedError(
	item: InputItem,
	fields: readonly string[],
	written: Written,
): Failure {
	const rest = written === 'yes' ? 'Everything else was written' : 'Nothing was written';
	return item.error(
		'The service dropped fields',
		`Dropped: ${fields.join(', ')}. ${rest}. Check that the chatbot has custom attributes with exactly these names. Custom Attribute: Create adds missing ones.`,
	);
}

const matchAdvice =
	'If both are the same customer, set Match Contacts By to External ID or Email. The contact then gets the new External ID.';

/** An email that the service would refuse, since another contact keeps it. */
interface KeptEmail {
	readonly holder: Contact;
	readonly wish: Wish;
	readonly scope: ProblemScope;
}

function emailKeptError(item: InputItem, { holder, wish, scope }: KeptEmail): Failure {
	const email = String(wish.values.get('email'));
	const title = 'The email is taken by another contact';
	const isHeld = scope.known?.withEmail(normalizeEmail(email) ?? '').includes(holder);
	const has = isHeld ? 'has it' : 'gets it in this run';
	const fact = `The service would refuse the email "${email}". ${describeContact(holder)} ${has}.`;
	if (!couldMatchByEmail(wish, wish.key.id, scope)) return item.error(title, fact);
	return item.error(title, `${fact} ${matchAdvice}`);
}

/** Whether another setting would have matched the contact by its email. */
function couldMatchByEmail(
	{ settings, values }: Wish,
	id: string | undefined,
	{ known, reserved }: ProblemScope,
): boolean {
	// A contact that was found by its ID is not looked for by its email.
	const isNew = known?.withId(id ?? '').length === 0;
	if (!known || !isNew || settings.matchBy !== 'externalId') return false;

	const email = normalizeEmail(values.get('email')) ?? '';
	const [holder, ...others] = known.withEmail(email);
	// The part of the list that was not read may have the contact.
	if (!holder) return !known.coversAllContacts;

	const isNamed = reserved?.ids.has(externalIdOf(holder) ?? '') ?? false;
	return others.length === 0 && isAddressable(holder) && !isNamed;
}

function refusalError(
	scope: ProblemScope,
	{ id, response }: { id: string; response: ApiResponse },
	wish?: Wish,
): Failure {
	const { api, missing = [] } = scope;
	const more: string[] = [];
	if (wish && isEmailTaken(response)) more.push(...emailAdvice(wish, id, scope));

	const isFull = response.version.isAbout(response.body, 'contactLimit');
	if (isFull && missing.length > 0) more.push(roomAdvice(missing));
	return contactFailure(api, response, { id, more });
}

/**
 * Advice for a mirror on a full plan. The mirror could make room by deleting missing contacts, but it does so only if no item
 * fails.
 */
function roomAdvice(missing: readonly Contact[]): string {
	const count = countFormat.format(missing.length);
	const names = firstOf(missing, (contact) => externalIdOf(contact)!, maxNames);
	return `Contacts that are missing from the input take up room (${count}): ${names}. A run in which an item fails leaves them as they are. Delete them with Contact: Delete, then run again.`;
}

/**
 * Says who has the email, and what to do if both contacts are one customer. Create looks nothing up, and has no Match
 * Contacts By.
 */
function emailAdvice(wish: Wish, id: string, scope: ProblemScope): string[] {
	const { known } = scope;
	const email = normalizeEmail(wish.values.get('email'));
	if (email === undefined || !known) return [];

	const advice: string[] = [];
	const [holder] = known.withEmail(email);
	if (known.coversAllContacts && holder) {
		advice.push(`${describeContact(holder)} had it when the list was read.`);
	}
	if (couldMatchByEmail(wish, id, scope)) advice.push(matchAdvice);
	return advice;
}

function describeContact(contact: Contact): string {
	const id = externalIdOf(contact);
	if (id === undefined) return 'A contact without an External ID';
	return `Contact ${id}`;
}

interface AboutContact {
	readonly id: string;
	/** Sentences that are added to the error. */
	readonly more?: readonly string[];
}

/** The error for a request about one contact. It names the contact. */
export function contactFailure(
	api: ApiClient,
	response: ApiResponse,
	{ id, more = [] }: AboutContact,
): Failure {
	const failure = api.failure(response);
	return failure.with({
		sentences: [`Contact ${abbreviate(id)}:`, ...failure.sentences, ...more],
	});
}
