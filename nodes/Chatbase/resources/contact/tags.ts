import type { NodeApiError } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { withSentence } from '../../api/errors';
import type { RunContext } from '../../execution/item';
import type { PendingItem } from '../../execution/run';
import { countFormat } from '../../values/scalar';
import type { AttributeType } from '../customAttribute/attributes';
import {
	attributePrefix,
	attributesPath,
	bareName,
	hasAttributes,
	readAttributesIfAny,
} from '../customAttribute/attributes';
import { attributeText, type Contact } from './contact';
import type { ContactParams } from './item';
import { isOfAnotherMirror, type MirrorSettings, type Ownership } from './ownership';

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
		try {
			const response = await api.send({
				method: 'POST',
				path: attributesPath,
				resource: 'customAttributes',
				params: { chatbotId },
				body: { name, type, label: name },
			});
			api.expectBody(response);
		} catch (error) {
			const words = `The custom attribute "${name}" could not be created. Nothing else was written.`;
			throw withSentence(error as NodeApiError, words);
		}
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
	if (ownership.kind === 'tag') tags.set(attributePrefix + ownership.attribute, ownership.tag);
	if (missingSince !== undefined) tags.set(attributePrefix + missingSince, null);
	return items.filter(({ item, params, fail }) => {
		const { wanted, settings } = params;
		const set = new Map([...wanted.unknown, ...wanted.values]);
		const own = [...tags].find(([name, tag]) => set.has(name) && set.get(name) !== tag);
		if (own) {
			const nextStep = `"${bareName(own[0])}" is set by the mirror. Remove it from Contact Fields and Additional Fields.`;
			fail(item.error('Remove the tag attribute from the mapping', nextStep));
			return false;
		}
		params.settings = {
			...settings,
			// An item without attributes clears none, since the tag is not set by the user.
			mode: !hasAttributes(wanted.values) ? 'merge' : settings.mode,
			onlyIfEmpty: settings.onlyIfEmpty.filter((name) => !tags.has(name)),
		};
		for (const [name, tag] of tags) {
			wanted.unknown.delete(name);
			wanted.values.set(name, tag);
			wanted.types.set(name, tag === null ? 'date' : 'text');
		}
		return true;
	});
}

/** Throws if all items would be skipped, such as after the tag was renamed. */
export function assertSomeAreOurs(
	context: RunContext,
	ownership: Ownership,
	contacts: Array<Contact | undefined>,
) {
	const areSkipped = contacts.every((contact) => contact && isOfAnotherMirror(contact, ownership));
	if (contacts.length === 0 || !areSkipped || ownership.kind !== 'tag') return;
	throw context.error(
		'Another mirror manages all contacts of the input',
		`None of them has the tag "${ownership.tag}". Nothing was written. If you have renamed the tag, change it back.`,
	);
}
