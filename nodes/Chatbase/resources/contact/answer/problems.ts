/** All errors of contacts that could not be written, and their texts. */
import type { OwnTitle } from '../../../api/ownErrors';
import type { ApiClient } from '../../../api/client';
import { type Failure, failureOf, type Written } from '../../../api/failure';
import type { ApiResponse } from '../../../api/response';
import { takenIn } from '../../../api/subjects';
import type { Topic } from '../../../api/versions';
import type { InputItem } from '../../../execution/item';
import { contradictionText } from '../../../sync/agreement';
import { maxNames } from '../../../sync/report';
import { firstOf } from '../../../values/list';
import { abbreviate } from '../../../values/text';
import type { Attributes } from '../../customAttribute/attributeTypes';
import { type Contact, externalIdOf } from '../plan/contactRecord';
import type { Contradiction, Unclear, UnclearReason, Wish } from '../plan/wantedContact';
import { bareName, isAttribute } from '../plan/values';
import type { ColumnPlan } from '../read/columns';
import type { WriteOperation } from '../panel/options';
import { emptyIdAdvice } from '../read/wrongInput';
import type { Problem, RefusedContact } from '../write/outcomes';

/** What errors about the contacts of a chatbot need to know. */
export interface ProblemScope {
	readonly api: ApiClient;
	readonly operation: WriteOperation;
}

/** What the error of an item needs to know besides the problem. */
interface ProblemOfItem {
	readonly wish?: Wish;
	readonly written: Written;
	/** What the columns are for, in automatic mapping. */
	readonly plan?: ColumnPlan;
	/** The attributes of the chatbot, if they are known. */
	readonly attributes?: Attributes;
	readonly scope: ProblemScope;
}

/** The error of one item. */
export function errorOf(
	item: InputItem,
	problem: Problem,
	{ wish, written, plan, attributes, scope }: ProblemOfItem,
): unknown {
	switch (problem.kind) {
		case 'contradiction':
			return contradictionError(item, problem);
		case 'unclear':
			return unclearError(item, problem, plan);
		case 'dropped':
			return droppedError(item, { fields: problem.fields, attributes, written });
		case 'setByMirror':
			return item.error(
				'Remove the tag attribute from the mapping',
				`"${problem.attribute}" is set by the mirror. Remove it from Contact Fields and Additional Fields.`,
			);
		case 'exists':
			return item.error(
				'A contact with this External ID exists',
				`External ID: ${problem.id}. Use Create or Update to change existing contacts.`,
			);
		case 'gone':
			return contactFailure(scope.api, problem.response, {
				id: problem.id,
				more: ['The contact was deleted after the node had read it. Run again.'],
			});
		case 'refused':
			return refusalError(scope, problem, wish);
		case 'notSent':
			return item.error(problem.reason.title, problem.reason.nextStep);
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

function contradictionError(item: InputItem, { names, ids }: Contradiction): Failure {
	const { id, email } = item.identity;
	// An error without an ID starts with the number of the item.
	const named = id === undefined && { who: `The items with the Email ${email}` };
	const words = { ...named, advice: adviceForIds(ids) };
	const { title, nextStep } = contradictionText('contact', names, words);
	return item.error(title, nextStep);
}

function adviceForIds([one, other]: readonly string[]): string | undefined {
	if (other === undefined) return undefined;
	return `They match one contact by Email, though their External IDs differ (${one}, ${other}). Give each its own Email.`;
}

/** Texts by the reason why it is unclear which contact is meant. */
const unclearTexts: Record<UnclearReason, { title: OwnTitle; nextStep: string }> = {
	emailNotFound: {
		title: 'No contact has this Email, and External ID is empty',
		nextStep: 'A new contact needs the ID that it has in your own system.',
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
		return item.error(title, `${nextStep} ${emptyIdAdvice(plan)}`);
	}

	// In quotes, so that a space is seen.
	const nameOf = (contact: Contact) => {
		const id = externalIdOf(contact);
		if (reason === 'idIsShared') return `"${id}" (internal ID ${contact.id})`;
		return id ?? 'none';
	};
	const names = firstOf(candidates, nameOf, maxNames);
	return item.error(title, `${nextStep}${names && ` External ID: ${names}.`}`);
}

export const archivedRule = 'This attribute is archived, so it takes no value.';

/** Those of some fields that are archived attributes. */
export function archivedIn(
	fields: readonly string[],
	attributes: Attributes | undefined,
): string[] {
	return fields.filter(
		(name) => isAttribute(name) && attributes?.get(bareName(name))?.archived,
	);
}

/** Fields that are not on the contact afterwards. */
interface Loss {
	readonly fields: readonly string[];
	readonly attributes?: Attributes;
	readonly written: Written;
}

export function droppedError(
	item: InputItem,
	{ fields, attributes, written }: Loss,
): Failure {
	const rest = written === 'yes' ? 'Everything else was written' : 'Nothing was written';
	const archived = archivedIn(fields, attributes);
	const archivedFact = archived.length > 0 ? ` Archived: ${archived.join(', ')}.` : '';
	return item.error(
		'Fields were dropped',
		`Dropped: ${fields.join(', ')}.${archivedFact} ${rest}. Check that the chatbot has custom attributes with exactly these names. Custom Attribute: Create adds missing ones.`,
	);
}

const matchAdvice =
	'If both are the same customer, set Match Contacts By to External ID or Email. The contact then gets the new External ID.';

const mirrorAdvice =
	'In a mirror, a contact that is missing from the input may hold the email, or room in the plan. The mirror deletes no contact while an item fails. Contact: Delete makes room.';

function refusalError(
	{ api, operation }: ProblemScope,
	{ id, response, isNew }: RefusedContact,
	wish?: Wish,
): Failure {
	const isAbout = (topic: Topic) => response.version.isAbout(response.body, topic);
	const isConflict = response.outcome === '409';
	const more: string[] = [];

	const isById = wish?.settings.matchBy === 'externalId';
	const couldMatch = isNew && isById && operation !== 'create';
	const isEmail = isConflict && takenIn(response.resource, isAbout) === 'email';
	if (isEmail && couldMatch) more.push(matchAdvice);

	const mayBeEmail = isConflict && isAbout('email');
	if (operation === 'mirror' && (mayBeEmail || isAbout('contactLimit')))
		more.push(mirrorAdvice);
	return contactFailure(api, response, { id, more });
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
