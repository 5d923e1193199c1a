import { sleep } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { withSentence } from '../../api/errors';
import { forEachLimited } from '../../api/concurrency';
import type { ApiResponse } from '../../api/response';
import { noteSync, type Sync, type SyncAction } from '../../sync/summary';
import { firstOf, giveWay, groupBy } from '../../values/list';
import { addMayExist, createInBatches, idOf, RefusalStreak } from './batch';
import { allowedRecord, writeChange } from './change';
import type { Contact } from './contact';
import { ContactMissing, ContactRefused, externalIdOf, failureOf, normalizeEmail } from './contact';
import { dataOf, droppedFrom, isAsSent, newContact, type Values } from './difference';
import { findContacts, type KnownContacts } from './list';
import { type ContactTask, failTask, matchError } from './plan';

export class ContactWriter {
	readonly writtenIds = new Set<Contact['id']>();

	readonly isLookedUp: boolean;

	private streak = new RefusalStreak();

	private tasks: ContactTask[] = [];

	/** Tasks by wanted email, to name those that compete for one. */
	private byEmail?: Map<string, ContactTask[]>;

	private exchanges: ReadonlySet<ContactTask> = new Set();

	/**
	 * @param known what was looked up; if nothing was, existing contacts are not changed
	 * @param isSkipped whether a contact is not written, checked after each read
	 * @param isMissing whether a contact is marked or deleted after the items
	 */
	constructor(
		readonly api: ApiClient,
		readonly chatbotId: string,
		private known?: KnownContacts,
		private readonly isSkipped: (contact: Contact) => boolean = () => false,
		private readonly isMissing?: (contact: Contact) => boolean,
	) {
		this.isLookedUp = known !== undefined;
	}

	async write(tasks: ContactTask[]): Promise<void> {
		this.tasks = tasks;
		const gone = await this.update(tasks.filter(({ existing }) => existing));
		const missing = [...tasks.filter(({ existing }) => !existing), ...gone];
		if (missing.length === 0) return;
		if (!missing[0].settings.dryRun) await createInBatches(this, missing);
		else missing.forEach((task) => this.created(task, dataOf(this.sentFor(task)), 'wouldCreate'));
	}

	/** @returns tasks whose contact was deleted meanwhile, and can be created again */
	private async update(tasks: ContactTask[]): Promise<ContactTask[]> {
		const isWritten = ({ existing }: ContactTask) => !this.isSkipped(existing!);
		const { rounds, exchanges } = await inEmailOrder(tasks, isWritten);
		this.exchanges = exchanges;
		const gone: ContactTask[] = [];
		const started = new Set<ContactTask>();
		/** Returns whether it sent a request. */
		const start = async (task: ContactTask) => {
			if (started.has(task)) return false;
			started.add(task);
			const result = await this.updateOne(task);
			if (result === 'gone') gone.push(task);
			return result !== 'unchanged';
		};
		for (const round of rounds) {
			// The round before has freed the emails of this one.
			if (this.streak.isAboutEmail) this.streak = new RefusalStreak();
			let end = round.length;
			const tryAnother = async () => {
				while (end > 0 && !(await start(round[--end])));
			};
			// Twice as many as are sent at once, so that the next ones are compared while those are being sent.
			await forEachLimited(round, 2 * this.api.maxConcurrency, async (task) => {
				await start(task);
				await this.streak.confirm(tryAnother);
			});
		}
		return gone;
	}

	/** @returns `gone` if the contact was deleted and can be created again, `unchanged` if it needed no request */
	private async updateOne(task: ContactTask): Promise<'gone' | 'sent' | 'unchanged'> {
		const { existing, wanted } = task;
		const contactId = externalIdOf(existing!)!;
		try {
			const result = await writeChange(this.api, task, contactId, {
				isSkipped: this.isSkipped,
				refusalOf: (email) => this.streak.refusalOf(email),
			});
			if (result instanceof ContactMissing) {
				if (wanted.values.has('external_id')) return 'gone';
				failTask(task, () => failureOf(this.api, result.response, contactId));
			} else if (result instanceof ContactRefused) {
				this.streak.add(result.response);
				this.refused(task, result.response);
			} else {
				this.succeed(task, result.contact, result.sync);
				if (result.sync.action !== 'updated') {
					await giveWay();
					return 'unchanged';
				}
				this.streak.end();
				// The next request leaves before more contacts are compared.
				await sleep(0);
			}
		} catch (error) {
			failTask(task, () => error);
		}
		return 'sent';
	}

	/** Keeps the list, if it was read for this. */
	async find(tasks: ContactTask[]): Promise<KnownContacts> {
		const known = await findContacts(this.api, this.chatbotId, new Set(tasks.map(idOf)));
		if (known.isWhole) this.known = known;
		return known;
	}

	sentFor({ wanted }: ContactTask): Values {
		return this.isLookedUp ? newContact(wanted) : wanted.values;
	}

	created(task: ContactTask, contact: Contact, action: SyncAction = 'created') {
		if (this.isTaken(task, contact)) return;
		const sent = this.sentFor(task);
		const dropped = droppedFrom(contact, task.wanted, sent);
		this.succeed(task, contact, { action, changed: [...sent.keys()], dropped });
	}

