/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import * as fc from 'fast-check';
import type { IDataObject, INodeExecutionData, NodeApiError } from 'n8n-workflow';

import { errorTexts } from '../../../nodes/Chatbase/api/errorTexts';
import { expectSeen, propertyRuns, sampled } from '../../propertyRuns';
import type { Contact, RecordedRequest } from '../../../service';
import { e164Of } from '../../../service/phone';
import { skippedTime } from '../fastTime';
import { succeeded, useTestbed } from '../testbed';
import {
	acceptedRows,
	certainlyMissing,
	furnish,
	isBearable,
	isBlank,
	isCalm,
	isMappedByHand,
	type Row,
	run,
	scene,
	type Scene,
	type Seen,
	Weather,
} from './world';

/** Every operation that writes contacts, in worlds that nobody has thought of, held against what the package promises. */
const testbed = useTestbed({ resource: 'contact' });
let realTime: () => void;

beforeAll(async () => {
	realTime = skippedTime(testbed.service);
});

afterAll(async () => {
	realTime();
});

const held = () => {
	const { contacts } = testbed.service.store.chatbot('bot');
	return new Map([...contacts].map((contact) => [contact.id, structuredClone(contact)]));
};
const writes = () => testbed.service.requests.filter(({ method }) => method !== 'GET');
const syncOf = ({ json }: INodeExecutionData) => (json._sync ?? {}) as IDataObject;
const hasFailed = ({ json }: INodeExecutionData) => json.error !== undefined;
const isOther = (id: string) => id.startsWith('other-');
const fold = (id: string | undefined) => String(id).toLowerCase();

// Values, in forms that can be compared.

const itemAttributes = ['plan', 'seats', 'active', 'since'] as const;
const otherAttributes = ['team', 'source', 'gone'] as const;
const attributeNames: readonly string[] = [...itemAttributes, ...otherAttributes, 'old'];
const pathOf = (field: string) =>
	attributeNames.includes(field) ? `custom_attributes.${field}` : field;

const isEmpty = (value: unknown) => value === null || value === undefined || value === '';

function plain(value: unknown, field: string): unknown {
	if (isEmpty(value)) return null;
	if (field === 'email') return String(value).toLowerCase();
	if (field === 'phonenumber') return e164Of(String(value));
	if (field === 'seats') return Number(value);
	if (field === 'active') return String(value) === 'true';
	if (field === 'since' || field === 'gone') return Date.parse(String(value));
	return value;
}

/** Fields and attributes of a contact in one object, with null for a missing value. */
function valuesOf(contact: IDataObject | Contact | undefined): Record<string, unknown> {
	const { external_id, name, email, phonenumber, custom_attributes } = (contact ??
		{}) as IDataObject;
	const given = (custom_attributes ?? {}) as IDataObject;
	const attributes = Object.fromEntries(
		attributeNames.map((attribute) => [attribute, given[attribute]]),
	);
	return Object.fromEntries(
		Object.entries({ external_id, name, email, phonenumber, ...attributes }).map(
			([field, value]) => [field, plain(value, field)],
		),
	);
}

/** The values that an item gives its contact, without those that it does not mention. */
function wantedBy(drawn: Scene, row: Row): Map<string, unknown> {
	const { operation, options, mirror } = drawn;
	const isMirror = operation === 'mirror';
	// Create has neither of these options.
	const isCreate = operation === 'create';
	const clears = options.emptyValues === 'clear' && !isCreate;
	// An expression without a value means an empty field. A column that an item lacks means nothing.
	const isNamed = (field: keyof Row) => isMappedByHand(drawn) || field in row;
	const isMentioned = (field: keyof Row) => (clears && isNamed(field)) || !isEmpty(row[field]);

	const tags = new Map<string, unknown>();
	if (isMirror && mirror.manage === 'tag') tags.set('source', 'crm');
	if (isMirror && mirror.onMissing === 'mark') tags.set('gone', null);

	const mentioned = itemAttributes.filter(isMentioned);
	const isReplacing = options.customAttributesMode === 'replace' && !isCreate;
	// The tag of a mirror alone clears no attribute.
	const isReplaced = isReplacing && mentioned.length > 0;
	const unmapped = [...itemAttributes.filter((field) => !isNamed(field)), ...otherAttributes];
	const id = operation === 'update' ? row.newId : row.id;
	return new Map([
		...(isEmpty(id) ? [] : [['external_id', id] as const]),
		...(isReplaced ? unmapped : []).map((name) => [name, null] as const),
		...[...(['name', 'email', 'phonenumber'] as const).filter(isMentioned), ...mentioned].map(
			(field) => [field, plain(row[field], field)] as const,
		),
		...tags,
	]);
}

