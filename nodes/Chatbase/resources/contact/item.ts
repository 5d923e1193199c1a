import type { IDataObject, NodeOperationError } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { isPathSegment } from '../../api/address';
import { hasExpression, resolveValue } from '../../execution/expression';
import type { InputItem } from '../../execution/item';
import type { Run } from '../../execution/run';
import { assertPathSegment, readAs, readJsonObject, text } from '../../fields/values';
import { unnamedError } from '../../sync/fullRun';
import { firstOf } from '../../values/firstOf';
import { isObject, ownValue } from '../../values/object';
import { isBlank } from '../../values/scalar';
import type { Attribute } from '../customAttribute/attributes';
import { readAttributesIfAny } from '../customAttribute/attributes';
import { addAdditionalFields } from './additionalFields';
import { normalizeEmail } from './contact';
import type { WantedContact } from './difference';
import { addMappedFields, resolveMapper } from './mapper';
import type { WriteOperation, WriteSettings } from './settings';
import { assertAttributesExist, readWriteSettings } from './settings';

export interface ContactParams {
	settings: WriteSettings;
	wanted: WantedContact;
}

/** Sets `item.identity` even if the rest is invalid, so that no other item matches the same contact. */
export async function readContactItem(
	item: InputItem,
	api: ApiClient,
	operation: WriteOperation,
): Promise<ContactParams> {
	const mapped = resolveMapper(item);
	item.identity = readIdentity(item, mapped.values);
	if (item.identity.id !== undefined) item.name = `Contact ${item.identity.id}`;
	if (operation === 'mirror' && item.identity.id === undefined) {
		throw unnamedError(item, 'External ID');
	}
	if (mapped.failures.length > 0) throw mapped.failures[0];

	const settings = item.context.readSettings('settings', () => readWriteSettings(item, operation));
	await assertAttributesExist(item, api, settings);
	const { chatbotId } = settings;
	const isUpdate = operation === 'update';
	const wanted: WantedContact = {
		fields: new Map(),
		attributes: new Map(),
		unknown: new Map(),
		types: new Map(),
	};
	await addMappedFields(item, api, mapped, wanted, { chatbotId, isUpdate });
	addAdditionalFields(item, wanted);
	assertValidId(item, wanted);
	if (operation !== 'create' && [...wanted.attributes.values()].some((value) => value !== null)) {
		wanted.schema = await readAttributesIfAny(api, chatbotId);
		if (wanted.schema) checkAttributes(wanted, wanted.schema);
	}
	const { fields } = wanted;
	// The ID in an update is a new one for the chosen contact.
	if (!isUpdate) {
		item.identity = identityIn(fields.get('external_id'), fields.get('email'));
	}
	return { settings, wanted };
}

/** With attributes that the chatbot lacks or has archived, the contact would differ in every run. */
function checkAttributes({ attributes, unknown, types }: WantedContact, schema: Attribute[]) {
	for (const [name, value] of attributes) {
		const attribute = schema.find((known) => known.name === name);
		if (attribute) types.set(name, attribute.type);
		if (value === null || attribute?.archived === false) continue;
		attributes.delete(name);
		unknown.set(name, value);
	}
}

function readIdentity(item: InputItem, mapped: IDataObject): InputItem['identity'] {
	let extra: IDataObject = {};
	try {
		const additional = item.rawParameter('additionalFields');
		const json = isObject(additional) ? resolveValue(item, additional.extraFieldsJson) : undefined;
		extra = readJsonObject(item, json, 'Extra Fields JSON');
	} catch {
		// Reading Extra Fields JSON fails later with the error for this.
	}
	const named = (field: string) => ownValue(extra, field) ?? ownValue(mapped, field);
	return identityIn(named('external_id'), named('email'));
}

function identityIn(externalId: unknown, email: unknown): InputItem['identity'] {
	const id = text.read(externalId);
	return {
		id: id !== undefined && isPathSegment(id) ? id : undefined,
		email: normalizeEmail(email),
	};
}

/** The ID, from any field, must be able to be part of a path. */
function assertValidId(item: InputItem, { fields }: WantedContact) {
	if (!fields.has('external_id')) return;
	const rule = 'Pass very long numbers as text.';
	const id = readAs(item, fields.get('external_id'), text, 'External ID', rule);
	if (isBlank(id)) {
		throw item.error(
			'External ID is empty',
			'It has only spaces. Map External ID to the ID that the contact has in your own system.',
		);
	}
	assertPathSegment(item, id, 'External ID');
	fields.set('external_id', id);
}

/** @param nextStep what to do if nothing is mapped */
export function missingIdError(item: InputItem, nextStep: string): NodeOperationError {
	const mapper = item.rawParameter('contactFields');
	const values = isObject(mapper) && isObject(mapper.value) ? mapper.value : {};
	const reason = 'The expression in External ID returned nothing. ';
	return item.error(
		'External ID is empty',
		`${hasExpression(values.external_id) ? reason : ''}${nextStep}`,
	);
}

/** Values that a service takes, though they are probably wrong. */
const doubts: Array<[field: string, isDoubtful: RegExp, words: string]> = [
	['email', /^[^@]*$|\s.*@|@.*[\s@]|^@|@$/, 'Email is not an email address'],
	['external_id', /^\s|\s$/, 'External ID has spaces around it'],
];

export function warnOfInput({ items, context }: Run<ContactParams>) {
	for (const [field, isDoubtful, words] of doubts) {
		const valueOf = ({ params }: { params: ContactParams }) =>
			String(params.wanted.fields.get(field) ?? '').replace(/^ *$/, '');
		const found = items.filter((each) => valueOf(each) !== '' && isDoubtful.test(valueOf(each)));
		if (found.length === 0) continue;
		const places = firstOf(found, (each) => `"${valueOf(each)}" (item ${each.item.index})`);
		context.warn(`${words}: ${places}. The value is used as it is. Check the input.`);
	}
}
