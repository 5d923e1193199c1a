import type { NodeApiError } from 'n8n-workflow';

import type { InputItem } from '../../execution/item';
import {
	choiceField,
	optionalField,
	optionField,
	requiredField,
	type Shown,
	withDefault,
} from '../../panel/field';
import { notice } from '../../panel/notices';
import { filledText } from '../../panel/types';
import {
	limitOptions,
	limitWords,
	type MissingSettings,
	readMissingSettings,
} from '../../sync/limit';
import {
	attributeLocator,
	attributeName,
	type Attributes,
	type AttributeType,
	readAttributesIfAny,
	sendAttribute,
} from '../customAttribute/attributes';
import { contactNouns } from './fields';
import type { ApiClient } from '../../api/client';
import { withSentence } from '../../api/errors';
import type { RunContext } from '../../execution/context';
import type { PendingItem } from '../../execution/run';
import { giveWay } from '../../values/list';
import { countFormat } from '../../values/json';
import { attributeText, type Contact, externalIdOf, isAddressable } from './contact';
import { attributePrefix, hasAttributes } from './contactValues';
import type { ContactParams } from './item';

/** The text in a custom attribute by which a mirror knows its contacts. */
export interface Tag {
	attribute: string;
	text: string;
}

/** Which contacts a mirror manages. Without tag and prefix, it manages every contact with an External ID. */
export interface Ownership {
	tag?: Tag;
	/** The start of their External IDs. */
	idPrefix?: string;
}

/** The same for all items of a run. */
export interface MirrorSettings extends MissingSettings, Ownership {
	/** The date attribute for missing contacts, if they are marked. */
	missingSince?: string;
}

const missingField = choiceField('onMissing', 'Missing Contacts', {
	description: 'What happens to a managed contact that is not in the input',
	choices: {
		report: ['Report Only', 'Lists the contact in the output and changes nothing'],
		mark: [
			'Mark With a Date',
			'Sets a date attribute once, and clears it if the contact returns',
		],
		delete: [
			'Delete',
			'Deletes the contact permanently. Its last record is in the output.',
		],
	},
	default: 'report',
});

const manageField = choiceField('manage', 'Contacts to Manage', {
	description:
		'Which contacts to mark or delete if they are missing from the input. All others are left alone.',
	choices: {
		tag: [
			'Tagged by This Mirror',
			'Contacts that this mirror has tagged. The first run only tags.',
		],
		idPrefix: [
			'With an ID Prefix',
			'Contacts whose External ID starts with a prefix, such as crm-',
		],
		all: [
			'All With an External ID',
			'Every contact of the chatbot that has an External ID',
		],
	},
	default: 'tag',
});

const tagField = requiredField(
	'tagValue',
	'Tag',
	{ ...filledText, rule: 'Enter a name for this mirror, such as crm.' },
	{
		description:
			"Name of this mirror. Don't change it later, or it no longer recognizes its contacts.",
		placeholder: 'e.g. crm',
		displayOptions: { show: { manage: ['tag'] } },
	},
);

const prefixField = requiredField(
	'idPrefix',
	'ID Prefix',
	{
		...filledText,
		rule: 'Enter the start of the External IDs in your input, such as crm-.',
	},
	{
		description: 'Start of the External IDs to manage (case-sensitive)',
		placeholder: 'e.g. crm-',
		displayOptions: { show: { manage: ['idPrefix'] } },
	},
);

/** By its name. The first run creates the attribute if needed. */
function attributeLook(type: 'date' | 'text', usual: string) {
	return { ...attributeLocator(type), default: { mode: 'name', value: usual } };
}

const usualDate = 'missing_since';

const missingSinceField = withDefault(
	optionalField('missingSinceAttribute', 'Missing Since Attribute', attributeName, {
		...attributeLook('date', usualDate),
		description:
			'A date attribute that stores since when the contact is missing. The first run creates it if needed.',
		displayOptions: { show: { onMissing: ['mark'] } },
	}),
	usualDate,
);

const usualTag = 'managed_by';

export const tagAttributeOption = withDefault(
	optionField('tagAttribute', 'Tag Attribute', attributeName, {
		...attributeLook('text', usualTag),
		description:
			'A text attribute that holds nothing else. The mirror writes its tag there. The first run creates it if needed.',
		displayOptions: { show: { '/manage': ['tag'] } },
	}),
	usualTag,
);

