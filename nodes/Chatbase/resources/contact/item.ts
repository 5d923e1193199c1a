import { isPathSegment } from '../../api/request';
import type { InputItem } from '../../execution/item';
import { hasExpression } from '../../execution/context';
import type { ReadyItem, Run } from '../../execution/run';
import { assertPathSegment, readAs } from '../../panel/field';
import { text } from '../../panel/types';
import { assertNotDeleted } from '../../sync/ownOutput';
import { isBlank, isObject } from '../../values/json';
import { abbreviate, firstOf } from '../../values/list';
import { readAttributesIfAny } from '../customAttribute/attributes';
import { columnNamesOf, type UnsentColumns } from './columns';
import { baseFields, labelOf } from './mappedFields';
import { normalizeEmail } from './contact';
import { bareName, isAttribute, type Values, type WantedContact } from './contactValues';
import { readWriteSettings, type WriteOperation, type WriteSettings } from './fields';
import {
	type KnownAttributes,
	readableExtraFields,
	readContactFields,
	readKnownAttributes,
	readWanted,
} from './wantedContact';

export interface ContactParams {
	operation: WriteOperation;
	settings: WriteSettings;
	wanted: WantedContact;
	/** In automatic mapping. */
	columns?: UnsentColumns;
	/** Whether only what is wrong with any attributes was refused, since automatic mapping still lacks them. */
	lacksAttributes?: boolean;
	/** Why the item fails after it was compared with the others, since its attributes could not be checked. */
	failure?: unknown;
}

/**
 * Reads an item without a request. Sets `item.identity` even if the rest is invalid, so that no other item matches the same
 * contact.
 */
export function readContactItem(
	item: InputItem,
	operation: WriteOperation,
	attributes?: KnownAttributes,
): ContactParams {
	const isUpdate = operation === 'update';
	const fields = readContactFields(item, isUpdate, attributes);
	const { columns, lacksAttributes } = fields;
	// As far as the item can be read.
	const extra = Object.entries(readableExtraFields(item));
	item.identity = identityIn(new Map([...fields.values, ...extra]));
	if (item.identity.id !== undefined) item.name = `Contact ${item.identity.id}`;

	if (!isUpdate) assertNotDeleted(item, 'contact');
	if (columns) assertColumns(item, columns, lacksAttributes);
	if (fields.failure !== undefined) throw fields.failure;

	const settings = item.context.readSettings('settings', () =>
		readWriteSettings(item, operation),
	);
	const wanted = readWanted(item, fields, settings.emptyValues);
	assertValidId(item, wanted);

	const params = { operation, settings, wanted, columns, lacksAttributes };
	if (isUpdate) {
		if (!lacksAttributes) assertMentions(item, params);
		return params;
	}

	// The ID in an update is a new one for the chosen contact.
	item.identity = identityIn(wanted.values);
	assertNamed(item, operation, columns);
	return params;
}

/** Adds what only the service knows, after all items were read. Throws if the item does not fit the chatbot. */
export async function completeContactItem<Params extends ContactParams>({
	item,
	params,
	api,
}: ReadyItem<Params>): Promise<Params> {
	const { operation } = params;
	const complete = { ...params };
	if (params.lacksAttributes) {
		const attributes = await readKnownAttributes(api, params.settings.chatbotId);
		Object.assign(complete, readContactItem(item, operation, attributes));
	}
	if (operation === 'create') return complete;

	await checkAttributes({ item, params: complete, api }).catch((error: unknown) => {
		if (operation === 'update') throw error;
		complete.failure = error;
	});
	return complete;
}

function assertColumns(
	item: InputItem,
	{ rivals }: UnsentColumns,
	lacksAttributes?: boolean,
) {
	if (item.isTool) {
		throw item.error(
			'Automatic mapping does not work in a tool',
			'An agent has no input items. Choose Map Each Column Manually in Contact Fields.',
		);
	}

	const [rival] = rivals;
	if (!rival || lacksAttributes) return;
	const names = rival.columns.map((name) => `"${abbreviate(name)}"`).join(' and ');
	const { target } = rival;
	const name = isAttribute(target) ? bareName(target) : target;
	const label = labelOf(target) ?? `"${name}"`;
	throw item.error(
		'Two columns have values for one field',
		`${names} both mean ${label}. Remove one of them, or name the right one exactly "${name}".`,
	);
}

function assertMentions(item: InputItem, { wanted, columns }: ContactParams) {
	if (wanted.values.size > 0 || wanted.unknown) return;
	const advice = columns
		? columnAdvice(['name', 'email', 'phonenumber'])
		: 'Map at least one field with a value.';
	throw item.error(
		'Contact Fields has nothing to update',
		`${advice} To clear empty fields, set Empty Values to Clear.`,
	);
}

/**
 * Sets apart attributes that the chatbot lacks or has archived, with which the contact would differ in every run. Throws if
 * Set Only If Empty has an unknown attribute, which would protect nothing.
 */
