/** Scratch contacts: how the service creates, changes and deletes them. */
import { notFoundOut } from '../answer';
import type { ServiceResponse } from '../client';
import { attributePrefix } from '../prefixes';
import { scratchName } from '../scratch';
import type { Inquiry, Session } from '../session';
import {
	isMissing,
	isObject,
	isSuccess,
	momentOf,
	objectOf,
	recordsOf,
	unexpected,
	type JsonObject,
} from '../shapes';

/** No document names it. */
const unknownField = `${attributePrefix}unknown`;

/** The scratch contacts that several inquiries work on. */
interface Pair {
	first: Scratchling;
	second: Scratchling;
}

interface Scratchling {
	id: string;
	email: string;
	/** As the service answered it. */
	record: JsonObject;
}

export const writeInquiry: Inquiry = {
	title: 'Creating, changing and deleting scratch contacts',
	requests: 16,

	async run(session) {
		const first = await createFirst(session);
		if (!first) return;
		await askForEmpty(session, first);
		await askForChange(session, first);
		await askForUnknown(session, first);
		await askForPaymentRule(session, first);
		const second = await createAnother(session);
		if (second) await askForUniqueness(session, { first, second });
		await askForCreations(session, first);
		await askForBatch(session, first);
		await askForDeletion(session, first);
	},
};

async function create(session: Session, ...users: JsonObject[]): Promise<ServiceResponse> {
	return await session.client.ask('POST', session.paths.contacts, { body: { users } });
}

/** Changes a contact. @returns the response, and the contact that it holds */
export async function change(session: Session, id: string, data: JsonObject) {
	const path = `${session.paths.contacts}/${encodeURIComponent(id)}`;
	const response = await session.client.ask('PATCH', path, { body: { data } });
	return { response, contact: isSuccess(response) ? objectOf(response.json).data : undefined };
}

/** The contacts of a creation, and where they stood. */
function createdIn({ json }: ServiceResponse) {
	const { data } = objectOf(json);
	const inData = recordsOf(data);
	const inCreated = recordsOf(objectOf(data).created);
	return inData
		? { shape: 'data' as const, contacts: inData }
		: inCreated && { shape: 'created' as const, contacts: inCreated };
}

async function createFirst(session: Session): Promise<Scratchling | undefined> {
	const { findings, scratch } = session;
	const id = scratch.newId();
	const email = scratch.newEmail();
	const sent = { external_id: id, name: scratchName, email, phonenumber: '+000' };
	const response = await create(session, sent);
	const created = createdIn(response);
	const record = created?.contacts[0];
	if (!isSuccess(response)) {
		const answer = isMissing(response)
			? notFoundOut('contacts cannot be created')
			: unexpected(response);
		findings.setOther(answer, 'createReply', 'createdStatus', 'createdRecord', 'emailCase');
		return undefined;
	}
	const status = response.status === 200 || response.status === 201 ? response.status : 'other';
	findings.set('createdStatus', status);
	if (!created || !record) {
		findings.setOther({ verdict: 'DIFFERS', words: 'nowhere' }, 'createReply');
		return { id, email, record: {} };
	}
	findings.set('createReply', created.shape);
	const isWhole =
		record.external_id === id && record.name === scratchName && record.phonenumber === '+000';
	findings.set('createdRecord', isWhole && record.email != null ? 'whole' : 'partly');
	if (record.email === email) findings.set('emailCase', 'asSent');
	else findings.set('emailCase', record.email === email.toLowerCase() ? 'lower' : 'other');
	return { id, email, record };
}

async function createAnother(session: Session): Promise<Scratchling | undefined> {
	const { scratch, findings } = session;
	const id = scratch.newId();
	const email = scratch.newEmail();
	const response = await create(session, { external_id: id, name: scratchName, email });
	if (isSuccess(response)) return { id, email, record: {} };
	findings.setOther(unexpected(response), 'emailUnique', 'externalIdUnique');
	return undefined;
}

async function askForEmpty(session: Session, { id }: Scratchling): Promise<void> {
	const { findings } = session;
	const { response, contact } = await change(session, id, { name: null });
	if (response.status === 400) findings.set('nullInWrite', 'badRequest');
	else if (isObject(contact)) {
		const isCleared = contact.name == null || contact.name === '';
		findings.set('nullInWrite', isCleared ? 'clears' : 'ignored');
		if (isCleared) findings.set('clearedText', contact.name === '' ? 'empty' : 'null');
	}
	findings.setOther(unexpected(response), 'nullInWrite');
	findings.setOther(notFoundOut('null clears nothing'), 'clearedText');

	const empty = await change(session, id, { phonenumber: '' });
	if (empty.response.status === 400) findings.set('emptyTextInWrite', 'badRequest');
	else if (isObject(empty.contact)) {
		const { phonenumber } = empty.contact;
		if (phonenumber === '') findings.set('emptyTextInWrite', 'keeps');
		else findings.set('emptyTextInWrite', phonenumber == null ? 'clears' : 'ignored');
	}
	findings.setOther(unexpected(empty.response), 'emptyTextInWrite');
}

