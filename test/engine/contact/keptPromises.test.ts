/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import * as fc from 'fast-check';
import type { IDataObject, INodeExecutionData, NodeApiError } from 'n8n-workflow';

import { outcomeTexts } from '../../../nodes/Chatbase/api/errorTexts';
import { expectSeen, propertyRuns, sampled } from '../../propertyRuns';
import type { Contact, RecordedRequest } from '../../../service';
import { e164Of } from '../../../service/core/phone';
import { useSkippedTime } from '../fastTime';
import { succeeded, useTestbed } from '../testbed';
import {
	acceptedRows,
	certainlyMissing,
	furnish,
	isBearable,
	isBlank,
	isCalm,
	type Row,
	run,
	scene,
	type Scene,
	type Seen,
	Weather,
} from './world';

/**
 * Every operation that writes contacts, in worlds that nobody has thought of. Each property states a promise, and says
 * nothing of how the node decides: tables in `test/unit/contact` do.
 */
const testbed = useTestbed({ resource: 'contact' });
useSkippedTime(testbed);

/** The contacts of the service by their internal IDs. */
const held = () => {
	const { contacts } = testbed.service.store.chatbot('bot');
	return new Map([...contacts].map((contact) => [contact.id, structuredClone(contact)]));
};
const syncOf = ({ json }: INodeExecutionData) => (json._sync ?? {}) as IDataObject;
const hasFailed = ({ json }: INodeExecutionData) => json.error !== undefined;
const isOther = ({ external_id: id }: Contact) => id.startsWith('other-');

// Values, in forms that can be compared.

const fields = ['name', 'email', 'phonenumber'] as const;
const attributes = ['plan', 'seats', 'active', 'since'] as const;
const mappedNames = [...fields, ...attributes];
const otherAttributes = ['team', 'source', 'gone', 'old'];

const isEmpty = (value: unknown) => value === null || value === undefined || value === '';

function plain(value: unknown, name: string): unknown {
	if (isEmpty(value)) return null;
	if (name === 'email') return String(value).toLowerCase();
	if (name === 'phonenumber') return e164Of(String(value));
	if (name === 'seats') return Number(value);
	if (name === 'active') return String(value) === 'true';
	if (name === 'since' || name === 'gone') return Date.parse(String(value));
	return value;
}

/** Fields and attributes of a contact in one object, with null for a missing value. */
function valuesOf(contact: IDataObject | Contact = {}): Record<string, unknown> {
	const record = contact as IDataObject;
	const all = { ...record, ...(record.custom_attributes as IDataObject | null) };
	const names = ['external_id', ...mappedNames, ...otherAttributes];
	return Object.fromEntries(names.map((name) => [name, plain(all[name], name)]));
}

/** The values that an item surely gives to its contact, or clears. */
function givenBy({ operation, options }: Scene, row: Row): Map<string, unknown> {
	const clears = options.emptyValues === 'clear' && operation !== 'create';
	const given = mappedNames.filter(
		(name) => row[name] !== undefined && (clears || !isEmpty(row[name])),
	);
	return new Map(given.map((name) => [name, plain(row[name], name)]));
}

/** Whether an operation creates contacts and updates them. */
const brings = ({ operation }: Pick<Scene, 'operation'>) =>
	operation === 'upsert' || operation === 'mirror';

/** Whether the user wants that a value of the contact stays. Create and Update don't have this option. */
function isProtected({ operation, options }: Scene, name: string): boolean {
	const path = attributes.some((one) => one === name) ? `custom_attributes.${name}` : name;
	return brings({ operation }) && options.setOnlyIfEmpty.includes(path);
}

