/** Scratch contacts: how the service creates, changes and deletes them. */
import { differs } from '../answer';
import type { ServiceResponse } from '../response';
import { scratchName } from '../scratch';
import type { Inquiry, Session } from '../session';
import { firstOf, isObject, momentOf, recordsOf, type JsonObject } from '../shapes';

interface Scratchling {
	id: string;
	email: string;
	/** As the service answered it. */
	record: JsonObject;
}

export const writeInquiry: Inquiry = {
	title: 'Creating, changing and deleting scratch contacts',
	requests: 14,

	async run(session) {
		const first = await createFirst(session);
		if (!first) return;
		await askForEmpty(session, first);
		await askForChange(session, first);
		const second = await createAnother(session);
		if (second) {
			await askForUniqueness(session, first, second);
			await askForPhone(session, first, second);
		}
		await askForExisting(session, first);
		await askForBatch(session, first);
		await askForDeletion(session, first);
	},
};

/** Creates contacts with a name, because a service may ignore the External ID. */
export async function create(
	{ client, paths }: Session,
	...contacts: JsonObject[]
): Promise<ServiceResponse> {
	const users = contacts.map((contact) => ({ name: scratchName, ...contact }));
	return await client.ask('POST', paths.contacts, { body: { users } });
}

interface Change {
	response: ServiceResponse;
	/** As the response has it, if it has it. */
	contact?: JsonObject | undefined;
}

/** Changes a contact. */
export async function change(session: Session, id: string, data: JsonObject): Promise<Change> {
	const path = `${session.paths.contacts}/${encodeURIComponent(id)}`;
	const response = await session.client.ask('PATCH', path, { body: { data } });
	const contact = response.isSuccess ? response.body.data : undefined;
	return { response, contact: isObject(contact) ? contact : undefined };
}

async function createFirst(session: Session): Promise<Scratchling | undefined> {
	const { findings, scratch } = session;
	const id = scratch.newId();
	const email = scratch.newEmail();
	const response = await create(session, { external_id: id, email });
	if (!response.isSuccess) {
		const answer = response.isMissing ? 'contacts cannot be created' : response;
		findings.leave(answer, 'createReply', 'externalIdOfNew');
		return undefined;
	}

	const [record] = response.list ?? recordsOf(response.data.created) ?? [];
	const shape = response.list ? 'data' : 'created';
	findings.set('createReply', record && shape, differs('nowhere'));
	if (!record) return { id, email, record: {} };

	const isKept = record.external_id === id;
	findings.set('externalIdOfNew', isKept ? 'asSent' : 'own');
	// Without the ID, nothing that this run makes could be deleted.
	if (!isKept) return undefined;

	return { id, email, record };
}

/** @returns its External ID */
async function createAnother(session: Session): Promise<string | undefined> {
	const { scratch, findings } = session;
	const id = scratch.newId();
	const response = await create(session, { external_id: id, email: scratch.newEmail() });
	if (response.isSuccess) return id;
	findings.leave(response, 'emailUnique', 'externalIdUnique', 'phoneForm', 'phoneUnique');
	return undefined;
}

async function askForEmpty(session: Session, { id }: Scratchling): Promise<void> {
	const { findings } = session;
	const { response, contact } = await change(session, id, { name: null });
	const isCleared = contact && (contact.name == null || contact.name === '');
	const cleared = firstOf([
		['badRequest', response.status === 400],
		['clears', isCleared === true],
		['ignored', isCleared === false],
	]);
	findings.set('nullInWrite', cleared, response);
}

async function askForChange(session: Session, { id, record }: Scratchling): Promise<void> {
	const { findings } = session;
	const name = `${scratchName}.`;
	const { response, contact } = await change(session, id, { name });
	if (contact) {
		findings.set('updateReply', contact.name === name ? 'contact' : 'stale');
		findings.set('omittedFields', contact.email === record.email ? 'stay' : 'go');
		const [before, after] = [record, contact].map(({ updated_at }) => momentOf(updated_at));
		const time = firstOf([
			['later', after > before],
			['earlier', after !== before],
		]);
		findings.set('updatedAt', time, 'the same: all within one second');
	} else if (response.isSuccess) findings.set('updateReply', 'nothing');
	findings.leave(response, 'updateReply', 'omittedFields', 'updatedAt');
}

async function askForUniqueness(session: Session, first: Scratchling, id: string) {
	const { findings } = session;
	const { response: taken } = await change(session, id, { email: first.email });
	findings.judge('emailUnique', taken, { 409: 'true', 400: 'badRequest', success: 'false' });

	const { response, contact } = await change(session, id, { external_id: first.id });
	const isIgnored = contact?.external_id === id;
	const outcome = firstOf([
		['conflict', response.status === 409],
		['badRequest', response.status === 400],
		['ignored', isIgnored],
		['taken', contact !== undefined],
	]);
	findings.set('externalIdUnique', outcome, response);
}

async function askForPhone(session: Session, first: Scratchling, id: string): Promise<void> {
	const { findings, scratch } = session;
	const phone = scratch.newPhone();
	const e164 = phone.replace(/[^+\d]/g, '');
	const { response, contact } = await change(session, id, { phonenumber: phone });
	if (!contact) return findings.leave(response, 'phoneForm', 'phoneUnique');
	const form = firstOf([
		['asSent', contact.phonenumber === phone],
		['e164', contact.phonenumber === e164],
	]);
	findings.set('phoneForm', form ?? 'other');

	const { response: taken } = await change(session, first.id, { phonenumber: e164 });
	findings.judge('phoneUnique', taken, { 409: 'true', 400: 'badRequest', success: 'false' });
}

async function askForExisting(session: Session, { id }: Scratchling): Promise<void> {
	const existing = await create(session, { external_id: id });
	session.findings.judge('createExisting', existing, {
		409: 'conflict',
		400: 'badRequest',
		success: 'upsert',
	});
}

/** Finds an invalid value that the service refuses, and whether the valid contact before it was created. */
async function askForBatch(session: Session, { id, email }: Scratchling): Promise<void> {
	const { client, findings, scratch, paths } = session;
	for (const bad of [{ external_id: id }, { external_id: scratch.newId(), email }]) {
		const good = scratch.newId();
		const response = await create(session, { external_id: good }, bad);
		if (response.isSuccess) continue;
		if (response.status !== 400 && response.status !== 409) {
			return findings.leave(response, 'createBatch');
		}
		const found = await client.ask('GET', `${paths.contacts}/${good}`);
		const answer = found.pick({ missing: 'atomic', success: 'upToFirstBad' });
		return findings.set('createBatch', answer, found);
	}
	findings.leave('no invalid value was refused', 'createBatch');
}

async function askForDeletion(session: Session, { id }: Scratchling): Promise<void> {
	const { client, findings, paths } = session;
	const path = `${paths.contacts}/${encodeURIComponent(id)}`;
	const response = await client.ask('DELETE', path);
	if (!response.isSuccess) return findings.leave(response, 'secondDelete');

	const second = await client.ask('DELETE', path);
	findings.judge('secondDelete', second, { missing: 'notFound', success: 'taken' });
}
