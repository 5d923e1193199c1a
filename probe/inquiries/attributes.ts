/** Custom attributes. They can't be deleted: the probe only uses existing ones, and archives its own. */
import { attributePrefix } from '../ownership';
import { attributeQuestions, namesOf } from '../questions';
import type { ServiceResponse } from '../response';
import type { Inquiry, Session } from '../session';
import { objectOf, type JsonObject } from '../shapes';
import { change, create } from './writes';

/** Attributes of the probe. A later run finds them and uses them again. */
const ownAttributes = {
	text: `${attributePrefix}text`,
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

const valueQuestions = ['attributesOnPatch'] as const;
const ownQuestions = namesOf(attributeQuestions);

export const attributeInquiry: Inquiry = {
	title: 'Custom attributes of a scratch contact',
	requests: 6,

	async run(session) {
		const { findings, scratch } = session;
		if (!session.attributes) {
			const answer = 'custom attributes cannot be listed';
			return findings.leave(answer, ...valueQuestions, ...ownQuestions);
		}
		const id = scratch.newId();
		const created = await create(session, { external_id: id });
		if (!created.isSuccess) return findings.leave(created, ...valueQuestions);

		const own = session.parts.includes('attributes') ? await makeOwn(session) : undefined;
		const usable = [
			...(own ? [own.text, own.flag] : []),
			...session.attributes.filter(({ archived }) => archived !== true),
		].filter(({ type }) => String(type) in sample);
		await askForMerge(session, id, usable);
	},
};

/** Changes a custom attribute of the probe. */
export async function putAttribute(
	{ client, paths }: Session,
	name: string,
	body: JsonObject,
): Promise<ServiceResponse> {
	const path = `${paths.attributes}/${encodeURIComponent(name)}`;
	return await client.ask('PUT', path, { body: { label, ...body } });
}

/** Creates an attribute, or reactivates that of an earlier run. */
async function obtain(session: Session, fields: { name: string; type: string }) {
	const { client, paths, attributes } = session;
	const isKnown = attributes!.some(({ name }) => name === fields.name);
	return isKnown
		? await putAttribute(session, fields.name, { archived: false })
		: await client.ask('POST', paths.attributes, { body: { ...fields, label } });
}

/** Makes the two attributes. */
async function makeOwn(session: Session) {
	const { client, findings, paths } = session;
	const flag = { name: ownAttributes.flag, type: 'boolean' };
	const text = { name: ownAttributes.text, type: 'text' };
	for (const fields of [flag, text]) {
		const made = await obtain(session, fields);
		if (made.isSuccess) continue;
		findings.leave(made, ...ownQuestions);
		return undefined;
	}

	const again = await client.ask('POST', paths.attributes, { body: { ...flag, label } });
	findings.judge('duplicateAttribute', again, { 400: '400', 409: '409', success: 'taken' });
	return { flag, text };
}

async function askForMerge(session: Session, id: string, usable: JsonObject[]): Promise<void> {
	const { findings } = session;
	const [first, second] = usable;
	if (!second) return findings.leave('fewer than two custom attributes', 'attributesOnPatch');
	let kept: JsonObject = {};
	for (const { name, type } of [first, second]) {
		const custom_attributes = { [String(name)]: sample[String(type)] };
		const { response, contact } = await change(session, id, { custom_attributes });
		if (!contact) return findings.leave(response, 'attributesOnPatch');
		kept = objectOf(contact.custom_attributes);
	}
	const answer = String(first.name) in kept ? 'merge' : 'replace';
	const isSeen = String(second.name) in kept;
	findings.set('attributesOnPatch', isSeen ? answer : undefined, 'the values are dropped');
}