/** A scene that was played, with the contacts before and after it by their internal IDs. */
interface Played {
	drawn: Scene;
	input: Row[];
	requests: Seen[];
	before: Map<string, Contact>;
	after: Map<string, Contact>;
	/** Output of the items; empty if the run threw. */
	answers: INodeExecutionData[];
	/** Contacts that a mirror misses. */
	missing: INodeExecutionData[];
	error?: Error;
	isGreen(index: number): boolean;
	/** Whether others have changed, added or removed the contact. */
	isTouched(contact: { id?: unknown; external_id?: unknown }): boolean;
	/** Whether a mirror manages the contact, as it was before. */
	isManaged(contact: Contact): boolean;
	/** Whether the contact belongs to another mirror. */
	isForeign(contact: Contact | undefined): boolean;
}

async function play(drawn: Scene): Promise<Played> {
	const { input, operation, mirror } = drawn;
	furnish(testbed, drawn);
	const before = held();
	const weather = new Weather(testbed.service, drawn);
	const { items, error } = await run(testbed, drawn);
	await weather.pass();

	const answers = items.slice(0, input.length);
	const isTagged = operation === 'mirror' && mirror.manage === 'tag';
	return {
		drawn,
		input,
		requests: weather.seen,
		before,
		after: held(),
		answers,
		missing: items.slice(input.length),
		error,
		isGreen: (index) => !error && !hasFailed(answers[index]),
		isTouched: (contact) => weather.hasTouched(contact),
		isManaged: ({ external_id: id, custom_attributes: given }) =>
			isTagged ? given?.source === 'crm' : mirror.manage === 'all' || id.startsWith('crm-'),
		isForeign: (contact) => isTagged && contact?.custom_attributes?.source === 'shop',
	};
}

/** What happened at all. The rarest of these happens in one of 15 worlds. */
const tally = {
	succeeded: 0,
	failed: 0,
	stopped: 0,
	borne: 0,
	marked: 0,
	deleted: 0,
	previewed: 0,
	settled: 0,
};

// Nobody is created twice.

const createdBy = ({ method, body }: RecordedRequest): string[] => {
	const { users = [] } = (body ?? {}) as { users?: Array<{ external_id: string }> };
	return method === 'POST' ? users.map((one) => one.external_id) : [];
};
const isAbout = ({ path }: RecordedRequest, id: string | undefined) =>
	path.endsWith(`/${encodeURIComponent(String(id))}`);
/** A 500 in the words of the service has ended: it is looked for at once. */
const hasEnded = ({ request: { status }, fault }: Seen) =>
	status === 500 && fault?.kind === 'status' && fault.body === undefined;

/**
 * No creation is sent twice without need. If its outcome is unknown, it is looked for as long as the service
 * may be busy with it. A refused one is not sent again if the service has kept it. (Another writer may create it after
 * the look-up.)
 */
function expectNobodySentTwice({ requests, before, isTouched, drawn: { timeout } }: Played) {
	const idsBefore = new Set([...before.values()].map(({ external_id: id }) => id));
	requests.forEach((now, index) => {
		const earlier = requests.slice(0, index);
		for (const id of createdBy(now.request)) {
			const creations = earlier.filter(({ request }) => createdBy(request).includes(id));
			const unclear = creations.findLast(
				({ request: { status = 0 } }) => status < 400 || status >= 500,
			);
			if (unclear) {
				const since = unclear.request.at + (hasEnded(unclear) ? 0 : timeout);
				// A service that fails half-way has made the start or the end of a batch, so its first and last contact tell.
				const [first, last] = [createdBy(unclear.request)[0], createdBy(unclear.request).at(-1)];
				const telling = hasEnded(unclear) ? [id, first, last] : [id];
				const isLook = ({ request, ids }: Seen) =>
					request.method === 'GET' &&
					request.at >= since &&
					(request.path.endsWith('/contacts') || telling.some((one) => isAbout(request, one))) &&
					!ids.has(id);
				expect([id, earlier.some(isLook)]).toEqual([id, true]);
			} else if (creations.length > 0 && !idsBefore.has(id) && !isTouched({ external_id: id })) {
				expect([id, now.ids.has(id)]).toEqual([id, false]);
			}
		}
	});
}

