/** Custom attributes. They can't be deleted: the probe only uses existing ones, and archives its own. */
import { notFoundOut } from '../answer';
import { attributePrefix } from '../prefixes';
import type { QuestionName } from '../questions';
import { scratchName } from '../scratch';
import type { Inquiry, Session } from '../session';
import { isObject, isSuccess, objectOf, unexpected, type JsonObject } from '../shapes';
import { change } from './writes';

/** Attributes of the probe. A later run finds them and uses them again. */
const ownAttributes = {
	/** With all that the newer rule for names allows. */
	mixedText: `${attributePrefix}Mixed-Text`,
	plainText: `${attributePrefix}text`,
	flag: `${attributePrefix}flag`,
};

const label = 'Probe of n8n-nodes-chatbase';

/** A value of each type, none of which is a default. */
const sample: Record<string, unknown> = {
	text: 'probe',
	number: 7,
	boolean: true,
	date: '2024-01-02T00:00:00.000Z',
};

const valueQuestions: QuestionName[] = ['attributesOnPatch', 'booleanValues'];
const ownQuestions: QuestionName[] = [
	'attributeNameRule',
	'attributeLabel',
	'duplicateAttribute',
	'archivedAttributeInWrite',
	'archivedValues',
	'putWithoutArchived',
];

export const attributeInquiry: Inquiry = {
	title: 'Custom attributes of a scratch contact',
	requests: 14,

	async run(session) {
		const { client, findings, scratch, paths } = session;
		if (!session.attributes) {
			const answer = notFoundOut('custom attributes cannot be listed');
			return findings.setOther(answer, ...valueQuestions, ...ownQuestions);
		}
		const id = scratch.newId();
		const created = await client.ask('POST', paths.contacts, {
			body: { users: [{ external_id: id, name: scratchName }] },
		});
		if (!isSuccess(created)) return findings.setOther(unexpected(created), ...valueQuestions);

		const own = session.mayMakeAttributes ? await makeOwn(session) : undefined;
		const usable = [
			...(own ? [own.text, own.flag] : []),
			...session.attributes.filter(({ archived }) => archived !== true),
		].filter(({ type }) => String(type) in sample);
		await askForMerge(session, id, usable);
		await askForBoolean(session, id, usable);
		if (own) await askForArchived(session, id, own.text);
	},
};

/** Changes a custom attribute of the probe. */
export async function putAttribute({ client, paths }: Session, name: string, body: JsonObject) {
	const path = `${paths.attributes}/${encodeURIComponent(name)}`;
	return await client.ask('PUT', path, { body: { label, ...body } });
}

/** Makes the two attributes, or reactivates those of an earlier run. */
async function makeOwn(session: Session) {
	const flag = await makeFlag(session);
	const text = flag && (await makeText(session));
	return text && { text, flag };
}

function known({ attributes }: Session, name: string): boolean {
	return attributes!.some((attribute) => attribute.name === name);
}

async function makeFlag(session: Session): Promise<JsonObject | undefined> {
	const { client, findings, paths } = session;
	const fields = { name: ownAttributes.flag, type: 'boolean' };
	const add = async (more: JsonObject = {}) =>
		await client.ask('POST', paths.attributes, { body: { ...fields, ...more } });

	if (known(session, ownAttributes.flag)) {
		findings.setOther(notFoundOut('the attribute exists since an earlier run'), 'attributeLabel');
		const response = await putAttribute(session, ownAttributes.flag, { archived: false });
		if (!isSuccess(response)) {
			findings.setOther(unexpected(response), ...ownQuestions);
			return undefined;
		}
	} else {
		const bare = await add();
		const labelled = bare.status === 400 ? await add({ label }) : bare;
		if (!isSuccess(labelled)) {
			findings.setOther(unexpected(labelled), ...ownQuestions);
			return undefined;
		}
		findings.set('attributeLabel', labelled === bare ? 'optional' : 'required');
	}
	const again = await add({ label });
	if (again.status === 400 || again.status === 409)
		findings.set('duplicateAttribute', again.status);
	else if (isSuccess(again)) findings.set('duplicateAttribute', 'taken');
	findings.setOther(unexpected(again), 'duplicateAttribute');
	return fields;
}