const visitors =
	"Visitors who sign in on your website also become contacts with an External ID. They aren't in your list, so they";

/** Fields for managed and missing contacts. */
export const ownershipFields: Shown[] = [
	missingField,
	missingSinceField,
	notice('deleteMissingNotice', `Deletion is permanent. ${limitWords(contactNouns)}`, {
		show: { onMissing: ['delete'] },
		hide: { manage: ['all'] },
	}),
	manageField,
	tagField,
	prefixField,
	notice('allManagedNotice', `${visitors} count as missing.`, {
		show: { manage: ['all'] },
		hide: { onMissing: ['delete'] },
	}),
	notice('deleteAllNotice', `Deletion is permanent. ${visitors} are deleted.`, {
		show: { manage: ['all'], onMissing: ['delete'] },
	}),
];

/** The options for how many contacts may be missing. */
export const contactLimits = limitOptions(contactNouns);

/** Makes no request, and throws if tag and date are to have the same attribute. */
export function readMirrorSettings(item: InputItem): MirrorSettings {
	const fields = { onMissing: missingField, ...contactLimits };
	const settings = readMissingSettings(item, fields);
	const manage = manageField.read(item);
	const missingSince =
		settings.onMissing === 'mark' ? missingSinceField.read(item) : undefined;

	const tag =
		manage === 'tag'
			? { attribute: tagAttributeOption.read(item), text: tagField.read(item) }
			: undefined;
	if (tag && tag.attribute === missingSince) {
		throw item.error(
			'Tag and date have the same attribute',
			`Tag Attribute and Missing Since Attribute are both "${missingSince}". Choose a text attribute for the tag, and a date attribute for the date.`,
		);
	}

	const idPrefix = manage === 'idPrefix' ? prefixField.read(item) : undefined;
	return { ...settings, tag, idPrefix, missingSince };
}

/** A contact whose ID can't be part of a path can't be written or deleted, so it is never managed. */
export function isManaged(contact: Contact, { tag, idPrefix = '' }: Ownership): boolean {
	if (!isAddressable(contact)) return false;
	return tag
		? attributeText(contact, tag.attribute) === tag.text
		: externalIdOf(contact)!.startsWith(idPrefix);
}

/** Whether another mirror's tag is on the contact; such contacts are skipped. */
export function isOfAnotherMirror(contact: Contact, { tag }: Ownership): boolean {
	const text = tag && attributeText(contact, tag.attribute);
	return text !== undefined && text !== tag?.text;
}

/** Most tags of other mirrors in one attribute. With more different texts, it holds data. */
const maxOtherTags = 10;

/** Throws if the tag attribute has data instead of tags. */
export function assertHoldsTags(
	context: RunContext,
	{ tag }: Ownership,
	contacts: Contact[],
): void {
	if (!tag) return;

	const { attribute, text } = tag;
	const values = new Set(
		contacts.flatMap((contact) => attributeText(contact, attribute) ?? []),
	);
	values.delete(text);
	if (values.size <= maxOtherTags) return;

	const [example] = values;
	throw context.error(
		'Tag Attribute holds other data',
		`"${attribute}" holds ${countFormat.format(values.size)} other values, such as "${example}". Choose a text attribute that holds nothing else. Nothing was written.`,
	);
}

/** Throws if all items would be skipped, such as after the tag was renamed. */
export function assertSomeAreOurs(
	context: RunContext,
	ownership: Ownership,
	contacts: Array<Contact | undefined>,
): void {
	const areSkipped = contacts.every(
		(contact) => contact && isOfAnotherMirror(contact, ownership),
	);
	if (contacts.length === 0 || !areSkipped) return;

	throw context.error(
		'Another mirror manages all contacts of the input',
		`None of them has the tag "${ownership.tag?.text}". Nothing was written. If you have renamed the tag, change it back.`,
	);
}

/** An attribute in which each contact of the input gets a value from the mirror. */
interface MirrorAttribute {
	/** Its field in the panel, for errors. */
	label: string;
	type: AttributeType;
	name: string;
	/** The tag, or null, since a contact of the input is not missing. */
	value: string | null;
}