function expectNobodyTwice(played: Played) {
	expectNobodySentTwice(played);
	const ids = [...played.after.values()].map(({ external_id }) => external_id);
	expect(new Set(ids).size).toBe(ids.length);
	expect(ids.filter(isEmpty)).toEqual([]);
}

/** The error of a failed item names a contact that it may have created. */
function expectCreatedNamed(played: Played, { id = '', seats }: Row, index: number) {
	const { drawn, input, requests, before, after, answers, error, isGreen, isTouched } = played;
	const contact = [...after.values()].find(({ external_id }) => external_id === id);
	const isNew = contact !== undefined && !before.has(contact.id) && !isTouched(contact);
	const isAnswered = input.some((row, other) => row.id === id && isGreen(other));
	const isPatched = requests.some(({ request: one }) => one.method === 'PATCH' && isAbout(one, id));
	if (!isNew || isAnswered || isPatched || seats === 'many') return;
	if (drawn.operation === 'update' || (error && input.length > 1)) return;

	const told = error ? (error as NodeApiError).description : answers[index].json.error;
	expect(told).toContain(`Contact ${id} may have been created. Check before`);
}

// Each item is answered once.

/** Either all succeed or the run throws; or each item is answered. */
function expectAnswers({ drawn: { goesOn, operation }, input, answers, missing, error }: Played) {
	if (error) {
		expect(goesOn).toBe(false);
		expect(answers).toEqual([]);
		expect(error.message).toMatch(/^[A-Z0-9].{10,}/);
		tally.stopped++;
		return;
	}
	expect(answers.map(({ pairedItem }) => pairedItem)).toEqual(input.map((_, item) => ({ item })));
	if (operation !== 'mirror') expect(missing).toEqual([]);
	if (!goesOn) expect(answers.filter(hasFailed)).toEqual([]);
	for (const { json } of answers.filter(hasFailed)) {
		expect(json.error).toMatch(/^[A-Z][^.]{10,}\. \S.{10,}/s);
		expect(json.error).not.toMatch(/undefined|\[object|NaN/);
	}
	tally.failed += answers.filter(hasFailed).length;
	tally.succeeded += answers.length - answers.filter(hasFailed).length;
}

/** The titles of errors that pass, which a run that could bear its faults never tells. */
const passing = (['429', '5xx', 'broken', 'timeout', 'unexpectedResponse'] as const).map(
	(outcome) => outcomeTexts[outcome].title,
);
const passingIn = (told: unknown) => passing.filter((title) => String(told).includes(title));

function expectBearableFaultsBorne({ drawn, requests, answers, error }: Played) {
	if (!isBearable(drawn)) return;
	if (requests.some(({ request }) => request.status !== 200)) tally.borne++;
	const told = error ? [error.message] : answers.map(({ json }) => json.error ?? '');
	expect(told.flatMap(passingIn)).toEqual([]);
}

/** An item that succeeds has its contact, with what it gives; what was there before is in the output. */
function expectItemFulfilled(played: Played, row: Row, index: number) {
	const { drawn, input, answers, before, after, requests, isTouched, isForeign } = played;
	const { json } = answers[index];
	if (!played.isGreen(index) || isTouched(json)) return;

	const { action, changed = [], before: old = {} } = syncOf(answers[index]);
	const now = [...after.values()].find(({ external_id }) => external_id === json.external_id);
	const former = before.get(String(json.id));
	if (isForeign(former)) {
		expect([action, now]).toEqual(['skipped', former]);
		return;
	}
	// No item gets the contact of another.
	const wantedId = drawn.operation === 'update' ? row.newId || row.id : row.id;
	if (wantedId) expect(json.external_id).toBe(wantedId);
	else expect(valuesOf(former).email).toBe(plain(row.email, 'email'));

	const isAlone = input.filter(({ id }) => id === row.id).length === 1;
	expectGiven(drawn, row, json, isAlone ? former : undefined);
	if (!brings(drawn)) return;

	expect(valuesOf(json)).toEqual(valuesOf(now));
	if (action === 'created') expect(former).toBeUndefined();
	else if (action === 'unchanged') expect(now).toEqual(former);
	else {
		const ids = [former?.external_id, row.id];
		const isPatch = ({ request: one }: Seen) =>
			one.method === 'PATCH' && ids.some((id) => isAbout(one, id));
		expect([action, requests.some(isPatch)]).toEqual(['updated', true]);
	}
	if (!former || !isAlone) return;
	for (const path of changed as string[]) {
		const name = path.replace('custom_attributes.', '');
		expect(Object.keys(old as object)).toContain(path);
		expect(plain((old as IDataObject)[path], name)).toEqual(valuesOf(former)[name]);
	}
}

/** Whether a record has what an item gives, unless the contact had a value that is to stay. */
function expectGiven(drawn: Scene, row: Row, record: IDataObject, former?: Contact) {
	const [values, old] = [valuesOf(record), valuesOf(former)];
	for (const [name, given] of givenBy(drawn, row)) {
		const stays = isProtected(drawn, name) && (!former || old[name] !== null);
		if (!stays) expect([name, values[name]]).toEqual([name, given]);
	}
}

// Nobody is written who may not be.

/** Whether an item can be about a contact, by its ID or email. */
function canMean(drawn: Scene, row: Row, contact: Contact, former?: Contact): boolean {
	const { operation, matchBy, input, behaviour } = drawn;
	// Such an item fails while it is read, if the types of the attributes are known.
	if (row.seats === 'many' && behaviour.endpoints !== 'withoutAttributeList') return false;

	const ids: unknown[] = [contact.external_id, former?.external_id];
	// An update can move a contact from item to item.
	const isMoving = operation === 'update' && input.some(({ newId }) => newId !== '');
	if (isMoving) return input.some(({ id, newId }) => ids.includes(id) || ids.includes(newId));

	if (row.id !== undefined && ids.includes(row.id)) return true;
	const isByEmail = brings(drawn) && (row.id === undefined || matchBy !== 'externalId');
	const email = plain(row.email, 'email');
	return isByEmail && email !== null && email === valuesOf(former).email;
}

/** A contact changes only by items that can mean it. What none of them gives or clears stays, and what the user protects. */
function expectNothingElse(played: Played, contact: Contact) {
	const { drawn, input, before, error, isGreen, isTouched, isForeign } = played;
	const { operation, behaviour, mirror } = drawn;
	const former = before.get(contact.id);
	if (isTouched(contact) || (former && isTouched(former)) || isOther(contact)) return;

	// In calm weather, an item that failed has written nothing.
	const mayHaveWritten = (index: number) => error !== undefined || isGreen(index) || !isCalm(drawn);
	const meant = input.filter(
		(row, index) => mayHaveWritten(index) && canMean(drawn, row, contact, former),
	);
	const [values, old] = [valuesOf(contact), valuesOf(former)];
	if (meant.length === 0 || isForeign(former)) {
		const isMarked = mirror.onMissing === 'mark' && operation === 'mirror' && old.gone === null;
		if (isMarked && values.gone) expect({ ...values, gone: null, old: old.old }).toEqual(old);
		else expect(contact).toEqual(former);
		return;
	}

	// Create has no look-up: a service that treats it as an update and replaces attributes then has only the new ones.
	const clears =
		operation === 'create' &&
		behaviour.createExisting === 'upsert' &&
		behaviour.attributesOnPatch === 'replace';
	for (const name of [...mappedNames, 'team']) {
		const isGiven = meant.some((row) => givenBy(drawn, row).has(name));
		const stays = isProtected(drawn, name) ? old[name] !== null : !isGiven && !clears;
		if (stays)
			expect([contact.external_id, name, values[name]]).toEqual([
				contact.external_id,
				name,
				old[name],
			]);
	}
}

/** A mirror deletes and marks only contacts that it manages and the input lacks, few enough, and never all. */
function expectOnlyMissingHandled(played: Played) {
	const { drawn, input, before, after, answers, missing, error, isTouched, isManaged } = played;
	const { operation, mirror } = drawn;
	const untouched = [...before.values()].filter((contact) => !isTouched(contact));
	const gone = untouched.filter(({ id }) => !after.has(id));
	const marked = untouched.filter(
		(one) => valuesOf(one).gone === null && valuesOf(after.get(one.id)).gone !== null,
	);
	const handled = [...gone, ...marked];
	tally.deleted += gone.length;
	tally.marked += marked.length;
	if (operation !== 'mirror' || mirror.onMissing !== 'delete') expect(gone).toEqual([]);
	if (operation !== 'mirror' || mirror.onMissing !== 'mark') expect(marked).toEqual([]);
	if (operation !== 'mirror') return;

	const fold = (id: string | undefined) => String(id).toLowerCase();
	const inInput = new Set(input.map(({ id }) => fold(id)));
	for (const contact of handled) {
		const isMissing = !inInput.has(fold(contact.external_id));
		expect([contact, isManaged(contact), isMissing]).toEqual([contact, true, true]);
	}
	expect(handled.length).toBeLessThanOrEqual(mirror.maxMissing ?? Infinity);
	const managed = [...before.values()].filter(isManaged).length;
	if (drawn.others.length === 0) {
		if (managed > 0) expect(handled.length).toBeLessThan(managed);
		if (mirror.maxMissing === undefined) expect(handled.length * 2).toBeLessThanOrEqual(managed);
	}
	if (answers.some(hasFailed) || (isCalm(drawn) && error)) expect(handled).toEqual([]);

	// A deleted contact is whole in the output, as its backup.
	if (error) return;
	for (const contact of gone) {
		const backup = missing.find(({ json }) => json.external_id === contact.external_id);
		expect(backup && syncOf(backup).action).toBe('deleted');
		expect(valuesOf(backup?.json)).toEqual(valuesOf(contact));
	}
}

// A Dry Run says what the real run does, and a second run writes nothing.

/** What a run did with each record, by its External ID. */
function actionsOf(items: INodeExecutionData[]) {
	const planned: Record<string, string> = {
		wouldCreate: 'created',
		wouldUpdate: 'updated',
		wouldMark: 'marked',
		wouldDelete: 'deleted',
	};
	return items
		.map((item) => {
			const { action, changed, before } = syncOf(item);
			const done = planned[String(action)] ?? action;
			// The date of a mark is not known before.
			const details = done === 'marked' ? {} : { changed, before };
			return { id: item.json.external_id, done, ...details };
		})
		.sort((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other)));
}

