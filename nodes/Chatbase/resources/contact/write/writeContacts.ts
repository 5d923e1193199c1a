import { sleep } from 'n8n-workflow';

import type { ApiClient } from '../../../api/client';
import { failureOf } from '../../../api/failure';
import type { ApiResponse } from '../../../api/response';
import { writeEach } from '../../../sync/refusalStreak';
import { append, chunk, forEachLimited, giveWay } from '../../../values/list';
import { normalizeEmail } from '../../../values/clean';
import { maxPageSize } from '../contactList';
import type { Contact, StoredContact } from '../plan/contactRecord';
import { droppedFrom } from '../plan/difference';
import { findRefusedEmails } from '../plan/keptEmails';
import { KnownContacts } from '../plan/knownContacts';
import {
	type Matches,
	matchWishes,
	nothingReserved,
	type ReservedKeys,
} from '../plan/matching';
import {
	type CreateStep,
	creationFor,
	type Step,
	stepFor,
	type UpdateStep,
} from '../plan/steps';
import { contactValuesOf, dataOf } from '../plan/values';
import type { MatchedWish, Wish } from '../plan/wantedContact';
import { createBatch, type Created, type NewContact } from './creations';
import {
	type ContactOutcome,
	type Done,
	type OutcomeReceiver,
	refused,
} from './outcomes';
import {
	commonRefusal,
	type ContactStreak,
	contactStreak,
	mayNeedEmail,
	Rounds,
} from './refusals';
import { doneWithoutRequest, sendUpdate } from './updates';

/** What the writes to the contacts of a chatbot share. */
interface ContactWriteScope {
	readonly api: ApiClient;
	readonly chatbotId: string;
	readonly answers: OutcomeReceiver;
	/** The contacts that were looked up. If undefined, contacts are only created, and existing ones are never changed. */
	readonly known?: KnownContacts;
	readonly reserved?: ReservedKeys;
	/** Whether a contact is never written. */
	isSkipped?(contact: StoredContact): boolean;
}

interface Writing extends ContactWriteScope {
	readonly known: KnownContacts;
	readonly reserved: ReservedKeys;
	readonly isCreateOnly: boolean;
	readonly rounds: Rounds;
	readonly streak: ContactStreak;
}

/**
 * Writes contacts, and settles each wish as soon as its result is known.
 *
 * @returns the contacts that wishes have matched anew, after their own contact was gone or existed by then
 */
export async function writeContacts(
	scope: ContactWriteScope,
	matches: Matches,
): Promise<readonly Contact[]> {
	const rounds = new Rounds();
	const writing = {
		known: new KnownContacts(),
		reserved: nothingReserved,
		...scope,
		isCreateOnly: scope.known === undefined,
		rounds,
		streak: contactStreak(),
	};
	let { existing } = matches;
	let fresh = [...matches.fresh];
	const matchedAnew: Contact[] = [];

	const matchNext = () => {
		const next = matchWishes(rounds.takeNext(), writing.known, writing.reserved);
		settleUnmatched(scope.answers, next);
		existing = next.existing;
		fresh.push(...next.fresh);
		append(matchedAnew, next.matched);
	};

	while (existing.length + fresh.length > 0) {
		// Updates come first, because they give up emails that others need.
		if (existing.length > 0) {
			await updateAll(writing, existing);
		} else {
			const created = fresh;
			fresh = [];
			await createAll(writing, created);
		}
		matchNext();
	}

	for (const { wish, id, response } of rounds.rest) {
		scope.answers.refuse(wish, { kind: 'refused', id, response });
	}
	return matchedAnew;
}

/** Settles wishes for which the contact is unclear, or that can't be fulfilled. */
export function settleUnmatched(answers: OutcomeReceiver, matches: Matches): void {
	answers.refuseAll(matches.contradictions);
	for (const { wish, error } of matches.unread)
		answers.refuse(wish, { kind: 'error', error });
	for (const { wish, fields } of matches.dropped) {
		answers.refuse(wish, { kind: 'dropped', fields });
	}
	for (const { wish, reason, candidates } of matches.unclear) {
		answers.refuse(wish, { kind: 'unclear', reason, candidates });
	}
}

/** A Dry Run: settles each wish as it would be, and sends nothing. */
export async function foretell(
	{ answers, known = new KnownContacts(), isSkipped }: ContactWriteScope,
	{ existing, fresh }: Matches,
): Promise<void> {
	const steps: Step[] = [];
	for (const matched of existing) {
		steps.push(stepFor(matched, isSkipped));
		await giveWay();
	}
	steps.push(...fresh.map((wish) => creationFor(wish)));

	const holders = findRefusedEmails(steps, known);
	for (const step of steps) {
		const holder = holders.get(step.wish);
		if (holder) answers.refuse(step.wish, { kind: 'emailKept', holder });
		else answers.settle(step.wish, foretold(step));
		await giveWay();
	}
}

function foretold(step: Step): ContactOutcome {
	if (step.kind === 'create') {
		const { wish, sent } = step;
		const contact = dataOf(sent);
		const done = creationOf(wish, { sent, contact, action: 'wouldCreate' });
		return { written: 'no', done };
	}
	return withoutRequest(step);
}

/** The outcome for a contact for which no request is needed. */
function withoutRequest(step: Exclude<Step, CreateStep>): ContactOutcome {
	const { wish, contact } = step;
	if (step.kind !== 'skipped')
		return doneWithoutRequest(contact.record, wish, step.change);
	return { written: 'no', done: { contact: contact.record, action: 'skipped' } };
}

