import { sleep } from 'n8n-workflow';

import type { ApiClient } from '../../../api/client';
import { failureOf } from '../../../api/failure';
import type { ApiResponse } from '../../../api/response';
import { takenIn } from '../../../api/subjects';
import { Refusals } from '../../../sync/refusals';
import { addTo, chunk, forEachLimited, giveWay } from '../../../values/list';
import { normalizeEmail } from '../../../values/clean';
import { maxPageSize } from '../contactList';
import { droppedFrom } from '../plan/difference';
import type { Matches } from '../plan/matching';
import {
	type CreateStep,
	creationFor,
	type Step,
	stepFor,
	type StepRules,
	type UpdateStep,
} from '../plan/steps';
import { contactValuesOf, dataOf } from '../plan/values';
import type { MatchedWish, Wish } from '../plan/wantedContact';
import { createBatch, type Created, type NewContact } from './creations';
import {
	type ContactOutcome,
	type Done,
	type OutcomeReceiver,
	type Problem,
	refused,
} from './outcomes';
import { doneWithoutRequest, sendUpdate } from './updates';

/** What the writes to the contacts of a chatbot share. */
interface ContactWriteScope {
	readonly api: ApiClient;
	readonly chatbotId: string;
	readonly answers: OutcomeReceiver;
	/** Whether contacts are only created, and existing ones are never changed. */
	readonly isCreateOnly?: boolean;
	readonly rules?: StepRules;
}

/** A wish that the service refused with a 409, perhaps because another contact has its email. */
interface BlockedWish {
	readonly wish: Wish;
	readonly problem: Problem;
	/** Sends it once more. */
	sendAgain(): Promise<void>;
}

interface Writing extends ContactWriteScope {
	readonly updates: Refusals;
	readonly creations: Refusals;
	/** By the email that it wants. */
	readonly blocked: Map<string, BlockedWish[]>;
	/** Emails that an update has taken from its contact. */
	readonly givenUp: Set<string>;
}

/** Writes contacts, and settles each wish as soon as its result is known. */
export async function writeContacts(
	scope: ContactWriteScope,
	{ existing, fresh }: Matches,
): Promise<void> {
	const writing: Writing = {
		...scope,
		updates: new Refusals(),
		creations: new Refusals(),
		blocked: new Map(),
		givenUp: new Set(),
	};

	// Updates come first, because they give up emails that others need.
	await updateAll(writing, existing);
	await sendBlockedAgain(writing);

	await createAll(writing, fresh);
	await sendBlockedAgain(writing);
	refuseBlocked(writing);
}

/**
 * Sends each blocked wish once more if its email was given up, one after the other. An accepted one can give up an email that
 * the next one wants: a set also yields what is added to it meanwhile.
 */
async function sendBlockedAgain({ blocked, givenUp }: Writing): Promise<void> {
	for (const email of givenUp) {
		givenUp.delete(email);
		const waiting = blocked.get(email) ?? [];
		blocked.delete(email);
		for (const wish of waiting) await wish.sendAgain();
	}
}

function refuseBlocked({ answers, blocked }: Writing): void {
	for (const { wish, problem } of [...blocked.values()].flat()) {
		answers.refuse(wish, problem);
	}
}

/** A Dry Run: settles each wish as it would be, and sends nothing. */
export async function foretell(
	{ answers, rules }: ContactWriteScope,
	{ existing, fresh }: Matches,
): Promise<void> {
	for (const matched of existing) {
		answers.settle(matched.wish, withoutRequest(stepFor(matched, rules)));
		await giveWay();
	}
	for (const wish of fresh) {
		answers.settle(wish, foretoldCreation(creationFor(wish)));
		await giveWay();
	}
}

function foretoldCreation({ wish, sent }: CreateStep): ContactOutcome {
	const done = creationOf(wish, { sent, contact: dataOf(sent), action: 'wouldCreate' });
	return { written: 'no', done };
}

/** The outcome for a contact for which no request is needed, or none may be sent. */
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
	// Twice as many as are sent at once, so that the next ones are compared while those are being sent.
	const maximum = 2 * writing.api.maxConcurrency;
	await forEachLimited(existing, maximum, async (matched) => {
		await updateOne(writing, matched);
	});
}

async function updateOne(writing: Writing, matched: MatchedWish): Promise<void> {
	const { answers, updates, rules } = writing;
	try {
		const step = stepFor(matched, rules);
		if (step.kind === 'update') {
			await sendStep(writing, step);
			return;
		}

		answers.settle(step.wish, withoutRequest(step));
		await giveWay();
	} catch (error) {
		const { written, response } = failureOf(error);
		if (written === 'no') updates.refuse(response?.status);
		answers.settle(matched.wish, refused({ kind: 'error', error }, written));
	}
}

