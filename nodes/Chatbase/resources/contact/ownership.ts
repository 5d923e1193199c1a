import type { INodeProperties, NodeApiError } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { withSentence } from '../../api/errors';
import type { InputItem } from '../../execution/item';
import type { RunContext } from '../../execution/context';
import type { PendingItem } from '../../execution/run';
import type { Field, Shown } from '../../panel/field';
import { choiceField, optionalField, requiredField } from '../../panel/field';
import { notice } from '../../panel/notices';
import { filledText } from '../../panel/types';
import { limitWords, readMissingSettings } from '../../sync/limitFields';
import { giveWay } from '../../values/list';
import { countFormat } from '../../values/number';
import { attributeLocator } from '../customAttribute/attributeLocator';
import type { AttributeType } from '../customAttribute/attributes';
import { readAttributesIfAny, sendAttribute } from '../customAttribute/attributes';
import { attributeName } from '../customAttribute/fields';
import { attributeText, type Contact, externalIdOf, isAddressable } from './contact';
import { attributePrefix, hasAttributes } from './wanted';
import { contactNouns } from './fields';
import type { ContactParams } from './item';

/** The same for all items of a run. Without tag and prefix, the mirror manages every contact with an External ID. */
export type MirrorSettings = ReturnType<typeof readMirrorSettings>;

type Ownership = Partial<Pick<MirrorSettings, 'tag' | 'idPrefix'>>;

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

const missingField = choiceField('onMissing', 'Missing Contacts', {
	description: 'What happens to a managed contact that is not in the input',
	choices: {
		delete: ['Delete', 'Deletes the contact permanently. Its last record is in the output.'],
		mark: ['Mark With a Date', 'Sets a date attribute once, and clears it if the contact returns'],
		report: ['Report Only', 'Lists the contact in the output and changes nothing'],
	},
	default: 'report',
});

