import type { INodeProperties } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { fillPath } from '../../api/address';
import type { InputItem, RunContext } from '../../execution/item';
import type { PendingItem } from '../../execution/run';
import { notice } from '../../fields/define';
import { attributeLocator } from '../../fields/locators';
import { filledText, countFormat, readChoice, readRequired } from '../../fields/values';
import type { MissingSettings } from '../../sync/missing';
import { readMissingSettings } from '../../sync/missing';
import type { AttributeType } from '../customAttribute/attributes';
import {
	attributePrefix,
	attributesPath,
	readAttributesIfAny,
} from '../customAttribute/attributes';
import type { Contact } from './contact';
import { attributeText, externalIdOf, isAddressable } from './contact';
import { contactNouns } from './fields';
import type { ContactParams } from './item';
import { readEmptyValues } from './settings';

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

export function readMirrorSettings(item: InputItem): MirrorSettings {
	const settings = readMissingSettings(item, contactNouns, ['report', 'mark', 'delete']);
	return {
		...settings,
		ownership: readOwnership(item),
		...(settings.onMissing === 'mark' && {
			missingSince: requiredText(item, 'missingSinceAttribute', 'Missing Since Attribute'),
		}),
		emptyValues: readEmptyValues(item),
	};
}

function readOwnership(item: InputItem): Ownership {
	const kind = readChoice(item, 'manage', 'Contacts to Manage', ['tag', 'idPrefix', 'all']);
	if (kind === 'all') return { kind };
	if (kind === 'idPrefix') return { kind, prefix: requiredText(item, 'idPrefix', 'ID Prefix') };
	const attribute = requiredText(item, 'tagAttribute', 'Tag Attribute');
	return { kind, attribute, tag: requiredText(item, 'tagValue', 'Tag') };
}

function requiredText(item: InputItem, name: string, label: string): string {
	return readRequired(item, name, filledText, label);
}

interface MirrorAttribute {
	label: string;
	name: string;
	type: AttributeType;
}

/**
 * Finds the attributes to create first: the service drops unknown ones silently, and the mirror would not recognize its
 * contacts. Throws if one is archived or has another type, or if the attributes can't be listed.
 */
