import type { NodeApiError, NodeOperationError } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { withSentence } from '../../api/errors';
import type { RunContext } from '../../execution/context';
import type { PendingItem } from '../../execution/run';
import { giveWay } from '../../values/list';
import type { Attribute, Attributes, AttributeType } from '../customAttribute/attributes';
import { readAttributesIfAny, sendAttribute } from '../customAttribute/attributes';
import type { ContactParams } from './item';
import type { MirrorSettings } from './ownershipFields';
import { attributePrefix, hasAttributes, type WantedContact } from './contactValues';

/** An attribute in which each contact of the input gets a value from the mirror. */
interface MirrorAttribute {
	/** Its field in the panel, for errors. */
	label: string;
	type: AttributeType;
	name: string;
	/** Its name among the values of a contact. */
	key: string;
	/** The tag, or null, since a contact of the input is not missing. */
	value: string | null;
}

function mirrorAttributes({ tag, missingSince }: MirrorSettings): MirrorAttribute[] {
	const attributes: MirrorAttribute[] = [];

	if (tag) {
		const { attribute: name, text: value } = tag;
		const key = attributePrefix + name;
		attributes.push({ label: 'Tag Attribute', type: 'text', name, key, value });
	}

	if (missingSince !== undefined) {
		const key = attributePrefix + missingSince;
		const label = 'Missing Since Attribute';
		attributes.push({ label, type: 'date', name: missingSince, key, value: null });
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
	if (!schema) {
		const problem = "can't be checked, since the service does not list attributes";
		throw cannotBeUsed(context, needed[0], problem);
	}

	for (const attribute of needed)
		assertUsable(context, attribute, schema.get(attribute.name));
	return { schema, missing: needed.filter(({ name }) => !schema.has(name)) };
}

/** @param existing the attribute of the chatbot with this name, if there is one */
function assertUsable(
	context: RunContext,
	needed: MirrorAttribute,
	existing?: Attribute,
): void {
	if (!existing) return;
	if (existing.archived) {
		throw cannotBeUsed(context, needed, "is archived and can't get values");
	}
	if (existing.type !== needed.type) {
		throw cannotBeUsed(context, needed, `has the type ${existing.type}`);
	}
}

function cannotBeUsed(
	context: RunContext,
	{ label, name, type }: MirrorAttribute,
	problem: string,
): NodeOperationError {
	return context.error(
		`${label} cannot be used`,
		`The custom attribute "${name}" ${problem}. Choose an active ${type} attribute, or a new name. Nothing was written.`,
	);
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
		const own = attributes.find((attribute) => setsAnother(params.wanted, attribute));
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

/** Whether the item sets an attribute of the mirror to another value. */
function setsAnother(
	{ values, unknown }: WantedContact,
	{ key, value }: MirrorAttribute,
): boolean {
	return [values, unknown].some((set) => set.has(key) && set.get(key) !== value);
}

function addAttributes(params: ContactParams, attributes: MirrorAttribute[]): void {
	const { wanted, settings } = params;
	const keys = attributes.map(({ key }) => key);
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
}