async function sendStep(writing: Writing, step: UpdateStep): Promise<void> {
	const { api, chatbotId, answers, updates } = writing;
	const { wish, contact, change } = step;
	const { notSent: reason } = updates;
	if (reason) {
		answers.refuse(wish, { kind: 'notSent', reason });
		return;
	}

	const result = await sendUpdate(api, {
		chatbotId,
		contactId: contact.id,
		existing: contact.record,
		wanted: wish,
		change,
	});
	if ('response' in result) settleRefused(writing, step, result);
	else settleUpdated(writing, step, result.done);
	// The next request leaves before more contacts are compared.
	await sleep(0);
}

function settleUpdated(
	{ answers, updates, givenUp }: Writing,
	{ wish, contact }: UpdateStep,
	done: Done,
): void {
	updates.accept();

	const before = normalizeEmail(contact.record.email);
	const after = normalizeEmail(done.contact.email);
	if (before !== undefined && before !== after) givenUp.add(before);
	answers.settle(wish, { written: 'yes', done });
}

function settleRefused(
	writing: Writing,
	step: UpdateStep,
	{ response, isGone }: { response: ApiResponse; isGone: boolean },
): void {
	const { answers, updates, blocked } = writing;
	const { wish, contact, change } = step;
	const { id } = contact;
	const problem: Problem = { kind: 'refused', id, response, isNew: false };

	const email = normalizeEmail(change.sent.get('email'));
	if (email !== undefined && mayNeedEmail(response)) {
		const sendAgain = async () => await updateOne(writing, { wish, contact });
		addTo(blocked, email, { wish, problem, sendAgain });
		return;
	}

	updates.refuse(response.status);
	answers.refuse(wish, isGone ? { kind: 'gone', id, response } : problem);
}

/** Whether a refused contact may be accepted once another one gives up its email. A 409 need not name its reason. */
function mayNeedEmail({ outcome, resource, body, version }: ApiResponse): boolean {
	if (outcome !== '409') return false;

	const isAboutEmail = version.isAbout(body, 'email');
	const taken = takenIn(resource, (topic) => version.isAbout(body, topic));
	return isAboutEmail || taken === undefined;
}

async function createAll(writing: Writing, wishes: readonly Wish[]): Promise<void> {
	const contacts = wishes.map((wish): NewContact => {
		const { sent } = creationFor(wish);
		return { wish, id: String(sent.get('external_id')), sent };
	});

	await forEachLimited(
		chunk(contacts, maxPageSize),
		writing.api.maxConcurrency,
		async (batch) => await createTogether(writing, batch),
	);
}

async function createTogether(
	writing: Writing,
	contacts: readonly NewContact[],
): Promise<void> {
	const { api, chatbotId, creations: refusals } = writing;
	for await (const created of createBatch({ api, chatbotId, refusals }, contacts)) {
		await settleCreated(writing, created);
	}
}

async function settleCreated(
	writing: Writing,
	[fresh, creation]: Created,
): Promise<void> {
	const { answers, blocked, isCreateOnly } = writing;
	const { wish, id, sent } = fresh;
	switch (creation.kind) {
		case 'created': {
			const { contact } = creation;
			const done = creationOf(wish, { sent, contact, action: 'created' });
			answers.settle(wish, { written: 'yes', done });
			return;
		}

		case 'exists': {
			const [contact, ...others] = creation.contacts;
			const candidates = creation.contacts.map(({ record }) => record);
			if (others.length > 0) {
				answers.refuse(wish, { kind: 'unclear', reason: 'idIsShared', candidates });
			} else if (isCreateOnly) {
				answers.refuse(wish, { kind: 'exists', id });
			} else {
				// Somebody else has created it since the list was read.
				await updateOne(writing, { wish, contact });
			}
			return;
		}

		case 'refused': {
			const { response } = creation;
			const problem: Problem = { kind: 'refused', id, response, isNew: true };
			const email = normalizeEmail(sent.get('email'));
			// A run that only creates changes no contact, so no email becomes free.
			if (!isCreateOnly && email !== undefined && mayNeedEmail(response)) {
				const sendAgain = async () => await createTogether(writing, [fresh]);
				addTo(blocked, email, { wish, problem, sendAgain });
			} else {
				answers.refuse(wish, problem);
			}
			return;
		}

		case 'notSent':
			answers.refuse(wish, creation);
			return;

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