const areTwice = (input: Row[]) => new Set(input.map(({ id }) => id)).size < input.length;

async function expectPreviewed({ drawn, input, answers, missing, error }: Played) {
	const { operation, others, behaviour } = drawn;
	if (operation === 'create' || !isCalm(drawn) || others.length > 0) return;
	furnish(testbed, drawn);
	const preview = await run(testbed, drawn, { dryRun: true });
	expect(testbed.writes).toEqual([]);
	// A service may refuse what nobody can know before. Two items for one contact are shown one by one.
	if (error || answers.some(hasFailed) || areTwice(input) || operation === 'update') return;
	// A Dry Run takes emails for unique unless the list shows otherwise.
	const isRefused = preview.error !== undefined || preview.items.some(hasFailed);
	if (behaviour.emailUnique === false && isRefused) return;
	tally.previewed++;
	expect(actionsOf(succeeded(preview).items)).toEqual(actionsOf([...answers, ...missing]));
}

/** A second run without faults writes everything that is not refused, and a third one writes nothing. */
async function expectSettled({ drawn, input, isGreen }: Played) {
	const { operation, others } = drawn;
	const { items, error } = await run(testbed, drawn, { goesOn: true });
	expect(error).toBeUndefined();
	const settled = items.slice(0, input.length);
	expect(settled.flatMap(({ json }) => passingIn(json.error))).toEqual([]);
	settled.forEach((item, index) => {
		const isWritten = !hasFailed(item) && syncOf(item).action !== 'skipped';
		if (isWritten) expectGiven(drawn, input[index], item.json);
		const { id } = input[index];
		if (!brings(drawn) || others.length > 0 || id === undefined || !isGreen(index)) return;
		expect([id, item.json.error]).toEqual([id, undefined]);
	});

	const isMoving = operation === 'update' && input.some(({ newId }) => newId !== '');
	const lasting = brings(drawn) ? input.filter((_, index) => !hasFailed(settled[index])) : input;
	// A mirror of the others would count the refused ones as missing.
	const isWhole = lasting.length === input.length || operation !== 'mirror';
	if (isMoving || areTwice(input) || !isWhole || lasting.length === 0) return;
	tally.settled++;
	const values = [...held().values()].map(valuesOf);
	testbed.service.clearRequests();
	await run(testbed, drawn, { input: lasting, goesOn: true });
	expect([...held().values()].map(valuesOf)).toEqual(values);
	if (brings(drawn)) expect(testbed.writes).toEqual([]);
}

