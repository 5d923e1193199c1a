import { type IDataObject, sleep } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { forEachLimited } from '../../api/limits';
import type { ApiResponse } from '../../api/response';
import type { Sync, SyncAction } from '../../sync/summary';
import { giveWay } from '../../values/giveWay';
import { groupBy } from '../../values/groupBy';
import { createInBatches, idOf } from './batch';
import { allowedRecord, writeChange } from './change';
import type { Contact } from './contact';
import {
	ContactMissing,
	ContactRefused,
	externalIdOf,
	failureOf,
	lowerCase,
	normalizeEmail,
	readContact,
} from './contact';
import { droppedFrom, isAsSent, namesIn, newContact } from './difference';
import { matchError } from './match';
import type { ContactTask } from './plan';
import { type MissingContacts, RefusalStreak, refusedError } from './refusal';

export class ContactWriter {
	missing?: MissingContacts;

	readonly writtenIds = new Set<Contact['id']>();

	readonly isLookedUp: boolean = true;

	private streak = new RefusalStreak();

	/** Tasks by wanted email, to name those that compete for one. */
	private byEmail = new Map<string, ContactTask[]>();

	private exchanges: ReadonlySet<ContactTask> = new Set();

	/** @param isSkipped whether a contact is not written, checked after each read */
	constructor(
		readonly api: ApiClient,
		readonly chatbotId: string,
		private readonly isSkipped: (contact: Contact) => boolean = () => false,
	) {}

	async write(tasks: ContactTask[]): Promise<void> {
		this.byEmail = groupBy(tasks.filter(wantedEmail), (task) => wantedEmail(task)!);
		const gone = await this.update(tasks.filter(({ existing }) => existing));
		const missing = [...tasks.filter(({ existing }) => !existing), ...gone];
		for (const task of missing.filter(({ settings }) => settings.dryRun)) {
			this.created(task, this.bodyOf(task), 'wouldCreate');
		}
		const open = missing.filter(({ settings }) => !settings.dryRun);
		const spellings = [...groupBy(open, (task) => lowerCase(idOf(task))).values()];
		await createInBatches(
			this,
			spellings.map(([first]) => first),
		);
		const others = spellings.flatMap(([, ...rest]) => rest);
		if (others.length > 0) await this.createSpellings(others);
	}

	/** Creates contacts whose IDs differ from those of other items only in case, which the service may ignore. */
	private async createSpellings(tasks: ContactTask[]) {
		const missing: ContactTask[] = [];
		await forEachLimited(tasks, this.api.maxConcurrency, async (task) => {
			try {
				const id = idOf(task);
				const contact = await readContact(this.api, this.chatbotId, id);
				if (contact instanceof ContactMissing) missing.push(task);
				else throw spellingError(task, id, externalIdOf(contact)!);
			} catch (error) {
				this.failed(task, error);
			}
		});
		await createInBatches(this, missing);
	}

	/** @returns tasks whose contact was deleted meanwhile, and can be created again */
	private async update(tasks: ContactTask[]): Promise<ContactTask[]> {
		const isWritten = ({ existing }: ContactTask) => !this.isSkipped(existing!);
		const { rounds, exchanges } = inEmailOrder(tasks, isWritten);
		this.exchanges = exchanges;
		const gone: ContactTask[] = [];
		const started = new Set<ContactTask>();
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
				refusalOf: (data) => this.streak.refusalOf(data),
			});
			if (result instanceof ContactMissing) {
				if (wanted.fields.has('external_id')) return 'gone';
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
		const data = this.bodyOf(task);
		const dropped = droppedFrom(data, task.wanted, contact);
		this.succeed(task, contact, { action, changed: namesIn(data), dropped });
	}

	async exists(task: ContactTask, contacts: Contact[], mayBeOurs: boolean) {
		const [contact, ...others] = contacts;
		if (others.length > 0) {
			const match = { reason: 'idIsShared', candidates: contacts } as const;
			this.failed(task, matchError(task.items[0].item, match));
			return;
		}
		if (mayBeOurs && isAsSent(this.bodyOf(task), contact)) this.created(task, contact);
		else await this.foundExisting({ ...task, existing: contact, readAt: performance.now() });
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

	async refused(task: ContactTask, response: ApiResponse) {
		const { wanted, settings, existing } = task;
		const error = await refusedError(this.api, response, {
			chatbotId: this.chatbotId,
			contactId: existing ? externalIdOf(existing)! : String(wanted.fields.get('external_id')),
			email: wanted.fields.get('email'),
			rivals: this.byEmail.get(wantedEmail(task) ?? ''),
			isExchange: this.exchanges.has(task),
			// Without a lookup, there is no Match Contacts By.
			canMatchByEmail: this.isLookedUp && settings.matchBy === 'externalId',
			missing: this.missing,
		});
		this.failed(task, error);
	}
}

