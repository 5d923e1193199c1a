import { type IDataObject, sleep } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { forEachLimited } from '../../api/limits';
import type { ApiResponse } from '../../api/response';
import type { Sync, SyncAction } from '../../sync/summary';
import { giveWay } from '../../values/giveWay';
import { groupBy } from '../../values/groupBy';
import { createInBatches, idOf, mayExist } from './batch';
import { allowedRecord, writeChange } from './change';
import type { Contact } from './contact';
import { ContactMissing, ContactRefused, externalIdOf, failureOf, normalizeEmail } from './contact';
import { droppedFrom, isAsSent, newContact, valuesIn } from './difference';
import { type ContactTask, matchError } from './plan';
import { RefusalStreak, refusedError } from './refusal';

export class ContactWriter {
	readonly writtenIds = new Set<Contact['id']>();

	readonly isLookedUp: boolean = true;

	private streak = new RefusalStreak();

	/** Tasks by wanted email, to name those that compete for one. */
	private byEmail = new Map<string, ContactTask[]>();

	private exchanges: ReadonlySet<ContactTask> = new Set();

	/**
	 * @param isSkipped whether a contact is not written, checked after each read
	 * @param isMissing whether a contact is marked or deleted after the items
	 */
	constructor(
		readonly api: ApiClient,
		readonly chatbotId: string,
		private readonly isSkipped: (contact: Contact) => boolean = () => false,
		private readonly isMissing?: (contact: Contact) => boolean,
	) {}

	async write(tasks: ContactTask[]): Promise<void> {
		this.byEmail = groupBy(tasks.filter(wantedEmail), (task) => wantedEmail(task)!);
		const gone = await this.update(tasks.filter(({ existing }) => existing));
		const missing = [...tasks.filter(({ existing }) => !existing), ...gone];
		const [dry, open] = [true, false].map((dryRun) =>
			missing.filter(({ settings }) => settings.dryRun === dryRun),
		);
		dry.forEach((task) => this.created(task, this.bodyOf(task), 'wouldCreate'));
		await createInBatches(this, open);
	}

	/** @returns tasks whose contact was deleted meanwhile, and can be created again */
	private async update(tasks: ContactTask[]): Promise<ContactTask[]> {
		const isWritten = ({ existing }: ContactTask) => !this.isSkipped(existing!);
		const { rounds, exchanges } = inEmailOrder(tasks, isWritten);
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
				this.failed(task, failureOf(this.api, result.response, contactId));
			} else if (result instanceof ContactRefused) {
				this.streak.add(result.response);
				await this.refused(task, result.response);
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
			this.failed(task, error);
		}
		return 'sent';
	}

	bodyOf({ wanted }: ContactTask): IDataObject {
		return newContact(wanted);
	}

	created(task: ContactTask, contact: Contact, action: SyncAction = 'created') {
		if (this.isTaken(task, contact)) return;
		const data = this.bodyOf(task);
		const dropped = droppedFrom(data, task.wanted, contact);
		this.succeed(task, contact, { action, changed: [...valuesIn(data).keys()], dropped });
	}

	async exists(task: ContactTask, contacts: Contact[], mayBeOurs: boolean) {
		const [contact, ...others] = contacts;
		if (others.length > 0) {
			const match = { reason: 'idIsShared', candidates: contacts } as const;
			this.failed(task, matchError(task.items[0].item, match));
		} else if (mayBeOurs && isAsSent(this.bodyOf(task), contact)) {
			this.created(task, contact);
		} else if (!this.isTaken(task, contact)) {
			await this.foundExisting({ ...task, existing: contact, readAt: performance.now() });
		}
	}

	/** Fails a task if another one has written its contact, since the service may ignore the case of IDs. */
	private isTaken(task: ContactTask, contact: Contact): boolean {
		const isTaken = contact.id !== undefined && this.writtenIds.has(contact.id);
		const nextStep = `The service ignores the case of IDs: "${idOf(task)}" is contact "${externalIdOf(contact)}", which another item has written. Keep one of the two items.`;
		const title = 'Two items have one External ID for the service';
		if (isTaken) this.failed(task, task.items[0].item.error(title, nextStep));
		return isTaken;
	}

	protected async foundExisting(task: ContactTask) {
		if ((await this.updateOne(task)) !== 'gone') return;
		const nextStep = 'It was deleted during the run. Run the node again to create it.';
		this.failed(task, task.items[0].item.error('Contact not found', nextStep));
	}

	failed({ items }: ContactTask, error: unknown) {
		items.forEach(({ fail }) => fail(error));
	}

	/** Sets the record as the result of all items of a task, or fails them if dropped fields are not allowed. */
	protected succeed(task: ContactTask, contact: Contact, sync: Sync) {
		this.writtenIds.add(contact.id);
		for (const { item, succeed, fail } of task.items) {
			try {
				succeed([allowedRecord(item, { contact, sync }, task.settings)]);
			} catch (error) {
				fail(error);
			}
		}
	}

	async refused(task: ContactTask, response: ApiResponse, isUnclear = false) {
		const { wanted, settings, existing } = task;
		const error = await refusedError(this.api, response, {
			chatbotId: this.chatbotId,
			contactId: existing ? externalIdOf(existing)! : idOf(task),
			email: wanted.values.get('email'),
			rivals: this.byEmail.get(wantedEmail(task) ?? ''),
			isExchange: this.exchanges.has(task),
			// Without a lookup, there is no Match Contacts By.
			canMatchByEmail: this.isLookedUp && settings.matchBy === 'externalId',
			isMissing: this.isMissing,
		});
		this.failed(task, isUnclear ? mayExist(error, [task]) : error);
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
 * contacts come last, together: they succeed only if the service allows shared emails.
 *
 * @param isWritten whether a contact may be changed; others keep their email
 * @returns `exchanges` has the contacts of the circles
 */
function inEmailOrder(tasks: ContactTask[], isWritten: (task: ContactTask) => boolean) {
	const changing = tasks.filter((task) => changesEmail(task) && isWritten(task));
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
