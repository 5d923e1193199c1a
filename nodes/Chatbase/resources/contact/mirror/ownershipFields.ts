/** The fields of a mirror for managed and missing contacts. */
import type { InputItem } from '../../../execution/item';
import {
	choiceField,
	optionalField,
	requiredField,
	type Shown,
	withDefault,
} from '../../../panel/field';
import { notice } from '../../../panel/notices';
import { filledText, type ValueType } from '../../../panel/types';
import { limitOptions, limitWords, readMissingSettings } from '../../../sync/limit';
import { clean } from '../../../values/clean';
import { attributeLocator, attributeName } from '../../customAttribute/attributes';
import { contactNouns } from '../panel/options';
import type { MirrorSettings, Ownership } from './ownership';

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
			'Contacts that this mirror has tagged. In its first run, none is missing.',
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

const tagText: ValueType<string> = {
	...filledText,
	rule: 'Enter a name for this mirror, such as crm.',
	read: (value) => clean(filledText.read(value) ?? '') || undefined,
};
const tagField = requiredField('tagValue', 'Tag', tagText, {
	description:
		"Name of this mirror. Don't change it later, or it no longer recognizes its contacts.",
	placeholder: 'e.g. crm',
	displayOptions: { show: { manage: ['tag'] } },
});

const prefixText: ValueType<string> = {
	...filledText,
	rule: 'Enter the start of the External IDs in your input, such as crm-.',
	read(value) {
		const text = filledText.read(value);
		// A space at its end stays: "ACME " is not the start of "ACMECORP-1".
		return text === undefined ? undefined : clean(`${text}|`).slice(0, -1) || undefined;
	},
};
const prefixField = requiredField('idPrefix', 'ID Prefix', prefixText, {
	description: 'Start of the External IDs to manage (case-sensitive)',
	placeholder: 'e.g. crm-',
	displayOptions: { show: { manage: ['idPrefix'] } },
});

/** A field for the name of an attribute. The first run creates the attribute if needed. */
function attributeLook(type: 'date' | 'text', usual: string) {
	return { ...attributeLocator(type, usual), default: { mode: 'name', value: usual } };
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
	optionalField('options.tagAttribute', 'Tag Attribute', attributeName, {
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

/** Reads the settings of a mirror without a request. Throws if tag and date would be in the same attribute. */
export function readMirrorSettings(item: InputItem): MirrorSettings {
	const fields = { onMissing: missingField, ...contactLimits };
	const settings = readMissingSettings(item, fields);
	const ownership = readOwnership(item);
	if (settings.onMissing !== 'mark') return { ...settings, ...ownership };

	const missingSince = missingSinceField.read(item);
	if (ownership.tag?.attribute === missingSince) {
		throw item.error(
			'Tag and date have the same attribute',
			`Tag Attribute and Missing Since Attribute are both "${missingSince}". Choose a text attribute for the tag, and a date attribute for the date.`,
		);
	}

	return { ...settings, ...ownership, missingSince };
}

function readOwnership(item: InputItem): Ownership {
	switch (manageField.read(item)) {
		case 'tag':
			return {
				tag: { attribute: tagAttributeOption.read(item), text: tagField.read(item) },
			};
		case 'idPrefix':
			return { idPrefix: prefixField.read(item) };
		case 'all':
			return {};
	}
}