async function checkAttributes({ item, params, api }: ReadyItem<ContactParams>) {
	const { settings, wanted } = params;
	const { values } = wanted;
	const guarded = settings.onlyIfEmpty.filter(isAttribute);
	const mentioned = [...values].filter(([name]) => isAttribute(name));
	if (guarded.length + mentioned.length === 0) return;

	const schema = await readAttributesIfAny(api, settings.chatbotId);
	if (!schema) return;
	wanted.schema = schema;

	const typo = guarded.find((name) => !schema.has(bareName(name)));
	if (typo !== undefined) {
		throw item.error(
			'Set Only If Empty has an unknown custom attribute',
			`The chatbot has no "${typo}". Use the exact name of the attribute, not its label.`,
		);
	}

	for (const [name, value] of mentioned) {
		const attribute = schema.get(bareName(name));
		if (attribute?.archived === false) continue;
		values.delete(name);
		wanted.unknown ??= new Map();
		wanted.unknown.set(name, value);
	}
}

function identityIn(values: Values) {
	const id = text.read(values.get('external_id'));
	return {
		id: id !== undefined && isPathSegment(id) ? id : undefined,
		email: normalizeEmail(values.get('email')),
	};
}

/** The ID, from any field, must be able to be part of a path. */
function assertValidId(item: InputItem, { values }: WantedContact) {
	if (!values.has('external_id')) return;
	const rule = 'Pass very long numbers as text.';
	const id = readAs(item, values.get('external_id'), { ...text, rule }, 'External ID');
	if (isBlank(id)) {
		throw item.error(
			'External ID is empty',
			'It has only spaces. Map External ID to the ID that the contact has in your own system.',
		);
	}
	assertPathSegment(item, id, 'External ID');
	values.set('external_id', id);
}

function assertNamed(
	item: InputItem,
	operation: WriteOperation,
	columns: UnsentColumns | undefined,
) {
	const { id, email } = item.identity;
	const isUpsert = operation === 'upsert';
	if (id !== undefined || (isUpsert && email !== undefined)) return;

	const advice =
		columns && columnAdvice(isUpsert ? ['external_id', 'email'] : ['external_id']);
	if (operation === 'mirror') {
		const nextStep =
			'Mirror compares your complete list, so every item needs an External ID. Turn off Always Output Data in the node before if it returns an empty item.';
		throw item.error('External ID is empty', [nextStep, advice].join(' ').trim());
	}

	const whatToMap = isUpsert
		? 'The node finds contacts by External ID, or by Email if an item has no ID. Map at least one of them.'
		: 'Map External ID to the ID that the contact has in your own system.';
	const nextStep = `${emptyReason(item, columns)}${advice ?? whatToMap}`;
	throw item.error('External ID is empty', nextStep);
}

/** Names the column or field for the ID that has no value, if there is one. */
function emptyReason(item: InputItem, columns: UnsentColumns | undefined): string {
	if (columns) {
		const { targetOf } = columnNamesOf([]);
		const column = Object.keys(item.json).find(
			(name) => targetOf(name) === 'external_id',
		);
		return column === undefined ? '' : `The column "${abbreviate(column)}" is empty. `;
	}

	const values = item.rawParameter('contactFields.value');
	const isUnset = isObject(values) && hasExpression(values.external_id);
	return isUnset ? 'The expression in External ID returned nothing. ' : '';
}

/** Such as: Name a column external_id or External ID. */
function columnAdvice(fields: string[]): string {
	const names = baseFields
		.filter(({ id }) => fields.includes(id))
		.map(({ id, displayName }) => `${id} or ${displayName}`);
	const spelling = 'Letter case, spaces, "_", "-" and "." don\'t matter.';
	return `Automatic mapping needs a column that is named ${names.join(', or ')}. ${spelling}`;
}

/** A service takes other values, too, though they are probably wrong. */
const usual: Array<[field: string, form: RegExp, otherwise: string]> = [
	['email', /^\s*$|^[^\s@]+@[^\s@]+$/, 'Email is not an email address'],
	['external_id', /^$|^\S(.*\S)?$/s, 'External ID has spaces around it'],
];

const notSent = {
	unknown: 'No contact field or custom attribute has these names.',
	outranked: 'Another column with the exact name fills the same field.',
};

/** Names what automatic mapping does not send, and values that are probably wrong. */
export function warnOfInput({ items, context }: Run<ContactParams>): void {
	for (const kind of ['unknown', 'outranked'] as const) {
		const names = new Set(items.flatMap(({ params }) => params.columns?.[kind] ?? []));
		if (names.size > 0)
			context.warn(`Not sent: ${countedOf([...names])}. ${notSent[kind]}`);
	}

	for (const [field, form, otherwise] of usual) {
		const places = items.flatMap(({ item, params }) => {
			const value = String(params.wanted.values.get(field) ?? '');
			return form.test(value) ? [] : `"${abbreviate(value)}" (item ${item.index})`;
		});
		if (places.length === 0) continue;
		context.warn(
			`${otherwise}: ${firstOf(places)}. The value is used as it is. Check the input.`,
		);
	}
}

const maxColumns = 10;

/** The first names, and how many others there are. Quotes show spaces around a name, and an empty one. */
function countedOf(names: string[]): string {
	const others = names.length - maxColumns;
	const shown = firstOf(names.slice(0, maxColumns), (name) =>
		/^\S(.*\S)?$/s.test(name) ? name : `"${name}"`,
	);
	return others > 0 ? `${shown} and ${others} more` : shown;
}
