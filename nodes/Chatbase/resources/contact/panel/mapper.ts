import type {
	FieldType,
	ILoadOptionsFunctions,
	INodeProperties,
	INodePropertyOptions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';

import { isToolType } from '../../../execution/context';
import type { PanelProperty } from '../../../panel/field';
import { chosenChatbot, panelClient } from '../../../panel/locators';
import { notice } from '../../../panel/notices';
import { listRule } from '../../../sync/runMirror';
import { readAttributes } from '../../customAttribute/attributes';
import type { Attribute, AttributeType } from '../../customAttribute/attributeTypes';
import { attributePrefix } from '../plan/values';

/** Without this ID, a chatbot never uses the contact: its actions use the contact of the verified visitor. */
export const visitorIdRule =
	'If visitors sign in on your website, External ID must equal the user_id that it signs, as text.';

const idRule =
	'External ID is your own customer ID: contacts change no answer unless a login on your website signs it as user_id.';
const moreFields =
	'For more fields, use Custom Attribute: Create, then choose Refresh Field List below.';
const columnRule =
	'A column fills the field or custom attribute with the same name: Phone Number, phone_number and phone all work.';
const idColumnRule =
	'If the column of your customer ID is not named External ID, enter its name in Options, External ID Column.';

/** Notices about the mapper. n8n 2.41 hides its description, and about columns it only says that names must be equal. */
function mapperNotices(manual: string, automatic: string): INodeProperties[] {
	const shownIn = (mappingMode: string) => ({
		show: { '/contactFields.mappingMode': [mappingMode], '@tool': [false] },
	});
	return [
		notice('contactFieldsNotice', manual, shownIn('defineBelow')),
		notice('columnsNotice', automatic, shownIn('autoMapInputData')),
	];
}

export const mapperNotice = mapperNotices(
	`${idRule} ${moreFields}`,
	`${idColumnRule} ${columnRule}`,
);
export const updateMapperNotice = mapperNotices(moreFields, columnRule);
export const mirrorMapperNotice = mapperNotices(
	`${listRule}. ${idRule}`,
	`${listRule}. ${columnRule}`,
);

/** Values are checked when the node runs. n8n would also require them if the values come from a JSON field. */
const mapperField = {
	type: 'string',
	required: false,
	defaultMatch: false,
	canBeUsedToMatch: false,
	display: true,
} as const;

const matchable = { canBeUsedToMatch: true };

export const baseFields: ResourceMapperField[] = [
	{
		...mapperField,
		id: 'external_id',
		displayName: 'External ID',
		...matchable,
		defaultMatch: true,
	},
	{ ...mapperField, id: 'name', displayName: 'Name' },
	{ ...mapperField, id: 'email', displayName: 'Email', ...matchable },
	{ ...mapperField, id: 'phonenumber', displayName: 'Phone Number' },
];

export function contactFieldLabel(field: string): string | undefined {
	return baseFields.find(({ id }) => id === field)?.displayName;
}

const fieldTypes: Record<AttributeType, FieldType> = {
	text: 'string',
	number: 'number',
	boolean: 'options',
	date: 'dateTime',
};

const booleanOptions = [
	{ name: 'True', value: true },
	{ name: 'False', value: false },
];

/** Attributes are `removed` at first, so that the panel shows only those that it sets. */
async function mapContactFields(
	this: ILoadOptionsFunctions,
): Promise<ResourceMapperFields> {
	const chatbotId = chosenChatbot(this);
	const operation = this.getCurrentNodeParameter('operation');
	const standard = baseFields.map((field) => ({
		...field,
		...(field.id === 'external_id' && idFieldIn(operation)),
	}));
	if (chatbotId === undefined) return { fields: standard };

	try {
		const attributes = await readAttributes(await panelClient(this), chatbotId);
		const active = [...attributes.values()].filter(({ archived }) => !archived);
		const isTool = isToolType(this.getNode());
		const custom = active.map((attribute) => attributeField(attribute, isTool));
		return { fields: [...standard, ...custom] };
	} catch (error) {
		const displayName = `Custom Attributes (not readable: ${(error as Error).message})`;
		const instead = {
			id: 'custom_attributes',
			displayName,
			type: 'object',
			removed: true,
		} as const;
		return { fields: [...standard, { ...mapperField, ...instead }] };
	}
}

/** Update chooses the contact above the mapper, so an ID in the mapper is a new one for the contact. */
function idFieldIn(operation: unknown): Partial<ResourceMapperField> {
	if (operation === 'update') {
		const isNoMatch = { defaultMatch: false, canBeUsedToMatch: false };
		return { displayName: 'New External ID', removed: true, ...isNoMatch };
	}
	return { required: operation === 'create' };
}

/**
 * A boolean is chosen from a list, since n8n 2.41 stores `false` for a toggle that was never used. In a tool it is text,
 * since n8n doesn't let a model fill in a list, and a model can leave text empty.
 */
function attributeField(attribute: Attribute, isTool: boolean): ResourceMapperField {
	const { name, type } = attribute;
	const title = attributeTitle(attribute);
	const isBoolean = type === 'boolean';
	return {
		...mapperField,
		id: attributePrefix + name,
		displayName: isBoolean && isTool ? `${title}, true or false` : title,
		type: isBoolean && isTool ? 'string' : fieldTypes[type],
		...(isBoolean && { options: booleanOptions }),
		removed: true,
	};
}

/** The name and the label of a custom attribute. */
export interface AttributeNames {
	name: string;
	label?: string;
}

const titlePrefix = 'Attribute: ';

/** The title of an attribute in the mapper. The panel cuts long titles, so a name that the label spells out is left out. */
function attributeTitle({ name, label }: AttributeNames): string {
	const isSpelledOut = !label || label.toLowerCase().replaceAll(' ', '_') === name;
	return titlePrefix + (isSpelledOut ? label || name : `${label} (${name})`);
}

/** The fields that can be empty: all but the ID. */
export async function getOptionalFields(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	const { fields } = await mapContactFields.call(this);
	return [
		...fields
			.filter(({ id }) => id !== 'external_id' && id !== 'custom_attributes')
			.map(({ id, displayName }) => ({ name: displayName, value: id })),
		{ name: 'Payment Accounts', value: 'payment_accounts' },
	];
}

/** n8n 2.41 checks required fields in the mode `add` only. */
function contactMapper(mode: 'add' | 'map'): PanelProperty {
	const property: INodeProperties = {
		displayName: 'Contact Fields',
		name: 'contactFields',
		type: 'resourceMapper',
		noDataExpression: true,
		default: { mappingMode: 'defineBelow', value: null },
		required: true,
		description: `Data of the contact. ${visitorIdRule} Add custom attributes from the list below the fields. Custom Attribute: Create defines new ones.`,
		typeOptions: {
			loadOptionsDependsOn: ['chatbotId.value'],
			resourceMapper: {
				resourceMapperMethod: 'mapContactFields',
				mode,
				fieldWords: { singular: 'field', plural: 'fields' },
				addAllFields: true,
				valuesLabel: 'Contact Fields',
				multiKeyMatch: false,
				supportAutoMap: true,
				hideNoDataError: true,
			},
		},
	};

	return { property, methods: { resourceMapping: { mapContactFields } } };
}

export const createMapper = contactMapper('add');
export const updateMapper = contactMapper('map');