async function makeText(session: Session): Promise<JsonObject | undefined> {
	const { client, findings, paths } = session;
	const { mixedText, plainText } = ownAttributes;
	for (const name of [mixedText, plainText]) {
		const fields = { name, type: 'text' };
		const isThere = known(session, name);
		const response = isThere
			? await putAttribute(session, name, { archived: false })
			: await client.ask('POST', paths.attributes, { body: { ...fields, label } });
		// The plain one is made only if the other was refused.
		if (!isThere && response.status === 400) continue;
		if (!isSuccess(response)) {
			findings.setOther(unexpected(response), ...ownQuestions);
			return undefined;
		}
		findings.set('attributeNameRule', name === mixedText ? 'contract' : 'lowercase');
		return fields;
	}
	findings.setOther(notFoundOut('no attribute could be made'), ...ownQuestions);
	return undefined;
}

async function askForMerge(session: Session, id: string, usable: JsonObject[]): Promise<void> {
	const { findings } = session;
	const [first, second] = usable;
	if (!second) {
		return findings.setOther(notFoundOut('fewer than two custom attributes'), 'attributesOnPatch');
	}
	let values: unknown;
	for (const { name, type } of [first, second]) {
		const custom_attributes = { [String(name)]: sample[String(type)] };
		const { response, contact } = await change(session, id, { custom_attributes });
		if (!isObject(contact)) return findings.setOther(unexpected(response), 'attributesOnPatch');
		values = contact.custom_attributes;
	}
	const kept = objectOf(values);
	if (!(String(second.name) in kept)) {
		findings.setOther(notFoundOut('the values are dropped'), 'attributesOnPatch');
	} else findings.set('attributesOnPatch', String(first.name) in kept ? 'merge' : 'replace');
}

async function askForBoolean(session: Session, id: string, usable: JsonObject[]): Promise<void> {
	const { findings } = session;
	const attribute = usable.find(({ type }) => type === 'boolean');
	if (!attribute) {
		return findings.setOther(notFoundOut('there is no boolean attribute'), 'booleanValues');
	}
	const name = String(attribute.name);
	const { response, contact } = await change(session, id, { custom_attributes: { [name]: true } });
	const value = objectOf(objectOf(contact).custom_attributes)[name];
	if (value === true) findings.set('booleanValues', 'boolean');
	else if (value === 1) findings.set('booleanValues', 'number');
	else if (typeof value === 'string') findings.set('booleanValues', 'text');
	findings.setOther(unexpected(response), 'booleanValues');
}

async function askForArchived(session: Session, id: string, text: JsonObject): Promise<void> {
	const { client, findings, paths } = session;
	const name = String(text.name);
	await change(session, id, { custom_attributes: { [name]: 'before' } });
	const archived = await putAttribute(session, name, { archived: true });
	if (!isSuccess(archived)) return findings.setOther(unexpected(archived), ...ownQuestions);

	const read = await client.ask('GET', `${paths.contacts}/${id}`);
	const valuesOf = (contact: unknown) => objectOf(objectOf(contact).custom_attributes);
	const before = valuesOf(objectOf(read.json).data);
	if (isSuccess(read)) findings.set('archivedValues', name in before ? 'returned' : 'hidden');
	findings.setOther(unexpected(read), 'archivedValues');

	const { response, contact } = await change(session, id, {
		custom_attributes: { [name]: 'after' },
	});
	if (response.status === 400) findings.set('archivedAttributeInWrite', 'badRequest');
	else if (isObject(contact)) {
		findings.set('archivedAttributeInWrite', valuesOf(contact)[name] === 'after' ? 'keep' : 'drop');
	}
	findings.setOther(unexpected(response), 'archivedAttributeInWrite');

	const labelled = await putAttribute(session, name, {});
	const { archived: stays } = objectOf(objectOf(labelled.json).data);
	if (typeof stays === 'boolean')
		findings.set('putWithoutArchived', stays ? 'keeps' : 'unarchives');
	findings.setOther(unexpected(labelled), 'putWithoutArchived');
}
