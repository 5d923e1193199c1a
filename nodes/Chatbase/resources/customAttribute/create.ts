import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import type { ApiResponse } from '../../api/response';
import type { InputItem } from '../../execution/item';
import { additionalFieldsField, optionsField } from '../../panel/collections';
import { maxConcurrencyOption } from '../../panel/maxConcurrency';
import { notice, shownInTool, toolNotice } from '../../panel/notices';
import { choiceField, requiredField, readFilledFields } from '../../panel/field';
import { operation } from '../../panel/operation';
import { chatbotField } from '../../chatbots/chatbots';
import {
	attributeName,
	attributesPath,
	attributeFieldsIn,
	readAttributeRecords,
	readRecordsIfAny,
	sendAttribute,
} from './attributes';

const permanentNotice = notice(
	'permanentNotice',
	'Attributes can be archived, but never deleted or renamed. Their type is permanent, too.',
	shownInTool(false).displayOptions,
);

const newAttributeNameField = requiredField(
	'attributeName',
	'Attribute Name',
	attributeName,
	{
		description:
			'Permanent name of the attribute in the API and in this node. Use lowercase letters, digits and underscores.',
		placeholder: 'e.g. lifetime_value',
	},
);
const attributeTypeField = choiceField('attributeType', 'Attribute Type', {
	description: 'Permanent type of the values',
	choices: {
		boolean: ['Boolean', 'True or false'],
		date: ['Date', 'A day, or a day with a time'],
		number: ['Number', 'A number to count or calculate with'],
		text: ['Text', 'Anything else'],
	},
	default: 'text',
});
const furtherFields = attributeFieldsIn('additionalFields');
const existsOption = choiceField('options.onExists', 'If Exists', {
	description: 'What to do if the chatbot already has an attribute with this name',
	choices: {
		error: [
			'Fail',
			'The item fails. On Error in the settings decides what happens next.',
		],
		skip: [
			'Skip',
			'Returns the existing attribute unchanged, so the workflow can run again',
		],
	},
});

export const create = operation({
	value: 'create',
	description: 'Define an attribute that contacts can have',
	request: { method: 'POST', path: attributesPath, resource: 'customAttributes' },
	maxConcurrency: maxConcurrencyOption,
	fields: [
		chatbotField,
		toolNotice(
			'Attributes can be archived, but never deleted or renamed. Describe under Tool Description when to use it, or add a human review step.',
		),
		permanentNotice,
		newAttributeNameField,
		attributeTypeField,
		additionalFieldsField(furtherFields),
		optionsField([existsOption, maxConcurrencyOption]),
	],

	read(item) {
		const name = newAttributeNameField.read(item);
		const type = attributeTypeField.read(item);
		return {
			chatbotId: chatbotField.read(item),
			// Older versions of the service require a label.
			body: { name, type, label: name, ...readFilledFields(item, furtherFields) },
			skipsExisting: existsOption.read(item) === 'skip',
		};
	},

	begin: (): SharedAttributes => ({ wanted: new Map(), made: new Map() }),

	/** Refuses an attribute before any is created, since that can't be undone. */
	async complete({ item, params, api }, { wanted }) {
		const existing = await findExisting(api, params);
		if (existing) {
			assertSame(item, params, { existing, owner: 'The chatbot' });
			return params;
		}

		const key = attributeKeyOf(params);
		const earlier = wanted.get(key);
		if (earlier)
			assertSame(item, params, { existing: earlier, owner: 'An earlier item' });
		else wanted.set(key, params.body);
		return params;
	},

	// Two items may name an attribute in different cases.
	sequenceKeys: (wanted) => [attributeKeyOf(wanted)],

	async send({ item, params, api }, { made }) {
		const { chatbotId, body, skipsExisting } = params;
		const key = attributeKeyOf(params);
		const existing = made.get(key) ?? (await findExisting(api, params));
		if (existing && skipsExisting) return [existing];

		const response = await sendAttribute(api, chatbotId, body);
		if (skipsExisting && refusesExisting(response)) {
			const records = await readAttributeRecords(api, chatbotId);
			const present = records.find(({ name }) => name === body.name);
			if (present) {
				assertSame(item, params, { existing: present, owner: 'The chatbot' });
				return [present];
			}
		}

		const created = api.expectBody(response);
		made.set(key, created);
		return [created];
	},
});

interface WantedAttribute {
	chatbotId: string;
	body: { name: string; type: string };
	/** Whether an attribute that exists is the result. */
	skipsExisting: boolean;
}

/** What the items share, by `attributeKeyOf`. */
interface SharedAttributes {
	/** The attribute that the first item with a name wants. */
	readonly wanted: Map<string, WantedAttribute['body']>;
	/** The attributes that the run has created. */
	readonly made: Map<string, IDataObject>;
}

/** The same for names that differ only in case. */
function attributeKeyOf({ chatbotId, body }: WantedAttribute): string {
	return JSON.stringify([chatbotId, body.name.toLowerCase()]);
}

/** The attribute that the chatbot had before the run, by its name in upper or lower case. */
async function findExisting(
	api: ApiClient,
	{ chatbotId, body }: WantedAttribute,
): Promise<IDataObject | undefined> {
	const { name } = body;
	const records = (await readRecordsIfAny(api, chatbotId)) ?? [];
	const alike = records.filter(
		(record) => String(record.name).toLowerCase() === name.toLowerCase(),
	);
	return alike.find((record) => record.name === name) ?? alike[0];
}

interface OwnedAttribute {
	readonly existing: IDataObject;
	readonly owner: 'The chatbot' | 'An earlier item';
}

/** Throws if the wanted attribute is not the one that the chatbot or an earlier item has. */
function assertSame(
	item: InputItem,
	{ body, skipsExisting }: WantedAttribute,
	{ existing, owner }: OwnedAttribute,
): void {
	const { name, type } = body;
	if (existing.name !== name) {
		const known = String(existing.name);
		throw item.error(
			'Another attribute differs only in case',
			`${owner} has "${known}". "${name}" would be another attribute, which cannot be deleted or renamed. Use "${known}", or choose another name.`,
		);
	}

	if (skipsExisting && existing.type !== type) {
		throw item.error(
			'The attribute has another type',
			`${owner} has "${name}" with the type ${String(existing.type)}, not ${type}. Types are permanent. Choose another name, or change Attribute Type.`,
		);
	}
}

/**
 * Documents name the status 400 for a name that exists, and 409 for other values that must be unique (reference of version 1).
 */
function refusesExisting({ status }: ApiResponse): boolean {
	return status === 400 || status === 409;
}
