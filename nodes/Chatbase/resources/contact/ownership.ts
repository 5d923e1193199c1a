import type { INodeProperties } from 'n8n-workflow';

import type { InputItem } from '../../execution/item';
import { notice } from '../../fields/define';
import type { Field, Shown } from '../../fields/field';
import { choiceField, optionalField, requiredField } from '../../fields/field';
import { attributeLocator } from '../../fields/locators';
import { filledText } from '../../fields/values';
import { limitWords, type MissingSettings, readMissingSettings } from '../../sync/limit';
import { attributeName } from '../customAttribute/create';
import { attributeText, type Contact, externalIdOf, isAddressable } from './contact';
import { contactNouns, emptyValuesOption } from './fields';

export type Ownership =
	/** Contacts with its tag, a text in a custom attribute. */
	| { kind: 'tag'; attribute: string; tag: string }
	| { kind: 'idPrefix'; prefix: string }
	/** Every contact with an External ID. */
	| { kind: 'all' };

/** The same for all items of a run. */
export interface MirrorSettings extends MissingSettings {
	ownership: Ownership;
	/** The date attribute for missing contacts, if they are marked. */
	missingSince?: string;
	emptyValues: 'ignore' | 'clear';
}

/** A contact whose ID can't be part of a path can't be written or deleted, so it is never managed. */
export function isManaged(contact: Contact, ownership: Ownership): boolean {
	if (!isAddressable(contact)) return false;
	switch (ownership.kind) {
		case 'tag':
			return attributeText(contact, ownership.attribute) === ownership.tag;
		case 'idPrefix':
			return externalIdOf(contact)!.startsWith(ownership.prefix);
		case 'all':
			return true;
	}
}

/** Whether another mirror's tag is on the contact; such contacts are skipped. */
export function isOfAnotherMirror(contact: Contact, ownership: Ownership): boolean {
	if (ownership.kind !== 'tag') return false;
	const tag = attributeText(contact, ownership.attribute);
	return tag !== undefined && tag !== ownership.tag;
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

/** An attribute that the first run creates if needed. */
function attributeField(
	path: string,
	type: 'Date' | 'Text',
	label: string,
	description: string,
	usual: string,
	show: NonNullable<INodeProperties['displayOptions']>['show'],
): Field<string> {
	const field = optionalField(path, label, attributeName, {
		description,
		...attributeLocator(`search${type}Attributes`),
		default: { mode: 'name', value: usual },
		displayOptions: { show },
	});
	return { ...field, read: (item) => field.read(item) ?? usual };
}

const missingSinceField = attributeField(
	'missingSinceAttribute',
	'Date',
	'Missing Since Attribute',
	'A date attribute that stores since when the contact is missing. The first run creates it if needed.',
	'missing_since',
	{ onMissing: ['mark'] },
);

export const tagAttributeOption = attributeField(
	'options.tagAttribute',
	'Text',
	'Tag Attribute',
	'A text attribute that holds nothing else. The mirror writes its tag there. The first run creates it if needed.',
	'managed_by',
	{ '/manage': ['tag'] },
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

/** Makes no request, and throws if no attribute can have the name of the tag or the date. */
export function readMirrorSettings(item: InputItem): MirrorSettings {
	const settings = readMissingSettings(item, contactNouns, missingField);
	const missingSince = settings.onMissing === 'mark' ? missingSinceField.read(item) : undefined;
	const ownership = readOwnership(item);
	if (ownership.kind === 'tag' && ownership.attribute === missingSince) {
		throw item.error(
			'Tag and date have the same attribute',
			`Tag Attribute and Missing Since Attribute are both "${missingSince}". Choose a text attribute for the tag, and a date attribute for the date.`,
		);
	}
	const emptyValues = emptyValuesOption.read(item);
	return { ...settings, ownership, ...(missingSince && { missingSince }), emptyValues };
}

function readOwnership(item: InputItem): Ownership {
	const kind = manageField.read(item);
	if (kind === 'all') return { kind };
	if (kind === 'idPrefix') return { kind, prefix: prefixField.read(item) };
	return { kind, attribute: tagAttributeOption.read(item), tag: tagField.read(item) };
}