/** A scene that was played, with the contacts before and after it by their internal IDs. */
interface Played {
	drawn: Scene;
	input: Row[];
	seen: Seen[];
	/** External IDs of contacts that others have changed. */
	touched: Set<string>;
	before: Map<string, Contact>;
	after: Map<string, Contact>;
	/** Output of the items; empty if the run threw. */
	answers: INodeExecutionData[];
	/** Contacts that a mirror misses. */
	missing: INodeExecutionData[];
	error?: Error;
	isGreen(index: number): boolean;
	/** The contact of a green item. */
	contactOf(index: number): Contact;
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
	const after = held();
	const answers = items.slice(0, input.length);
	const isTagged = operation === 'mirror' && mirror.manage === 'tag';
	return {
		drawn,
		input,
		seen: weather.seen,
		touched: weather.touched,
		before,
		after,
		answers,
		missing: items.slice(input.length),
		error,
		isGreen: (index) => !error && !hasFailed(answers[index]),
		contactOf: (index) => {
			const { id, external_id: name } = answers[index].json;
			return after.get(String(id)) ?? [...after.values()].find((one) => one.external_id === name)!;
		},
		isManaged: ({ external_id: id, custom_attributes: given }) =>
			isTagged ? given?.source === 'crm' : mirror.manage === 'all' || id.startsWith('crm-'),
		isForeign: (contact) => isTagged && contact?.custom_attributes?.source === 'shop',
	};
}

