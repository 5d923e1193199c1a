import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { InputItem } from '../../../execution/item';
import { additionalFieldsField, optionsField } from '../../../panel/collections';
import { maxConcurrencyOption } from '../../../panel/maxConcurrency';
import { dryRunOption, dryRunToggle } from '../../../panel/dryRun';
import {
	choiceField,
	type ChoiceLook,
	type Field,
	type FieldLook,
	optionalField,
	type Shown,
} from '../../../panel/field';
import { commaSeparated, text } from '../../../panel/types';
import { withOutcomeOptions } from '../../../sync/outcomeOptions';
import type { TextFormat } from '../../../values/textFormat';
import { chatbotField } from '../../../chatbots/chatbots';
import { contactFieldOrder } from '../plan/contactRecord';
import { aliasesOf, isAttribute } from '../plan/values';
import type { MatchBy, WriteSettings } from '../plan/wantedContact';
import { baseFields, getOptionalFields, visitorIdRule } from './mapper';

export const contactNouns = withOutcomeOptions({
	one: 'contact',
	many: 'contacts',
	title: 'Contacts',
	ids: 'External IDs',
	idField: 'external_id',
	fieldOrder: contactFieldOrder,
	handling: 'mark or delete',
});

const matchByLook = (rule: string): ChoiceLook<MatchBy> => ({
	description: `How to find the contact of an item. ${rule}`,
	choices: {
		externalId: [
			'External ID',
			'Contacts with another External ID are different, even with the same email',
		],
		externalIdThenEmail: [
			'External ID or Email',
			'Without a match by ID, updates the contact with the same email. Reads the full contact list.',
		],
	},
});
export const matchByField = choiceField(
	'matchBy',
	'Match Contacts By',
	matchByLook(`An item without an External ID is matched by email. ${visitorIdRule}`),
);
/** The option for a mirror, whose panel has more fields, and which refuses items without an External ID. */
export const matchByOption = choiceField(
	'options.matchBy',
	'Match Contacts By',
	matchByLook(visitorIdRule),
);

/** Fields that can be empty. Payment accounts have one of two names, depending on the service. */
const clearableFields = new Set([
	...baseFields.map(({ id }) => id).filter((id) => id !== 'external_id'),
	'payment_accounts',
	'stripe_accounts',
]);

/** A choice of fields of contacts. Its label ends with "Names or IDs" by n8n's guidelines. */
const fieldNamesLook = (description: string): FieldLook => ({
	type: 'multiOptions',
	methods: { loadOptions: { getOptionalFields } },
	typeOptions: {
		loadOptionsMethod: 'getOptionalFields',
		loadOptionsDependsOn: ['chatbotId.value'],
	},
	default: [],
	description: `${description}. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.`,
});

/** A field for names of contact fields. It refuses names that no contact can have. */
function knownNames(field: Field<string[] | undefined>): Field<string[]> {
	const readKnown = (item: InputItem) => {
		const names = field.read(item) ?? [];
		const other = names.find((name) => !isAttribute(name) && !clearableFields.has(name));
		if (other === undefined) return names;

		throw item.error(
			'A field name is unknown',
			`${field.property.displayName} has "${other}". Possible names are ${[...clearableFields].join(', ')}. A custom attribute needs its prefix, such as custom_attributes.plan.`,
		);
	};

	return { ...field, read: readKnown };
}

/** The fields of a payment account, by their names in the API. */
export const accountFields = {
	label: optionalField('label', 'Label', text, {
		placeholder: 'e.g. Main account',
		description: 'Name of the account',
	}),
	payment_email: optionalField('paymentEmail', 'Payment Email', text, {
		placeholder: 'e.g. billing@example.com',
		description: 'Email address at the payment provider',
	}),
	payment_id: optionalField('paymentId', 'Payment ID', text, {
		placeholder: 'e.g. cus_1001',
		description: 'ID of the customer at the payment provider',
	}),
};

const additionalFields: INodeProperties[] = [
	{
		displayName: 'Custom Attributes JSON',
		name: 'customAttributesJson',
		type: 'json',
		default: '{}',
		placeholder: 'e.g. { "plan": "pro", "seats": 5 }',
		description:
			'Custom attributes by name, sent unchanged. Overrides the same attribute in Contact Fields.',
	},
	{
		displayName: 'Extra Fields JSON',
		name: 'extraFieldsJson',
		type: 'json',
		default: '{}',
		placeholder: 'e.g. { "stripe_accounts": [] }',
		description: 'Further API fields, merged into the contact unchanged',
	},
	{
		displayName: 'Payment Accounts',
		name: 'paymentAccounts',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Account',
		default: {},
		description:
			'Accounts at a payment provider, for the Stripe actions of the chatbot. Replaces the existing ones.',
		options: [
			{
				displayName: 'Accounts',
				name: 'accounts',
				values: Object.values(accountFields).map(({ property }) => property),
			},
		],
	},
];