	async exists(task: ContactTask, contacts: Contact[], mayBeOurs: boolean) {
		const [contact, ...others] = contacts;
		if (others.length > 0) {
			const match = { reason: 'idIsShared', candidates: contacts } as const;
			failTask(task, (item) => matchError(item, match));
		} else if (mayBeOurs && isAsSent(this.sentFor(task), contact)) {
			this.created(task, contact);
		} else if (this.isTaken(task, contact)) {
			return;
		} else if (!this.isLookedUp) {
			const nextStep = `External ID: ${externalIdOf(contact)}. Use Create or Update to change existing contacts.`;
			failTask(task, (item) => item.error('A contact with this External ID exists', nextStep));
		} else if ((await this.updateOne({ ...task, existing: contact })) === 'gone') {
			const nextStep = 'It was deleted during the run. Run the node again to create it.';
			failTask(task, (item) => item.error('Contact not found', nextStep));
		}
	}

	/** Fails a task if another one has written its contact, since the service may ignore the case of IDs. */
	private isTaken(task: ContactTask, contact: Contact): boolean {
		const isTaken = contact.id !== undefined && this.writtenIds.has(contact.id);
		const nextStep = `The service ignores the case of IDs: "${idOf(task)}" is contact "${externalIdOf(contact)}", which another item has written. Keep one of the two items.`;
		const title = 'Two items have one External ID for the service';
		if (isTaken) failTask(task, (item) => item.error(title, nextStep));
		return isTaken;
	}

	private succeed(task: ContactTask, contact: Contact, sync: Sync) {
		this.writtenIds.add(contact.id);
		for (const { item, succeed, fail } of task.items) {
			try {
				const record = this.isLookedUp
					? allowedRecord(item, { contact, sync }, task.settings)
					: noteSync({ ...contact }, sync);
				succeed([record]);
			} catch (error) {
				fail(error);
			}
		}
	}

	refused(task: ContactTask, response: ApiResponse, isUnclear = false) {
		const { outcome, body, version } = response;
		const id = task.existing ? externalIdOf(task.existing)! : idOf(task);
		const error = failureOf(this.api, response, id);
		if (outcome === '409' && wantedEmail(task) && !version.isAbout(body, 'externalId')) {
			withSentence(error, this.adviceOnEmail(task, id));
		}
		if (isUnclear) addMayExist(error, [task]);
		failTask(task, () => error);
	}

	/** What to do about a taken email. Names the contact that has it, if the list was read. */
	private adviceOnEmail(task: ContactTask, contactId: string): string {
		const email = wantedEmail(task)!;
		const holders = this.known?.isWhole ? this.known.withEmail(email) : [];
		const holder = holders.find((other) => externalIdOf(other) !== contactId);
		const holderId = holder && externalIdOf(holder);
		const name =
			holderId === undefined ? 'A contact without an External ID' : `Contact ${holderId}`;
		this.byEmail ??= groupBy(this.tasks.filter(wantedEmail), (each) => wantedEmail(each)!);
		const rivals = this.byEmail.get(email) ?? [];
		const rivalNames = firstOf(
			rivals,
			({ items: [{ item }] }) => `${item.identity.id ?? email} (item ${item.index})`,
		);
		const isExchange = this.exchanges.has(task);
		// Without a lookup, there is no Match Contacts By.
		const canMatchByEmail = this.isLookedUp && task.settings.matchBy === 'externalId';
		const sentences = [
			holder && `${name} had it when the list was read.`,
			holder &&
				this.isMissing?.(holder) &&
				'It is missing from the input, and is marked or deleted only after all items are written. Delete it first, or change the Email of this item.',
			isExchange &&
				'Contacts of this run exchange their emails, which the service does not allow. Give one of them a temporary Email first.',
			rivals.length > 1 &&
				`Items of this run have the same Email: ${rivalNames}. Give each another Email.`,
			rivals.length <= 1 &&
				canMatchByEmail &&
				!isExchange &&
				'If both are the same customer, set Match Contacts By to External ID or Email. The contact then gets the new External ID.',
		];
		return sentences.filter(Boolean).join(' ');
	}
}

function wantedEmail({ wanted }: ContactTask): string | undefined {
	return normalizeEmail(wanted.values.get('email'));
}

function currentEmail({ existing }: ContactTask): string | undefined {
	return normalizeEmail(existing?.email);
}

function changesEmail(task: ContactTask): boolean {
	const { wanted, settings } = task;
	const isKept = currentEmail(task) !== undefined && settings.onlyIfEmpty.includes('email');
	return wanted.values.has('email') && wantedEmail(task) !== currentEmail(task) && !isKept;
}

/**
 * Puts updates in rounds: a contact that takes an email comes after the one that gives it up. Those that need a circle of
 * contacts (`exchanges`) come last, together: they succeed only if the service allows shared emails.
 */
async function inEmailOrder(tasks: ContactTask[], isWritten: (task: ContactTask) => boolean) {
	const changing: ContactTask[] = [];
	for (const task of tasks) {
		await giveWay();
		if (changesEmail(task) && isWritten(task)) changing.push(task);
	}
	const giving = changing.filter((task) => currentEmail(task) !== undefined);
	const givers = new Map(giving.map((task) => [currentEmail(task), task]));
	const rounds = new Map<ContactTask, number>();
	const exchanges = new Set<ContactTask>();
	for (const start of changing) {
		const path: ContactTask[] = [];
		let task: ContactTask | undefined = start;
		while (task && !rounds.has(task)) {
			path.push(task);
			rounds.set(task, Infinity);
			task = givers.get(wantedEmail(task));
		}
		const circle = task ? path.indexOf(task) : -1;
		if (circle >= 0) path.slice(circle).forEach((member) => exchanges.add(member));
		let round = task ? rounds.get(task)! : -1;
		for (const waiting of path.reverse()) rounds.set(waiting, ++round);
	}
	const byRound = groupBy(tasks, (task) => String(rounds.get(task) ?? 0));
	const inOrder = [...byRound].sort(([one], [other]) => Number(one) - Number(other));
	return { rounds: inOrder.map(([, round]) => round), exchanges };
}