function spellingError({ items: [{ item }] }: ContactTask, id: string, other: string) {
	return item.error(
		'Two items have one External ID for the service',
		`The service ignores the case of IDs: "${id}" is contact "${other}", which another item has written. Keep one of the two items.`,
	);
}

function wantedEmail({ wanted }: ContactTask): string | undefined {
	return normalizeEmail(wanted.fields.get('email'));
}

function currentEmail({ existing }: ContactTask): string | undefined {
	return normalizeEmail(existing?.email);
}

function changesEmail(task: ContactTask): boolean {
	const { wanted, settings } = task;
	const isKept = currentEmail(task) !== undefined && settings.onlyIfEmpty.includes('email');
	return wanted.fields.has('email') && wantedEmail(task) !== currentEmail(task) && !isKept;
}

/**
 * Puts updates in rounds: a contact that takes an email of the run comes after the one that gives it up. The last round
 * waits in circles, which works only if the service allows shared emails.
 *
 * @param isWritten whether a contact may be changed; others keep their email
 * @returns `exchanges` has the contacts of the circles, without those that only wait for one of them
 */
function inEmailOrder(tasks: ContactTask[], isWritten: (task: ContactTask) => boolean) {
	const changing = tasks.filter((task) => changesEmail(task) && isWritten(task));
	const giving = changing.filter((task) => currentEmail(task) !== undefined);
	const givers = groupBy(giving, (task) => currentEmail(task)!);
	const mustWait = (task: ContactTask) => givers.has(wantedEmail(task) ?? '');
	const waiting = groupBy(changing.filter(mustWait), (task) => wantedEmail(task)!);
	const late = new Set([...waiting.values()].flat());
	const rounds: ContactTask[][] = [];
	let round = tasks.filter((task) => !late.has(task));
	while (round.length > 0) {
		rounds.push(round);
		round = round.flatMap((task) => {
			const email = changesEmail(task) ? (currentEmail(task) ?? '') : '';
			// A service that allows shared emails may have several contacts that give it up.
			if (givers.get(email)?.pop() === undefined || givers.get(email)!.length > 0) return [];
			const next: ContactTask[] = waiting.get(email) ?? [];
			waiting.delete(email);
			return next;
		});
	}
	const stuck = [...waiting.values()].flat();
	const giverOf = (task: ContactTask) => givers.get(wantedEmail(task)!)![0];
	return { rounds: [...rounds, stuck], exchanges: circlesAmong(stuck, giverOf) };
}

function circlesAmong<Task>(tasks: Task[], nextOf: (task: Task) => Task): Set<Task> {
	const circles = new Set<Task>();
	const seen = new Set<Task>();
	for (const start of tasks) {
		const path: Task[] = [];
		let task = start;
		for (; !seen.has(task); task = nextOf(task)) {
			seen.add(task);
			path.push(task);
		}
		const begin = path.indexOf(task);
		if (begin >= 0) path.slice(begin).forEach((member) => circles.add(member));
	}
	return circles;
}