async function updateAll(
	writing: Writing,
	existing: readonly MatchedWish[],
): Promise<void> {
	await writeEach(existing, {
		// Twice as many as are sent at once, so that the next ones are compared while those are being sent.
		maximum: 2 * writing.api.maxConcurrency,
		streak: writing.streak,
		write: async (matched) => await updateOne(writing, matched),
	});
}

/** @returns whether a request was sent */
async function updateOne(writing: Writing, matched: MatchedWish): Promise<boolean> {
	const { answers, isSkipped } = writing;
	try {
		const step = stepFor(matched, isSkipped);
		if (step.kind === 'update') return await sendStep(writing, step);

		answers.settle(step.wish, withoutRequest(step));
		await giveWay();
		return false;
	} catch (error) {
		const { written } = failureOf(error);
		answers.settle(matched.wish, refused({ kind: 'error', error }, written));
		return true;
	}
}

/** @returns whether a request was sent */
async function sendStep(writing: Writing, step: UpdateStep): Promise<boolean> {
	const { api, chatbotId, rounds, streak } = writing;
	const { wish, contact, change } = step;
	const email = normalizeEmail(change.sent.get('email'));
	const refusal = rounds.refusalFor(email) ?? commonRefusal(streak, change.sent);
	if (refusal) {
		settleRefused(writing, step, refusal);
		return false;
	}

	const result = await sendUpdate(api, {
		chatbotId,
		contactId: contact.id,
		existing: contact.record,
		wanted: wish,
		change,
	});
	if ('response' in result) {
		const settle = result.isGone ? settleGone : settleRefused;
		settle(writing, step, result.response);
		return true;
	}

	settleUpdated(writing, step, result.done);
	// The next request leaves before more contacts are compared.
	await sleep(0);
	return true;
}

function settleUpdated(
	writing: Writing,
	{ wish, contact }: UpdateStep,
	done: Done,
): void {
	const { answers, rounds, streak } = writing;
	streak.end();

	const before = normalizeEmail(contact.record.email);
	const after = normalizeEmail(done.contact.email);
	if (before !== undefined && before !== after) rounds.free(before);
	answers.settle(wish, { written: 'yes', done });
}

/** A wish with an ID can become a new contact. */
function settleGone(
	{ answers, known, rounds }: Writing,
	{ wish, contact }: UpdateStep,
	response: ApiResponse,
): void {
	known.forget(contact);
	const isNewOne = wish.values.has('external_id') && rounds.matchAnew(wish);
	if (!isNewOne) answers.refuse(wish, { kind: 'refused', id: contact.id, response });
}

function settleRefused(
	{ answers, rounds, streak }: Writing,
	{ wish, contact, change }: UpdateStep,
	response: ApiResponse,
): void {
	const { id } = contact;
	const email = normalizeEmail(change.sent.get('email'));
	if (email !== undefined && mayNeedEmail(response)) {
		rounds.waitFor(email, { wish, id, response });
		return;
	}

	streak.add(response);
	answers.refuse(wish, { kind: 'refused', id, response });
}

async function createAll(writing: Writing, wishes: readonly Wish[]): Promise<void> {
	const contacts = wishes.map((wish): NewContact => {
		const { sent } = creationFor(wish, writing.isCreateOnly);
		return { wish, id: String(sent.get('external_id')), sent };
	});

	await forEachLimited(
		chunk(contacts, maxPageSize),
		writing.api.maxConcurrency,
		async (batch) => {
			for await (const created of createBatch(writing, batch)) {
				settleCreated(writing, created);
			}
		},
	);
}

function settleCreated(writing: Writing, [{ wish, id, sent }, creation]: Created): void {
	const { answers, known, rounds, isCreateOnly } = writing;
	switch (creation.kind) {
		case 'created': {
			const { contact } = creation;
			const done = creationOf(wish, { sent, contact, action: 'created' });
			answers.settle(wish, { written: 'yes', done });
			return;
		}

		case 'exists': {
			const { contacts } = creation;
			const candidates = contacts.map(({ record }) => record);
			if (contacts.length > 1) {
				answers.refuse(wish, { kind: 'unclear', reason: 'idIsShared', candidates });
			} else if (isCreateOnly || !rounds.matchAnew(wish)) {
				answers.refuse(wish, { kind: 'exists', id });
			} else {
				known.add(contacts[0].record);
			}
			return;
		}

		case 'refused': {
			const { response } = creation;
			const email = normalizeEmail(sent.get('email'));
			// A run that only creates changes no contact, so no email becomes free.
			if (!isCreateOnly && email !== undefined && mayNeedEmail(response)) {
				rounds.waitFor(email, { wish, id, response });
			} else {
				answers.refuse(wish, { kind: 'refused', id, response });
			}
			return;
		}

		case 'failed': {
			const { error, mayExist } = creation;
			const written = mayExist ? 'unknown' : 'no';
			answers.settle(wish, refused({ kind: 'notCreated', id, error }, written));
		}
	}
}

interface Creating extends Pick<NewContact, 'sent'>, Pick<Done, 'contact'> {
	readonly action: 'created' | 'wouldCreate';
}

function creationOf(
	{ notSent, attributes }: Wish,
	{ sent, contact, action }: Creating,
): Done {
	const held = contactValuesOf(contact);
	const dropped = droppedFrom(held, { sent, notSent, attributes });
	return { contact, action, changed: [...sent.keys()], dropped };
}
