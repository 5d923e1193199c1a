import type { IDataObject } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { forEachLimited } from '../../api/limits';
import type { ApiResponse } from '../../api/response';
import type { Sync, SyncAction } from '../../sync/summary';
import { groupBy } from '../../values/groupBy';
import { createInBatches } from './batch';
import { allowedRecord, writeChange } from './change';
import type { Contact } from './contact';
import { ContactMissing, ContactRefused, externalIdOf, normalizeEmail } from './contact';
import { droppedFrom, isAsSent, namesIn, newContact } from './difference';
import type { ContactTask } from './plan';
import type { MissingContacts } from './refusal';
import { refusedError, RefusalStreak } from './refusal';

export class ContactWriter {
	missing?: MissingContacts;

	readonly writtenIds = new Set<Contact['id']>();

	readonly isLookedUp: boolean = true;

	private readonly streak = new RefusalStreak();

	/** Works by wanted email, to name items that compete for one. */
	private byEmail = new Map<string, ContactTask[]>();

	/** @param isSkipped whether a contact is not written, checked after each read */
	constructor(
		readonly api: ApiClient,
		readonly chatbotId: string,
		private readonly isSkipped: (contact: Contact) => boolean = () => false,
	) {}

	async write(tasks: ContactTask[]): Promise<void> {
		this.byEmail = groupBy(tasks.filter(emailOf), (task) => emailOf(task)!);
		const gone = await this.update(tasks.filter(({ existing }) => existing));
		await this.create([...tasks.filter(({ existing }) => !existing), ...gone]);
	}

	/**
	 * A change to an email that another contact of this run still has waits until that contact has changed its own.
	 *
	 * @returns tasks whose contact was deleted meanwhile, and can be created again
	 */
	private async update(tasks: ContactTask[]): Promise<ContactTask[]> {
		const gone: ContactTask[] = [];
		const givers = new Map(
			tasks.filter(changesEmail).map((task) => [normalizeEmail(task.existing?.email), task]),
		);
		const waiting = new Map<ContactTask, ContactTask[]>();
		const started = new Set<ContactTask>();
		const done = new Set<ContactTask>();
		// After many equal refusals, the last contact shows whether the service refuses all.
		let isProbing = false;
		let refusal: ApiResponse | undefined;
		const write = async (task: ContactTask, isSwap = false): Promise<void> => {
			if (started.has(task)) return;
			const giver = givers.get(emailOf(task));
			if (giver && giver !== task && !done.has(giver) && !isSwap) {
				waiting.set(giver, [...(waiting.get(giver) ?? []), task]);
				return;
			}
			started.add(task);
			if (refusal) await this.refused(task, refusal);
			else if (await this.updateOne(task, isSwap)) gone.push(task);
			done.add(task);
			if (this.streak.refusal && !isProbing && !refusal) {
				isProbing = true;
				const probe = [...tasks].reverse().find((other) => !started.has(other));
				if (probe) await write(probe, true);
				refusal = this.streak.refusal;
				isProbing = false;
			}
			for (const next of waiting.get(task) ?? []) await write(next, isSwap);
		};
		// Twice as many as are sent at once, so that the next ones are compared while those are being sent.
		await forEachLimited(tasks, 2 * this.api.maxConcurrency, async (task) => await write(task));
		// The rest waits in a circle, which tasks only if the service allows shared emails.
		for (const task of tasks) await write(task, true);
		return gone;
	}

	/** @returns whether the contact was deleted and can be created again */
	private async updateOne(task: ContactTask, isSwap = false): Promise<boolean> {
		const { existing, wanted } = task;
		try {
			const result = await writeChange(this.api, task, externalIdOf(existing!)!, this.isSkipped);
			if (result instanceof ContactMissing) {
				if (wanted.fields.has('external_id')) return true;
				this.failed(task, this.api.failure(result.response));
			} else if (result instanceof ContactRefused) {
				this.streak.add(result.response);
				await this.refused(task, result.response, isSwap);
			} else {
				this.succeed(task, result.contact, result.sync);
				if (result.sync.action !== 'updated') return false;
				this.streak.end();
				// The next request leaves before more contacts are compared.
				await sleep(0);
			}
		} catch (error) {
			this.failed(task, error);
		}
		return false;
	}

	private async create(tasks: ContactTask[]): Promise<void> {
		for (const task of tasks.filter(({ settings }) => settings.dryRun)) {
			this.created(task, this.bodyOf(task), 'wouldCreate');
		}
		const open = tasks.filter(({ settings }) => !settings.dryRun);
		await createInBatches(this, open);
	}

	bodyOf({ wanted }: ContactTask): IDataObject {
		return newContact(wanted);
	}

	created(task: ContactTask, contact: Contact, action: SyncAction = 'created') {
		const data = this.bodyOf(task);
		const dropped = droppedFrom(data, task.wanted, contact);
		this.succeed(task, contact, { action, changed: namesIn(data), dropped });
	}

	async exists(task: ContactTask, contact: Contact, mayBeOurs: boolean) {
		if (mayBeOurs && isAsSent(this.bodyOf(task), contact)) return this.created(task, contact);
		await this.foundExisting({ ...task, existing: contact, readAt: performance.now() });
	}

	protected async foundExisting(task: ContactTask) {
		if (!(await this.updateOne(task))) return;
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

	async refused(task: ContactTask, response: ApiResponse, isSwap = false) {
		const { wanted, settings, existing } = task;
		const id = existing ? externalIdOf(existing) : String(wanted.fields.get('external_id'));
		const email = wanted.fields.get('email');
		const rivals = this.byEmail.get(emailOf(task) ?? '') ?? [];
		const error = await refusedError(this.api, response, {
			chatbotId: this.chatbotId,
			contactId: id,
			email,
			rivals: rivals.map(({ items: [{ item }] }) => item),
			isSwap,
			canMatchByEmail: settings.matchBy === 'externalId',
			missing: this.missing,
		});
		this.failed(task, error);
	}
}

function emailOf({ wanted }: ContactTask): string | undefined {
	return normalizeEmail(wanted.fields.get('email'));
}

function changesEmail(task: ContactTask): boolean {
	const { existing, wanted } = task;
	return wanted.fields.has('email') && emailOf(task) !== normalizeEmail(existing?.email);
}