const manageField = choiceField('manage', 'Contacts to Manage', {
	description:
		'Which contacts to mark or delete if they are missing from the input. All others are left alone.',
	choices: {
		all: ['All With an External ID', 'Every contact of the chatbot that has an External ID'],
		tag: [
			'Tagged by This Mirror',
			'Contacts that this mirror has tagged. The first run only tags.',
		],
		idPrefix: [
			'With an ID Prefix',
			'Contacts whose External ID starts with a prefix, such as crm-',
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
	{ ...filledText, rule: 'Enter the start of the External IDs in your input, such as crm-.' },
	{
		description: 'Start of the External IDs to manage (case-sensitive)',
		placeholder: 'e.g. crm-',
		displayOptions: { show: { manage: ['idPrefix'] } },
	},
);

interface AttributeLook {
	type: 'date' | 'text';
	description: string;
	/** The name of the attribute if none is chosen. */
	usual: string;
	show: NonNullable<INodeProperties['displayOptions']>['show'];
}

/** An attribute that the first run creates if needed. */
function attributeField(
	path: string,
	label: string,
	{ type, description, usual, show }: AttributeLook,
): Field<string> {
	const field = optionalField(path, label, attributeName, {
		description,
		...attributeLocator(type),
		default: { mode: 'name', value: usual },
		displayOptions: { show },
	});
	return { ...field, read: (item) => field.read(item) ?? usual };
}

const missingSinceField = attributeField('missingSinceAttribute', 'Missing Since Attribute', {
	type: 'date',
	description:
		'A date attribute that stores since when the contact is missing. The first run creates it if needed.',
	usual: 'missing_since',
	show: { onMissing: ['mark'] },
});

export const tagAttributeOption = attributeField('options.tagAttribute', 'Tag Attribute', {
	type: 'text',
	description:
		'A text attribute that holds nothing else. The mirror writes its tag there. The first run creates it if needed.',
	usual: 'managed_by',
	show: { '/manage': ['tag'] },
});

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

/** Makes no request, and throws if no attribute can have the name of the tag or the date. */
export function readMirrorSettings(item: InputItem) {
	const settings = readMissingSettings(item, contactNouns, missingField);
	/** The date attribute for missing contacts, if they are marked. */
	const missingSince = settings.onMissing === 'mark' ? missingSinceField.read(item) : undefined;
	const manage = manageField.read(item);
	/** The text in a custom attribute by which a mirror knows its contacts. */
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

/** The attributes in which each contact of the input gets a value from the mirror. */
function mirrorAttributes({ tag, missingSince }: MirrorSettings) {
	const attributeOf = (label: string, type: AttributeType, value: unknown, name?: string) =>
		name === undefined ? [] : [{ label, type, value, name, key: attributePrefix + name }];
	return [
		...attributeOf('Tag Attribute', 'text', tag?.text, tag?.attribute),
		...attributeOf('Missing Since Attribute', 'date', null, missingSince),
	];
}

type MirrorAttribute = ReturnType<typeof mirrorAttributes>[number];

/**
 * Finds the attributes to create first: the service drops unknown ones silently, and the mirror would not recognize its
 * contacts. Throws if one is archived or has another type, or if the attributes can't be listed.
 */
export async function findMissingAttributes(
	context: RunContext,
	api: ApiClient,
	chatbotId: string,
	settings: MirrorSettings,
): Promise<MirrorAttribute[]> {
	const needed = mirrorAttributes(settings);
	const schema = needed.length > 0 ? await readAttributesIfAny(api, chatbotId) : undefined;
	return needed.filter(({ label, name, type }) => {
		const attribute = schema?.get(name);
		const problem = !schema
			? "can't be checked, since the service does not list attributes"
			: attribute?.archived
				? "is archived and can't get values"
				: attribute && attribute.type !== type && `has the type ${attribute.type}`;
		if (!problem) return !attribute;
		throw context.error(
			`${label} cannot be used`,
			`The custom attribute "${name}" ${problem}. Choose an active ${type} attribute, or a new name. Nothing was written.`,
		);
	});
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

const maxOtherTags = 10;

/** Throws if the tag attribute has data instead of tags. */
export function assertHoldsTags(context: RunContext, { tag }: Ownership, contacts: Contact[]) {
	if (!tag) return;
	const { attribute, text } = tag;
	const values = new Set(contacts.flatMap((contact) => attributeText(contact, attribute) ?? []));
	values.delete(text);
	if (values.size <= maxOtherTags) return;
	const [example] = values;
	throw context.error(
		'Tag Attribute holds other data',
		`"${attribute}" holds ${countFormat.format(values.size)} other values, such as "${example}". Choose a text attribute that holds nothing else. Nothing was written.`,
	);
}

/** Adds the tag to what items write, and clears the date of missing contacts. Fails items that set these attributes. */
export async function tagItems(
	items: Array<PendingItem<ContactParams>>,
	mirror: MirrorSettings,
): Promise<typeof items> {
	const attributes = mirrorAttributes(mirror);
	const keys = attributes.map(({ key }) => key);
	const tagged: typeof items = [];
	for (const pending of items) {
		await giveWay();
		const { item, params, fail } = pending;
		const { wanted, settings } = params;
		const own = attributes.find(({ key, value }) =>
			[wanted.values, wanted.unknown].some((set) => set.has(key) && set.get(key) !== value),
		);
		if (own) {
			const nextStep = `"${own.name}" is set by the mirror. Remove it from Contact Fields and Additional Fields.`;
			fail(item.error('Remove the tag attribute from the mapping', nextStep));
			continue;
		}
		params.settings = {
			...settings,
			// An item without attributes clears none, since the tag is not set by the user.
			mode: hasAttributes(wanted.values) ? settings.mode : 'merge',
			onlyIfEmpty: settings.onlyIfEmpty.filter((name) => !keys.includes(name)),
		};
		for (const { key, type, value } of attributes) {
			wanted.unknown.delete(key);
			wanted.values.set(key, value);
			wanted.types.set(key, type);
		}
		tagged.push(pending);
	}
	return tagged;
}

/** Throws if all items would be skipped, such as after the tag was renamed. */
export function assertSomeAreOurs(
	context: RunContext,
	ownership: Ownership,
	contacts: Array<Contact | undefined>,
) {
	const areSkipped = contacts.every((contact) => contact && isOfAnotherMirror(contact, ownership));
	if (contacts.length === 0 || !areSkipped) return;
	throw context.error(
		'Another mirror manages all contacts of the input',
		`None of them has the tag "${ownership.tag?.text}". Nothing was written. If you have renamed the tag, change it back.`,
	);
}