const valuesById = (contacts: Map<string, Contact>) =>
	[...contacts.values()]
		.filter((contact) => !isOther(contact))
		.map(valuesOf)
		.sort((one, other) => (String(one.external_id) < String(other.external_id) ? -1 : 1));

it('keeps its promises in any world', async () => {
	await fc.assert(
		fc.asyncProperty(scene, async (given) => {
			const input = acceptedRows(given);
			fc.pre(input.length > 0);
			const played = await play({ ...given, input });
			expect(testbed.illegal).toEqual([]);
			expectNobodyTwice(played);
			expectAnswers(played);
			expectBearableFaultsBorne(played);
			if (!played.error) input.forEach((row, index) => expectItemFulfilled(played, row, index));
			for (const contact of played.after.values()) expectNothingElse(played, contact);
			expectOnlyMissingHandled(played);
			input.forEach((row, index) => expectCreatedNamed(played, row, index));
			await expectSettled(played);
			await expectPreviewed(played);
		}),
		{
			...propertyRuns(sampled(100, 160)),
			examples: [certainlyMissing('mark'), certainlyMissing('delete')],
		},
	);
	process.stdout.write(`worlds of contacts: ${JSON.stringify(tally)}\n`);
	expect(Math.min(tally.succeeded, tally.marked, tally.deleted)).toBeGreaterThan(0);
	expectSeen(tally);
}, 300_000);

it('treats an item alone as among unrelated items', async () => {
	await fc.assert(
		fc.asyncProperty(scene, fc.integer({ min: 1, max: 30 }), async (given, count) => {
			const drawn: Scene = { ...given, operation: 'upsert', goesOn: true };
			const [first] = drawn.input;
			// A blank row is skipped, but an input that has nothing else is refused.
			fc.pre(!isBlank(first));
			furnish(testbed, drawn);
			const alone = await run(testbed, drawn, { input: [first] });
			const expected = valuesById(held());
			furnish(testbed, drawn);
			const strangers = Array.from({ length: count }, (_, index): Row => ({
				id: `other-${index}`,
				newId: '',
				name: 'Ada',
			}));
			const among = await run(testbed, drawn, { input: [...strangers, first] });
			expect(among.items.map(hasFailed)).toEqual([
				...strangers.map(() => false),
				hasFailed(alone.items[0]),
			]);
			expect(among.items[count].json._sync).toEqual(alone.items[0].json._sync);
			expect(valuesById(held())).toEqual(expected);
		}),
		propertyRuns(25),
	);
}, 240_000);