function mirrorAttributes({ tag, missingSince }: MirrorSettings): MirrorAttribute[] {
	const attributes: MirrorAttribute[] = [];
	if (tag) {
		const { attribute: name, text: value } = tag;
		attributes.push({ label: 'Tag Attribute', type: 'text', name, value });
	}

	if (missingSince !== undefined) {
		const name = missingSince;
		attributes.push({
			label: 'Missing Since Attribute',
			type: 'date',
			name,
			value: null,
		});
	}

	return attributes;
}

interface MirrorSchema {
	/** The attributes of the chatbot, if the mirror needs any. */
	schema?: Attributes;
	/** Those to create first. */
	missing: MirrorAttribute[];
}

/**
 * Finds the attributes to create first: the service drops unknown ones silently, and the mirror would not recognize its
 * contacts. Throws if one is archived or has another type, or if the attributes can't be listed.
 */
export async function findMissingAttributes(
	context: RunContext,
	api: ApiClient,
	chatbotId: string,
	settings: MirrorSettings,
): Promise<MirrorSchema> {
	const needed = mirrorAttributes(settings);
	if (needed.length === 0) return { missing: [] };

	const schema = await readAttributesIfAny(api, chatbotId);
	for (const { label, name, type } of needed) {
		const problem = problemOf(type, schema, name);
		if (problem === undefined) continue;
		throw context.error(
			`${label} cannot be used`,
			`The custom attribute "${name}" ${problem}. Choose an active ${type} attribute, or a new name. Nothing was written.`,
		);
	}
	return { schema, missing: needed.filter(({ name }) => !schema?.has(name)) };
}

/** Why a mirror can't write an attribute of the chatbot, or create it. */
function problemOf(
	type: AttributeType,
	schema: Attributes | undefined,
	name: string,
): string | undefined {
	if (!schema) return "can't be checked, since the service does not list attributes";
	const existing = schema.get(name);
	if (existing?.archived) return "is archived and can't get values";
	return existing && existing.type !== type ? `has the type ${existing.type}` : undefined;
}

export async function createAttributes(
	api: ApiClient,
	chatbotId: string,
	attributes: MirrorAttribute[],
): Promise<void> {
	for (const { name, type } of attributes) {
		try {
			api.expectBody(await sendAttribute(api, chatbotId, { name, type, label: name }));
		} catch (error) {
			const words = `The custom attribute "${name}" could not be created. Nothing else was written.`;
			throw withSentence(error as NodeApiError, words);
		}
	}
}

/** Adds the tag to what items write, and clears the date of missing contacts. Fails items that set these attributes. */
export async function tagItems(
	items: Array<PendingItem<ContactParams>>,
	mirror: MirrorSettings,
	schema: Attributes | undefined,
): Promise<Array<PendingItem<ContactParams>>> {
	const attributes = mirrorAttributes(mirror);
	const tagged: typeof items = [];

	for (const pending of items) {
		await giveWay();
		const { item, params, fail } = pending;
		const { values, unknown } = params.wanted;
		const own = attributes.find(({ name, value }) => {
			const key = attributePrefix + name;
			return [values, unknown].some((set) => set?.has(key) && set.get(key) !== value);
		});
		if (own) {
			const nextStep = `"${own.name}" is set by the mirror. Remove it from Contact Fields and Additional Fields.`;
			fail(item.error('Remove the tag attribute from the mapping', nextStep));
			continue;
		}

		params.wanted.schema ??= schema;
		addAttributes(params, attributes);
		tagged.push(pending);
	}

	return tagged;
}

function addAttributes(params: ContactParams, attributes: MirrorAttribute[]): void {
	const { wanted, settings } = params;
	const own = attributes.map(({ name }) => attributePrefix + name);
	params.settings = {
		...settings,
		// The mirror sets its own attributes as it needs them.
		onlyIfEmpty: settings.onlyIfEmpty.filter((name) => !own.includes(name)),
		// An item without attributes clears none, since the tag is not set by the user.
		mode: hasAttributes(wanted.values) ? settings.mode : 'merge',
	};

	for (const { name, value } of attributes) {
		const key = attributePrefix + name;
		wanted.unknown?.delete(key);
		wanted.values.set(key, value);
	}
}