export async function findMissingAttributes(
	context: RunContext,
	api: ApiClient,
	chatbotId: string,
	{ ownership, missingSince }: MirrorSettings,
): Promise<MirrorAttribute[]> {
	const needed: MirrorAttribute[] = [];
	if (ownership.kind === 'tag') {
		needed.push({ label: 'Tag Attribute', name: ownership.attribute, type: 'text' });
	}
	if (missingSince !== undefined) {
		needed.push({ label: 'Missing Since Attribute', name: missingSince, type: 'date' });
	}
	if (needed.length === 0) return [];
	const schema = await readAttributesIfAny(api, chatbotId);
	return needed.filter(({ label, name, type }) => {
		const attribute = schema?.find((known) => known.name === name);
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
		const response = await api.send({
			method: 'POST',
			path: fillPath(attributesPath, { chatbotId }),
			body: { name, type, label: name },
			resource: 'customAttributes',
		});
		api.expectBody(response);
	}
}

const maxOtherTags = 10;
/** Throws if the tag attribute has data instead of tags. */
export function assertHoldsTags(context: RunContext, ownership: Ownership, contacts: Contact[]) {
	if (ownership.kind !== 'tag') return;
	const { attribute, tag } = ownership;
	const values = new Set(contacts.flatMap((contact) => attributeText(contact, attribute) ?? []));
	values.delete(tag);
	if (values.size <= maxOtherTags) return;
	const [example] = values;
	throw context.error(
		'Tag Attribute holds other data',
		`"${attribute}" holds ${countFormat.format(values.size)} other values, such as "${example}". Choose a text attribute that holds nothing else. Nothing was written.`,
	);
}

/** Adds the tag to what items write, and clears the date of missing contacts. Fails items that set these attributes. */
export function tagItems(
	items: Array<PendingItem<ContactParams>>,
	{ ownership, missingSince }: MirrorSettings,
): typeof items {
	const tags = new Map<string, string | null>();
	if (ownership.kind === 'tag') tags.set(ownership.attribute, ownership.tag);
	if (missingSince !== undefined) tags.set(missingSince, null);
	return items.filter(({ item, params, fail }) => {
		const { wanted, settings } = params;
		const own = [...tags].find(
			([name, tag]) => wanted.attributes.has(name) && wanted.attributes.get(name) !== tag,
		);
		if (own) {
			const nextStep = `"${own[0]}" is set by the mirror. Remove it from Contact Fields and Additional Fields.`;
			fail(item.error('Remove the tag attribute from the mapping', nextStep));
			return false;
		}
		const isTag = (name: string) =>
			name.startsWith(attributePrefix) && tags.has(name.slice(attributePrefix.length));
		params.settings = {
			...settings,
			// An item without attributes clears none, since the tag is not set by the user.
			mode: wanted.attributes.size === 0 ? 'merge' : settings.mode,
			onlyIfEmpty: settings.onlyIfEmpty.filter((name) => !isTag(name)),
		};
		tags.forEach((tag, name) => wanted.attributes.set(name, tag));
		return true;
	});
}

/** Fields for managed and missing contacts. */
export const ownershipFields: INodeProperties[] = [
	{
		displayName: 'Missing Contacts',
		name: 'onMissing',
		type: 'options',
		default: 'report',
		description: 'What happens to a managed contact that is not in the input',
		options: [
			{
				name: 'Delete',
				value: 'delete',
				description: 'Deletes the contact permanently. Its last record is in the output.',
			},
			{
				name: 'Mark With a Date',
				value: 'mark',
				description: 'Sets a date attribute once, and clears it if the contact returns',
			},
			{
				name: 'Report Only',
				value: 'report',
				description: 'Lists the contact in the output and changes nothing',
			},
		],
	},
	{
		...attributeLocator(
			'Missing Since Attribute',
			'missingSinceAttribute',
			'A date attribute that stores since when the contact is missing. The first run creates it if needed.',
			'searchDateAttributes',
		),
		default: { mode: 'name', value: 'missing_since' },
		displayOptions: { show: { onMissing: ['mark'] } },
	},
	notice(
		'deleteMissingNotice',
		'Deletion is permanent and runs last, after every item was written. By default, the node fails and writes nothing if more than 10% (and 10) or 500 contacts are missing.',
		{ show: { onMissing: ['delete'] }, hide: { manage: ['all'] } },
	),
	{
		displayName: 'Contacts to Manage',
		name: 'manage',
		type: 'options',
		default: 'tag',
		description:
			'Which contacts to mark or delete if they are missing from the input. All others are left alone.',
		options: [
			{
				name: 'All With an External ID',
				value: 'all',
				description: 'Every contact of the chatbot that has an External ID',
			},
			{
				name: 'Tagged by This Mirror',
				value: 'tag',
				description: 'Contacts that this mirror has tagged. The first run only tags.',
			},
			{
				name: 'With an ID Prefix',
				value: 'idPrefix',
				description: 'Contacts whose External ID starts with a prefix, such as crm-',
			},
		],
	},
	{
		displayName: 'Tag',
		name: 'tagValue',
		type: 'string',
		default: '',
		placeholder: 'e.g. crm',
		description:
			"Name of this mirror. Don't change it later, or it no longer recognizes its contacts.",
		displayOptions: { show: { manage: ['tag'] } },
	},
	{
		...attributeLocator(
			'Tag Attribute',
			'tagAttribute',
			'A text attribute that holds nothing else. The mirror writes its tag there. The first run creates it if needed.',
			'searchTextAttributes',
		),
		default: { mode: 'name', value: 'managed_by' },
		displayOptions: { show: { manage: ['tag'] } },
	},
	{
		displayName: 'ID Prefix',
		name: 'idPrefix',
		type: 'string',
		default: '',
		placeholder: 'e.g. crm-',
		description: 'Start of the External IDs to manage (case-sensitive)',
		displayOptions: { show: { manage: ['idPrefix'] } },
	},
	notice(
		'allManagedNotice',
		"Visitors who sign in on your website also become contacts with an External ID. They aren't in your list, so they count as missing.",
		{ show: { manage: ['all'] }, hide: { onMissing: ['delete'] } },
	),
	notice(
		'deleteAllNotice',
		"Deletion is permanent. Visitors who sign in on your website also become contacts with an External ID. They aren't in your list, so they are deleted.",
		{ show: { manage: ['all'], onMissing: ['delete'] } },
	),
];