/** What happened at all. The rarest of these happens in one of 15 worlds. */
const seen = {
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

const createdBy = ({ method, body }: RecordedRequest): string[] =>
	method === 'POST'
		? ((body as { users?: Array<{ external_id: string }> }).users ?? []).map(
				(one) => one.external_id,
			)
		: [];

/** Whether a request would have found a contact. */
const looksFor = ({ method, path }: RecordedRequest, id: string) =>
	method === 'GET' && (path.endsWith('/contacts') || path.endsWith(`/${encodeURIComponent(id)}`));

/**
 * No creation is sent twice without need. If its outcome is unknown, it is looked for as long as the service
 * may be busy with it. A refused one is not sent again if the service has kept it. (Another writer may create it after
 * the look-up.)
 */
function expectNobodySentTwice({ seen, before, touched, drawn: { timeout } }: Played) {
	const idsBefore = new Set([...before.values()].map(({ external_id: id }) => id));
	seen.forEach((now, index) => {
		for (const id of createdBy(now.request)) {
			const earlier = seen.slice(0, index).filter(({ request }) => createdBy(request).includes(id));
			const unclear = earlier.findLast(
				({ request: { status = 0 } }) => status < 400 || status >= 500,
			);
			if (unclear) {
				// A 500 in the words of the service has ended: it is looked for at once.
				const since = unclear.request.at + (hasEnded(unclear) ? 0 : timeout);
				const isLook = ({ request, ids }: Seen) =>
					request.at >= since && looksFor(request, id) && !ids.has(id);
				expect([id, seen.slice(0, index).some(isLook)]).toEqual([id, true]);
			} else if (earlier.length > 0 && !idsBefore.has(id) && !touched.has(id)) {
				expect([id, now.ids.has(id)]).toEqual([id, false]);
			}
		}
	});
}

function hasEnded({ request: { status }, fault }: Seen): boolean {
	return status === 500 && fault?.kind === 'status' && fault.body === undefined;
}

function expectNobodyTwice(played: Played) {
	expectNobodySentTwice(played);
	const ids = [...played.after.values()].map(({ external_id }) => external_id);
	expect(new Set(ids).size).toBe(ids.length);
	expect(ids.filter(isEmpty)).toEqual([]);
}

// Each item is answered once.

const words = /^[A-Z][^.]{10,}\. \S.{10,}/s;
/** The titles of errors that pass, which a run that could bear its faults never tells. */
const passing = (
	['429', '5xx', 'broken', 'timeout', 'unexpectedResponse', 'unreadable'] as const
).map((outcome) => errorTexts[outcome].title);
const passingIn = (told: unknown) => passing.filter((title) => String(told).includes(title));

/** Either all succeed or the run throws; or each item is answered. */
function expectAnswers({ drawn: { goesOn, operation }, input, answers, missing, error }: Played) {
	if (error) {
		expect(goesOn).toBe(false);
		expect(answers).toEqual([]);
		expect(error.message).toMatch(/^[A-Z0-9].{10,}/);
		seen.stopped++;
		return;
	}
	expect(answers.map(({ pairedItem }) => pairedItem)).toEqual(input.map((_, item) => ({ item })));
	if (operation !== 'mirror') expect(missing).toEqual([]);
	if (!goesOn) expect(answers.filter(hasFailed)).toEqual([]);
}

function expectBearableFaultsBorne({ drawn, seen: requests, answers, error }: Played) {
	if (!isBearable(drawn)) return;
	if (requests.some(({ request }) => request.status !== 200)) seen.borne++;
	const told = error ? [error.message] : answers.map(({ json }) => json.error ?? '');
	expect(told.flatMap(passingIn)).toEqual([]);
}

/** Whether a change was sent to a contact. */
const isPatched = (seen: Seen[], id: string | undefined) =>
	seen.some(
		({ request: { method, path } }) =>
			method === 'PATCH' && path.endsWith(`/${encodeURIComponent(String(id))}`),
	);

/** Whether a record has the values of its item, except those that the item leaves to the contact. */
function expectAsWanted(drawn: Scene, row: Row, record: IDataObject, former?: Contact) {
	const [values, old] = [valuesOf(record), valuesOf(former)];
	for (const [field, wanted] of wantedBy(drawn, row)) {
		const isLeft = isProtected(drawn, field) && (!former || old[field] !== null);
		if (!isLeft) expect([field, values[field]]).toEqual([field, wanted]);
	}
}

/** Create and Update don't have this option. */
const isProtected = ({ operation, options }: Scene, field: string) =>
	(operation === 'upsert' || operation === 'mirror') &&
	options.setOnlyIfEmpty.includes(pathOf(field));

function expectItemAnswered(played: Played, row: Row, index: number) {
	const { drawn, input, answers, before, seen: requests, touched, isForeign } = played;
	const { json } = answers[index];
	if (!played.isGreen(index)) {
		seen.failed++;
		expect(json.error).toMatch(words);
		expect(json.error).not.toMatch(/undefined|\[object|NaN/);
		return;
	}
	seen.succeeded++;
	const contact = played.contactOf(index);
	if (touched.has(String(json.external_id))) return;
	const former = before.get(contact.id);
	const { action, changed = [], before: oldValues = {}, dropped = [] } = syncOf(answers[index]);
	if (isForeign(former)) {
		expect([action, contact]).toEqual(['skipped', former]);
		return;
	}
	// No item gets the contact of another.
	const wantedId = drawn.operation === 'update' ? row.newId || row.id : row.id;
	if (wantedId) expect(json.external_id).toBe(wantedId);
	else expect(valuesOf(former).email).toBe(plain(row.email, 'email'));

	const isAlone = input.filter(({ id }) => id === row.id).length === 1;
	expectAsWanted(drawn, row, json, isAlone ? former : undefined);
	if (drawn.operation === 'create') return;

	// Only an archived value can be dropped here.
	expect(['custom_attributes.old']).toEqual(expect.arrayContaining(dropped as string[]));
	if (!former) expect(['created', 'updated']).toContain(action);
	if (action === 'unchanged') {
		if (drawn.operation !== 'update') expect(contact).toEqual(former);
	} else if (action === 'created') expect(former).toBeUndefined();
	else {
		expect(action).toBe('updated');
		expect([former?.external_id, row.id].some((name) => isPatched(requests, name))).toBe(true);
	}
	// What was overwritten is in the output. An update that does not look first has no old values.
	if (!former || !isAlone || drawn.operation === 'update') return;
	const old = valuesOf(former);
	for (const path of changed as string[]) {
		const field = path.replace('custom_attributes.', '');
		const told = plain((oldValues as IDataObject)[path], field);
		expect([path, path in (oldValues as IDataObject), told]).toEqual([path, true, old[field]]);
	}
}

// Nobody is written who may not be.

/** Whether an item can be about a contact, by its ID or email. */
function canTouch(drawn: Scene, row: Row, former: Contact | undefined, names: Set<string>) {
	if (row.seats === 'many') return false;
	if (row.id !== undefined && names.has(row.id)) return true;
	const { operation, matchBy } = drawn;
	const isMatching = operation === 'upsert' || operation === 'mirror';
	const isByEmail = isMatching && (row.id === undefined || matchBy !== 'externalId');
	return isByEmail && !isEmpty(row.email) && plain(row.email, 'email') === valuesOf(former).email;
}

/** The External IDs that a contact may have had in the course of a run. */
function namesOf({ operation, input }: Scene, contact: Contact, former?: Contact): Set<string> {
	const names = new Set([
		...(operation === 'update' ? [] : [contact.external_id]),
		...(former ? [former.external_id] : []),
	]);
	if (operation !== 'update') return names;

	for (let size = -1; size < names.size;) {
		size = names.size;
		for (const { id, newId } of input) if (id && newId && names.has(id)) names.add(newId);
	}
	return names;
}

/** A contact has the values of the last successful item, or those that a failed one may have written. */
function expectPossibleValues(played: Played, id: string, contact: Contact) {
	const { drawn, input, before, touched, error, isGreen, isForeign, contactOf } = played;
	const { operation, behaviour, options } = drawn;
	const former = before.get(id);
	if (touched.has(contact.external_id) || touched.has(String(former?.external_id))) return;
	const names = namesOf(drawn, contact, former);
	// In calm weather, an item that failed has written nothing.
	const mayHaveWritten = (index: number) => error !== undefined || isGreen(index) || !isCalm(drawn);
	const touching = (isForeign(former) ? [] : input).flatMap((row, index) =>
		mayHaveWritten(index) && canTouch(drawn, row, former, names) ? [index] : [],
	);
	const values = valuesOf(contact);
	const old = valuesOf(former);
	if (touching.length === 0) {
		const isMarked = operation === 'mirror' && former && values.gone !== null && old.gone === null;
		if (isMarked) expect({ ...values, gone: null, old: old.old }).toEqual(old);
		else if (former) expect(contact).toEqual(former);
		else expect(isOther(contact.external_id)).toBe(true);
		return;
	}
	const isReplacing = behaviour.attributesOnPatch === 'replace';
	// Archived values can't be sent, so a service that replaces attributes drops them.
	const losesArchived = options.customAttributesMode === 'replace' || isReplacing;
	// Create has no look-up: a service that treats it as an update then has only the new attributes.
	const isCreatedOver =
		operation === 'create' && behaviour.createExisting === 'upsert' && isReplacing;
	for (const [field, value] of Object.entries(values)) {
		let possible = [old[field]];
		for (const index of touching) {
			const wanted = wantedBy(drawn, input[index]);
			const isMine = isGreen(index) && contactOf(index).id === id;
			if (!wanted.has(field) || (isGreen(index) && !isMine)) continue;
			const left = isProtected(drawn, field) ? possible.filter((one) => one !== null) : [];
			const isLeft = left.length === possible.length;
			const others = isMine ? left : possible;
			possible = isLeft ? possible : [...others, wanted.get(field)];
		}
		if (field === 'old' && losesArchived) possible.push(null);
		// An item that names another contact by its ID may have the email of this one, which is then missing.
		if (field === 'gone' && operation === 'mirror' && value !== null) possible.push(value);
		if (isCreatedOver && attributeNames.includes(field)) possible.push(null);
		expect([contact.external_id, field, possible]).toEqual([
			contact.external_id,
			field,
			expect.arrayContaining([value]),
		]);
	}
}

/** A mirror deletes and marks only contacts that it manages and the input lacks, few enough, and never all. */
function expectOnlyMissingHandled(played: Played) {
	const { drawn, input, before, after, touched, answers, missing, error, isManaged } = played;
	const { operation, mirror } = drawn;
	const untouched = [...before.values()].filter(({ external_id: id }) => !touched.has(id));
	const gone = untouched.filter(({ id }) => !after.has(id));
	const marked = untouched.filter(
		(one) => valuesOf(one).gone === null && valuesOf(after.get(one.id)).gone !== null,
	);
	const handled = [...gone, ...marked];
	seen.deleted += gone.length;
	seen.marked += marked.length;
	if (operation !== 'mirror' || mirror.onMissing !== 'delete') expect(gone).toEqual([]);
	if (operation !== 'mirror' || mirror.onMissing !== 'mark') expect(marked).toEqual([]);
	if (operation !== 'mirror') return;

	const inInput = new Set(input.map(({ id }) => fold(id)));
	for (const contact of handled) {
		const isMissing = !inInput.has(fold(contact.external_id));
		expect([contact, isManaged(contact), isMissing]).toEqual([contact, true, true]);
	}
	expect(handled.length).toBeLessThanOrEqual(mirror.maxMissing ?? Infinity);
	const managed = [...before.values()].filter(isManaged);
	if (touched.size === 0 && managed.length > 0) expect(handled.length).toBeLessThan(managed.length);
	if (touched.size === 0 && mirror.maxMissing === undefined) {
		expect(handled.length * 2).toBeLessThanOrEqual(managed.length);
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

/** The error of a failed item names a contact that it may have created. */
function expectCreatedNamed(played: Played, { id = '', seats }: Row, index: number) {
	const { drawn, input, seen: requests, before, after, touched, answers, error, isGreen } = played;
	const contact = [...after.values()].find(({ external_id }) => external_id === id);
	const isNew = contact !== undefined && !before.has(contact.id) && !touched.has(id);
	const isAnswered = input.some((row, other) => row.id === id && isGreen(other));
	if (!isNew || isAnswered || isPatched(requests, id) || seats === 'many') return;
	if (drawn.operation === 'update' || (error && input.length > 1)) return;
	const told = error ? (error as NodeApiError).description : answers[index].json.error;
	expect(told).toMatch(/Contacts? .+ may have been created\. Check before/);
	const [, named] = /.*Contacts? (\S.*?) may have been created/.exec(String(told))!;
	const isNamed = / …$|^the contacts of this request$/.test(named);
	expect([id, isNamed || named.split(', ').includes(id)]).toEqual([id, true]);
}

// A Dry Run says what the real run does, and a second run writes nothing.

const planned: Record<string, string> = {
	wouldCreate: 'created',
	wouldUpdate: 'updated',
	wouldMark: 'marked',
	wouldDelete: 'deleted',
};

/** What a run did with each record, by its External ID. */
function actionsOf(items: INodeExecutionData[]) {
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

async function expectPreviewed({ drawn, input, touched, answers, missing, error }: Played) {
	const { operation, others } = drawn;
	if (operation === 'create' || !isCalm(drawn) || others.length > 0 || touched.size > 0) return;
	furnish(testbed, drawn);
	const preview = await run(testbed, drawn, { dryRun: true });
	expect(writes()).toEqual([]);
	// A service may refuse what nobody can know before. Two items for one contact are shown one by one.
	const areTwice = new Set(input.map(({ id }) => id)).size < input.length;
	if (error || answers.some(hasFailed) || areTwice || operation === 'update') return;
	// A Dry Run takes emails for unique unless the list shows otherwise.
	const isRefused = preview.error !== undefined || preview.items.some(hasFailed);
	if (drawn.behaviour.emailUnique === false && isRefused) return;
	seen.previewed++;
	expect(actionsOf(succeeded(preview).items)).toEqual(actionsOf([...answers, ...missing]));
}

/** A second run without faults writes everything that is not refused, and a third one writes nothing. */
async function expectSettled({ drawn, input, isGreen }: Played) {
	const { operation, others } = drawn;
	const brings = operation === 'upsert' || operation === 'mirror';
	const { items, error } = await run(testbed, drawn, { goesOn: true });
	expect(error).toBeUndefined();
	const settled = items.slice(0, input.length);
	expect(settled.map(({ pairedItem }) => pairedItem)).toEqual(input.map((_, item) => ({ item })));
	expect(settled.flatMap(({ json }) => passingIn(json.error))).toEqual([]);
	const isOwn = others.length === 0;
	settled.forEach((item, index) => {
		const isWritten = !hasFailed(item) && syncOf(item).action !== 'skipped';
		if (isWritten) expectAsWanted(drawn, input[index], item.json);
		const { id } = input[index];
		if (!brings || !isOwn || id === undefined || !isGreen(index)) return;
		expect([id, item.json.error]).toEqual([id, undefined]);
	});

	const isMoving = operation === 'update' && input.some(({ newId }) => newId !== '');
	const areTwice = new Set(input.map(({ id }) => id)).size < input.length;
	const lasting = brings ? input.filter((_, index) => !hasFailed(settled[index])) : input;
	// A mirror of the others would count the refused ones as missing.
	const isWhole = lasting.length === input.length || operation !== 'mirror';
	if (isMoving || areTwice || !isWhole || lasting.length === 0) return;
	seen.settled++;
	const values = [...held().values()].map(valuesOf);
	testbed.service.clearRequests();
	await run(testbed, drawn, { input: lasting, goesOn: true });
	expect([...held().values()].map(valuesOf)).toEqual(values);
	if (brings) expect(writes()).toEqual([]);
}

/** Without the items that failed, the others do the same. (One that matches by email may get what a failed one claims.) */
async function expectSameWithoutFailed({ drawn, input, after, answers, error }: Played) {
	const { operation, matchBy, others } = drawn;
	if (!isCalm(drawn) || error || operation !== 'upsert' || matchBy !== 'externalId') return;
	const good = input.filter((_, index) => !hasFailed(answers[index]));
	if (good.length === input.length || good.length === 0 || others.length > 0) return;
	furnish(testbed, drawn);
	const { items } = succeeded(await run(testbed, drawn, { input: good }));
	expect(items.filter(hasFailed)).toEqual([]);
	expect(valuesById(held())).toEqual(valuesById(after));
}

const valuesById = (contacts: Map<string, Contact>) =>
	[...contacts.values()]
		.filter(({ external_id: id }) => !isOther(id))
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
			if (!played.error) input.forEach((row, index) => expectItemAnswered(played, row, index));
			for (const [id, contact] of played.after) expectPossibleValues(played, id, contact);
			expectOnlyMissingHandled(played);
			input.forEach((row, index) => expectCreatedNamed(played, row, index));
			await expectSettled(played);
			await expectPreviewed(played);
			await expectSameWithoutFailed(played);
		}),
		{
			...propertyRuns(sampled(100, 160)),
			examples: [certainlyMissing('mark'), certainlyMissing('delete')],
		},
	);
	process.stdout.write(`worlds of contacts: ${JSON.stringify(seen)}\n`);
	expect(Math.min(seen.succeeded, seen.marked, seen.deleted)).toBeGreaterThan(0);
	expectSeen(seen);
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