async function askForChange(session: Session, { id, record }: Scratchling): Promise<void> {
	const { findings } = session;
	const name = `${scratchName}.`;
	const { response, contact } = await change(session, id, { name });
	if (isObject(contact)) {
		findings.set('updateReply', contact.name === name ? 'contact' : 'stale');
		findings.set('omittedFields', contact.email === record.email ? 'stay' : 'go');
		const [before, after] = [record, contact].map(({ updated_at }) => momentOf(updated_at));
		if (after > before) findings.set('updatedAt', 'later');
		else if (after !== before) findings.set('updatedAt', 'earlier');
		findings.setOther(notFoundOut('the same: all within one second'), 'updatedAt');
	} else if (isSuccess(response)) findings.set('updateReply', 'nothing');
	findings.setOther(unexpected(response), 'updateReply', 'omittedFields', 'updatedAt');
}

async function askForUnknown(session: Session, { id }: Scratchling): Promise<void> {
	const { findings } = session;
	const field = await change(session, id, { [unknownField]: 'x' });
	if (field.response.status === 400) findings.set('unknownContactFields', 'refuse');
	else if (isObject(field.contact)) {
		findings.set('unknownContactFields', unknownField in field.contact ? 'keep' : 'drop');
	}
	findings.setOther(unexpected(field.response), 'unknownContactFields');

	const attribute = await change(session, id, { custom_attributes: { [unknownField]: 'x' } });
	if (attribute.response.status === 400) findings.set('unknownAttributes', 'refuse');
	else if (isObject(attribute.contact)) {
		const isKept = unknownField in objectOf(attribute.contact.custom_attributes);
		findings.set('unknownAttributes', isKept ? 'keep' : 'drop');
	}
	findings.setOther(unexpected(attribute.response), 'unknownAttributes');
}

async function askForPaymentRule(session: Session, { id, record }: Scratchling): Promise<void> {
	const { findings } = session;
	const field = 'stripe_accounts' in record ? 'stripe_accounts' : 'payment_accounts';
	const { response, contact } = await change(session, id, { [field]: [{ label: 'Scratch' }] });
	if (response.status === 400) findings.set('paymentAccountRule', 'labelAndOneMore');
	else if (isObject(contact) && recordsOf(contact[field])?.length)
		findings.set('paymentAccountRule', 'none');
	else if (isObject(contact))
		findings.setOther(notFoundOut('payment accounts are dropped'), 'paymentAccountRule');
	findings.setOther(unexpected(response), 'paymentAccountRule');
}

async function askForUniqueness(session: Session, { first, second }: Pair): Promise<void> {
	const { findings } = session;
	const email = await change(session, second.id, { email: first.email });
	if (email.response.status === 409) findings.set('emailUnique', 'true');
	else if (email.response.status === 400) findings.set('emailUnique', 'badRequest');
	else if (isSuccess(email.response)) findings.set('emailUnique', 'false');
	findings.setOther(unexpected(email.response), 'emailUnique');

	const { response, contact } = await change(session, second.id, { external_id: first.id });
	if (response.status === 409) findings.set('externalIdUnique', 'conflict');
	else if (response.status === 400) findings.set('externalIdUnique', 'badRequest');
	else if (isObject(contact)) {
		findings.set('externalIdUnique', contact.external_id === second.id ? 'ignored' : 'taken');
	}
	findings.setOther(unexpected(response), 'externalIdUnique');
}

async function askForCreations(session: Session, { id }: Scratchling): Promise<void> {
	const { findings } = session;
	const existing = await create(session, { external_id: id, name: scratchName });
	if (existing.status === 409) findings.set('createExisting', 'conflict');
	else if (existing.status === 400) findings.set('createExisting', 'badRequest');
	else if (isSuccess(existing)) findings.set('createExisting', 'upsert');
	findings.setOther(unexpected(existing), 'createExisting');
}

/** Finds an invalid value that the service refuses, and whether the valid contact before it was created. */
async function askForBatch(session: Session, { id, email }: Scratchling): Promise<void> {
	const { client, findings, scratch, paths } = session;
	for (const bad of [{ external_id: id }, { external_id: scratch.newId(), email }]) {
		const good = scratch.newId();
		const response = await create(session, { external_id: good, name: scratchName }, bad);
		if (isSuccess(response)) continue;
		if (response.status !== 400 && response.status !== 409) {
			return findings.setOther(unexpected(response), 'createBatch');
		}
		const found = await client.ask('GET', `${paths.contacts}/${good}`);
		if (isMissing(found)) findings.set('createBatch', 'atomic');
		else if (isSuccess(found)) findings.set('createBatch', 'upToFirstBad');
		return findings.setOther(unexpected(found), 'createBatch');
	}
	findings.setOther(notFoundOut('no invalid value was refused'), 'createBatch');
}

async function askForDeletion(session: Session, { id }: Scratchling): Promise<void> {
	const { client, findings, paths } = session;
	const path = `${paths.contacts}/${encodeURIComponent(id)}`;
	const response = await client.ask('DELETE', path);
	if (!isSuccess(response))
		return findings.setOther(unexpected(response), 'deleteReply', 'secondDelete');
	const { data } = objectOf(response.json);
	if (response.text === '') findings.set('deleteReply', 'empty');
	else findings.set('deleteReply', isObject(data) && 'external_id' in data ? 'contact' : 'other');

	const second = await client.ask('DELETE', path);
	if (isMissing(second)) findings.set('secondDelete', 'notFound');
	else if (isSuccess(second)) findings.set('secondDelete', 'taken');
	findings.setOther(unexpected(second), 'secondDelete');
}
