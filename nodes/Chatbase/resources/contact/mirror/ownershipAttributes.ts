/** The custom attributes that a mirror writes: its tag, and the date of missing contacts. */

import type { ApiClient } from '../../../api/client';
import { failureOf } from '../../../api/failure';
import type { RunContext } from '../../../execution/context';
import { countFormat } from '../../../values/json';
import type { Attributes, AttributeType } from '../../customAttribute/attributeTypes';
import { readAttributesIfAny, sendAttribute } from '../../customAttribute/attributes';
import { attributeText, type Contact } from '../plan/contactRecord';
import type { Matches } from '../plan/matching';
import { attributePrefix, type ContactValues } from '../plan/values';
import type { ContactInput, WriteSettings } from '../plan/wantedContact';
import { isOfAnotherMirror, type MirrorSettings, type Ownership } from './ownership';

/** How many tags of other mirrors one attribute can have. If it has more different texts, they are data and not tags. */
const maxOtherTags = 10;

/** Throws if the tag attribute has data instead of tags. */
export function assertHoldsTags(
	context: RunContext,
	{ tag }: Ownership,
	contacts: Contact[],
): void {
	if (!tag) return;

	const { attribute, text } = tag;
	const values = new Set(
		contacts.flatMap((contact) => attributeText(contact, attribute) ?? []),
	);
	values.delete(text);
	if (values.size <= maxOtherTags) return;

	const [example] = values;
	throw context.error(
		'Tag Attribute holds other data',
		`"${attribute}" holds ${countFormat.format(values.size)} other values, such as "${example}". Choose a text attribute that holds nothing else. Nothing was written.`,
	);
}

/** Throws if all items would be skipped, such as after the tag was renamed. */
export function assertSomeAreOurs(
	context: RunContext,
	ownership: Ownership,
	{ existing, fresh }: Matches,
): void {
	const areSkipped = existing.every(({ contact }) =>
		isOfAnotherMirror(contact.record, ownership),
	);
	if (existing.length === 0 || fresh.length > 0 || !areSkipped) return;

	throw context.error(
		'Another mirror manages all contacts of the input',
		`None of them has the tag "${ownership.tag?.text}". Nothing was written. If you have renamed the tag, change it back.`,
	);
}

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

/** An item that sets an attribute of the mirror to another value. */
export interface MisusedTag {
	readonly input: ContactInput;
	/** Its name. */
	readonly attribute: string;
}

interface TaggedInputs {
	readonly inputs: readonly ContactInput[];
	readonly misused: readonly MisusedTag[];
}

/** Makes inputs that also write the tag, and clear the date of missing contacts. */
export function tagInputs(
	inputs: readonly ContactInput[],
	mirror: MirrorSettings,
	attributes: Attributes | undefined,
): TaggedInputs {
	const own = mirrorAttributes(mirror);
	if (own.length === 0) return { inputs, misused: [] };

	const tags: ContactValues = new Map(
		own.map(({ name, value }) => [attributePrefix + name, value]),
	);
	const rulesOf = settingsFor(tags);
	const tagged: ContactInput[] = [];
	const misused: MisusedTag[] = [];

	for (const input of inputs) {
		const { values, notSent } = input;
		const other = own.find(({ name, value }) => {
			const key = attributePrefix + name;
			return [values, notSent].some((set) => set.has(key) && set.get(key) !== value);
		});
		if (other) {
			misused.push({ input, attribute: other.name });
			continue;
		}

		tagged.push({
			...input,
			values: new Map([...values, ...tags]),
			notSent: withoutTags(notSent, tags),
			attributes: input.attributes ?? attributes,
			settings: rulesOf(input.settings),
		});
	}
	return { inputs: tagged, misused };
}

/** Removes the attributes that the mirror creates first, since these are sent. */
function withoutTags(notSent: ContactValues, tags: ContactValues): ContactValues {
	if (notSent.size === 0) return notSent;
	return new Map([...notSent].filter(([name]) => !tags.has(name)));
}

/**
 * Adapts the settings of an item, so that the mirror can always set its attributes. Each settings object is adapted once,
 * since most items share it.
 */
function settingsFor(tags: ContactValues): (settings: WriteSettings) => WriteSettings {
	const adapted = new Map<WriteSettings, WriteSettings>();

	return (settings) => {
		const onlyIfEmpty = settings.onlyIfEmpty.filter((name) => !tags.has(name));
		const found = adapted.get(settings) ?? { ...settings, onlyIfEmpty };
		adapted.set(settings, found);
		return found;
	};
}
