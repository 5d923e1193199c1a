/** The custom attributes that a mirror writes: its tag, and the date of missing contacts. */

import type { ApiClient } from '../../../api/client';
import { failureOf } from '../../../api/failure';
import type { RunContext } from '../../../execution/context';
import { clean } from '../../../values/clean';
import type { Attributes, AttributeType } from '../../customAttribute/attributeTypes';
import { readAttributesIfAny, sendAttribute } from '../../customAttribute/attributes';
import { attributePrefix, type ContactValues } from '../plan/values';
import type { ContactInput, RefusedItems } from '../plan/wantedContact';
import type { MirrorSettings } from './ownership';

/** An attribute in which each contact of the input gets a value from the mirror. */
interface MirrorAttribute {
	/** Its field in the panel, for errors. */
	label: string;
	type: AttributeType;
	name: string;
	/** The tag; or null for the date, since a contact of the input is not missing. */
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
	/** The attributes to create first. */
	missing: MirrorAttribute[];
}

/**
 * Finds the attributes to create first: the service drops unknown ones silently, and the mirror would not recognize its
 * contacts. Throws if one is archived or has another type, or if the attributes can't be listed.
 */
export async function findMissingAttributes(
	context: RunContext,
	settings: MirrorSettings,
	{ api, chatbotId }: { api: ApiClient; chatbotId: string },
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
	const isAlike = (other: string) => other.toLowerCase() === name.toLowerCase();
	const alike = [...schema.keys()].find(isAlike);
	if (!existing && alike) return `differs from "${alike}" only in case`;
	if (existing?.archived) return "is archived and can't get values";
	if (existing && existing.type !== type) return `has the type ${existing.type}`;
	return undefined;
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
			throw failureOf(error).and(words);
		}
	}
}

interface TaggedInputs {
	readonly inputs: readonly ContactInput[];
	/** Items that set an attribute of the mirror to another value. */
	readonly refused: readonly RefusedItems[];
}

/** Makes inputs that also write the tag, and clear the date of missing contacts. */
export function tagInputs(
	inputs: readonly ContactInput[],
	mirror: MirrorSettings,
	attributes: Attributes | undefined,
): TaggedInputs {
	const own = mirrorAttributes(mirror);
	const [first] = inputs;
	if (!first || own.length === 0) return { inputs, refused: [] };

	const tags: ContactValues = new Map(
		own.map(({ name, value }) => [attributePrefix + name, value]),
	);
	// All items of a mirror have the same settings. What the user protects, the mirror can set all the same.
	const onlyIfEmpty = first.settings.onlyIfEmpty.filter((name) => !tags.has(name));
	const settings = { ...first.settings, onlyIfEmpty };

	const tagged: ContactInput[] = [];
	const refused: RefusedItems[] = [];

	for (const input of inputs) {
		const other = own.find((attribute) => setsOther(input, attribute));
		if (other) {
			const problem = { kind: 'setByMirror', attribute: other.name } as const;
			refused.push({ items: [input.index], problem, candidates: [] });
			continue;
		}

		tagged.push({
			...input,
			values: new Map([...input.values, ...tags]),
			notSent: withoutTags(input.notSent, tags),
			attributes: input.attributes ?? attributes,
			settings,
		});
	}
	return { inputs: tagged, refused };
}

/** Whether an item gives an attribute of the mirror another value than the mirror. */
function setsOther(
	{ values, notSent }: ContactInput,
	{ name, value }: MirrorAttribute,
): boolean {
	const key = attributePrefix + name;
	const isSame = (given: unknown) =>
		given === value || (typeof given === 'string' && clean(given) === value);
	return [values, notSent].some((set) => set.has(key) && !isSame(set.get(key)));
}

/** Removes the attributes that the mirror creates first, since these are sent. */
function withoutTags(notSent: ContactValues, tags: ContactValues): ContactValues {
	if (notSent.size === 0) return notSent;
	return new Map([...notSent].filter(([name]) => !tags.has(name)));
}