const withAdditional = (...more: Shown[]) =>
	additionalFieldsField(
		[...more, ...additionalFields],
		'Payment accounts and JSON. Map names, emails and custom attributes in Contact Fields.',
	);

/** The fields of Create. It has none for clearing, since a new contact has nothing to clear. */
export const createAdditionalFields = withAdditional();
export const clearFields = knownNames(
	optionalField(
		'additionalFields.clearFields',
		'Clear Field Names or IDs',
		commaSeparated,
		fieldNamesLook('Fields to clear on the contact'),
	),
);
export const updateAdditionalFields = withAdditional(clearFields);

const withAutomaticMapping = {
	displayOptions: { show: { '/contactFields.mappingMode': ['autoMapInputData'] } },
} satisfies Partial<FieldLook>;

/** The option for the column with the External ID. It applies to automatic mapping only. */
export const idColumnOption = optionalField(
	'options.idColumn',
	'External ID Column',
	text,
	{
		placeholder: 'e.g. Customer ID',
		description:
			'Column of the input that has the External ID. Use it if the column has another name, such as "Customer ID" or "id".',
		...withAutomaticMapping,
	},
);

export const textFormatOption = choiceField(
	'options.textFormat',
	'Dates and Numbers in Text',
	{
		description:
			'How dates and numbers are written in text, for custom attributes in Contact Fields. Change it if your spreadsheet writes them in another way. A time after the date is read, too.',
		choices: {
			iso: ['2026-12-31 and 1234.5'],
			dayPoint: ['31/12/2026 and 1,234.50'],
			dayComma: ['31.12.2026 and 1.234,50'],
			monthPoint: ['12/31/2026 and 1,234.50'],
		} satisfies Record<TextFormat, [string]>,
	},
);

/** How the panel names a format. */
export function nameOfFormat(format: TextFormat): string {
	const choices = textFormatOption.property.options as INodePropertyOptions[];
	return choices.find(({ value }) => value === format)!.name;
}

export const createOptions = optionsField([idColumnOption, textFormatOption]);

const setOnlyIfEmptyOption = knownNames(
	optionalField(
		'options.setOnlyIfEmpty',
		'Set Only If Empty: Names or IDs',
		commaSeparated,
		fieldNamesLook(
			'Fields to write only if the contact has no value yet. Skipped differences are listed in _sync.kept',
		),
	),
);
const emptyValuesOption = choiceField('options.emptyValues', 'Empty Values', {
	description:
		'What to do if a mapped field is empty or null. With automatic mapping, a column that an item lacks changes nothing.',
	choices: {
		ignore: ['Ignore', 'The contact keeps its value'],
		clear: ['Clear', 'Clears the value of the contact'],
	},
});
const droppedOption = choiceField('options.onDroppedFields', 'If Fields Are Dropped', {
	description:
		'Chatbase accepts unknown custom attributes without saving them. Choose what happens then.',
	default: 'warn',
	choices: {
		error: ['Fail', 'The item fails and lists the fields'],
		warn: ['Warn', 'The output lists the fields in _sync.dropped'],
		ignore: ['Ignore', 'The output does not list the fields'],
	},
});
export const writeOptions = [
	emptyValuesOption,
	droppedOption,
	maxConcurrencyOption,
	textFormatOption,
];

export const upsertOptions: Shown[] = [
	...writeOptions,
	...Object.values(contactNouns.outcomeOptions),
	setOnlyIfEmptyOption,
	idColumnOption,
];

export type WriteOperation = 'create' | 'mirror' | 'update' | 'upsert';

export function readWriteSettings(
	item: InputItem,
	operation: WriteOperation,
): WriteSettings {
	const isMirror = operation === 'mirror';
	return {
		chatbotId: chatbotField.read(item),
		matchBy: (isMirror ? matchByOption : matchByField).read(item),
		onlyIfEmpty: setOnlyIfEmptyOption.read(item).flatMap(aliasesOf),
		onDroppedFields: droppedOption.read(item),
		emptyValues: emptyValuesOption.read(item),
		dryRun: (isMirror ? dryRunToggle : dryRunOption).read(item),
	};
}
