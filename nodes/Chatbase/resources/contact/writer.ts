import { sleep } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { withSentence } from '../../api/errors';
import { forEachLimited } from '../../api/concurrency';
import type { ApiResponse } from '../../api/response';
import { besideSync, type Sync, type SyncAction } from '../../sync/records';
import { giveWay } from '../../values/list';
import type { Creation, Creator } from './batch';
import { addMayExist, batchesOf, createBatch, idOf, valuesOfNew } from './batch';
import {
	allowedRecord,
	type PlannedChange,
	planChange,
	sendChange,
	withoutRequest,
} from './change';
import type { Contact } from './contact';
import {
	ContactMissing,
	ContactRefused,
	externalIdOf,
	failureOf,
	normalizeEmail,
} from './contact';
import { dataOf, type Values } from './contactValues';
import { droppedFrom, isAsSent } from './difference';
import { EmailQueue } from './emailQueue';
import { findContacts, type KnownContacts } from './known';
import { type ContactTask, failTask, matchError } from './match';
import { isEmailTaken, RefusalStreak } from './refusalStreak';

/** What became of an update. One that waits needs an email that another update may still free. */
type UpdateState = 'done' | 'gone' | 'unchanged' | 'waits';

export class ContactWriter {
	private readonly isLookedUp: boolean;

	private readonly streak = new RefusalStreak();

	private readonly emails = new EmailQueue();

	/**
	 * @param known what was looked up; if nothing was, existing contacts are not changed
	 * @param isSkipped whether a contact is not written
	 */
	constructor(
		private readonly api: ApiClient,
		private readonly chatbotId: string,
		private known?: KnownContacts,
		private readonly isSkipped: (contact: Contact) => boolean = () => false,
	) {
		this.isLookedUp = known !== undefined;
	}

	async write(tasks: ContactTask[]): Promise<void> {
		const gone = await this.update(tasks.filter(({ existing }) => existing));
		const missing = [...tasks.filter(({ existing }) => !existing), ...gone];
		if (missing.length === 0) return;

		if (missing[0].settings.dryRun) {
			missing.forEach((task) =>
				this.created(task, dataOf(this.valuesOf(task)), 'wouldCreate'),
			);
			return;
		}
		await this.create(missing);
		// A contact that turned out to exist was updated.
		await this.update(this.emails.takeReady());
	}

	/** @returns tasks whose contact was deleted meanwhile, and can be created again */
	private async update(tasks: ContactTask[]): Promise<ContactTask[]> {
		const gone: ContactTask[] = [];
		for (let next = tasks; next.length > 0; next = this.emails.takeReady()) {
			gone.push(...(await this.updateAll(next)));
		}

		for (const { task, refusal } of this.emails.takeAll()) this.refused(task, refusal);
		return gone;
	}

	private async updateAll(tasks: ContactTask[]): Promise<ContactTask[]> {
		const gone: ContactTask[] = [];
		const started = new Set<ContactTask>();
		const start = async (task: ContactTask): Promise<UpdateState> => {
			started.add(task);
			const state = await this.updateOne(task);
			if (state === 'gone') gone.push(task);
			return state;
		};

		let end = tasks.length;
		const tryAnother = async () => {
			let state: UpdateState = 'unchanged';
			while (end > 0 && (state === 'unchanged' || state === 'waits')) {
				end--;
				const task = tasks[end];
				if (!started.has(task)) state = await start(task);
			}
		};

		// Twice as many as are sent at once, so that the next ones are compared while those are being sent.
		await forEachLimited(tasks, 2 * this.api.maxConcurrency, async (task) => {
			if (!started.has(task)) await start(task);
			if (!this.streak.startConfirmation()) return;
			await tryAnother();
			this.streak.endConfirmation();
		});
		return gone;
	}

	private async updateOne(task: ContactTask): Promise<UpdateState> {
		const { existing } = task;
		if (this.isSkipped(existing!)) {
			this.succeed(task, existing!, { action: 'skipped' });
			return 'unchanged';
		}

		try {
			const planned = planChange(this.api, externalIdOf(existing!)!, task);
			const unsent = withoutRequest(planned);
			if (unsent) {
				this.succeed(task, unsent.contact, unsent.sync);
				await giveWay();
				return 'unchanged';
			}
			return await this.sendOne(task, planned);
		} catch (error) {
			failTask(task, () => error);
			return 'done';
		}
	}

	private async sendOne(task: ContactTask, planned: PlannedChange): Promise<UpdateState> {
		const { api, emails, streak } = this;
		const email = normalizeEmail(planned.difference.sent.get('email'));
		if (emails.addIfTaken(task, email)) return 'waits';

		const refusal = streak.refusalOf(email);
		const result = refusal ? new ContactRefused(refusal) : await sendChange(api, planned);
		if (result instanceof ContactMissing) {
			if (task.wanted.values.has('external_id')) return 'gone';
			failTask(task, () => failureOf(api, result.response, planned.contactId));
			return 'done';
		}

		if (result instanceof ContactRefused) {
			const { response } = result;
			if (email !== undefined && isEmailTaken(response)) {
				emails.add(task, email, response);
				return 'waits';
			}
			streak.add(response);
			this.refused(task, response);
			return 'done';
		}

		streak.end();
		emails.free(
			normalizeEmail(task.existing!.email),
			normalizeEmail(result.contact.email),
		);
		this.succeed(task, result.contact, result.sync);
		// The next request leaves before more contacts are compared.
		await sleep(0);
		return 'done';
	}

	private async create(tasks: ContactTask[]) {
		const { api, chatbotId, isLookedUp } = this;
		const creator: Creator = {
			api,
			chatbotId,
			isLookedUp,
			find: async (unknown) => await this.find(unknown),
			streak: new RefusalStreak(),
		};

		await forEachLimited(batchesOf(tasks), api.maxConcurrency, async (batch) => {
			for await (const creations of createBatch(creator, batch)) {
				await forEachLimited(creations, api.maxConcurrency, async (creation) => {
					await this.settle(creation);
				});
			}
		});
	}

	private async settle(creation: Creation) {
		const { task } = creation;
		switch (creation.state) {
			case 'created':
				return this.created(task, creation.contact);
			case 'exists':
				return await this.exists(task, creation.contacts, creation.mayBeOurs);
			case 'refused':
				return this.refused(task, creation.response, creation.mayExist);
			case 'unclear':
				return failTask(task, () => creation.error);
		}
	}

	/** Keeps the list, if it was read for this. */
	private async find(tasks: ContactTask[]): Promise<KnownContacts> {
		const known = await findContacts(this.api, this.chatbotId, new Set(tasks.map(idOf)));
		if (known.isWhole) this.known = known;
		return known;
	}

	private valuesOf(task: ContactTask): Values {
		return valuesOfNew(task, this.isLookedUp);
	}

	private created(task: ContactTask, contact: Contact, action: SyncAction = 'created') {
		const sent = this.valuesOf(task);
		const dropped = droppedFrom(contact, { ...task.wanted, sent });
		this.succeed(task, contact, { action, changed: [...sent.keys()], dropped });
	}

	private async exists(task: ContactTask, contacts: Contact[], mayBeOurs: boolean) {
		const [contact, ...others] = contacts;
		if (others.length > 0) {
			const match = { reason: 'idIsShared', candidates: contacts } as const;
			failTask(task, (item) => matchError(item, match));
			return;
		}

		if (mayBeOurs && isAsSent(this.valuesOf(task), contact)) {
			this.created(task, contact);
			return;
		}

		if (!this.isLookedUp) {
			const title = 'A contact with this External ID exists';
			const nextStep = `External ID: ${externalIdOf(contact)}. Use Create or Update to change existing contacts.`;
			failTask(task, (item) => item.error(title, nextStep));
			return;
		}

		if ((await this.updateOne({ ...task, existing: contact })) === 'gone') {
			const nextStep = 'It was deleted during the run. Run the node again to create it.';
			failTask(task, (item) => item.error('Contact not found', nextStep));
		}
	}

	private succeed(task: ContactTask, contact: Contact, sync: Sync) {
		for (const { item, succeed, fail } of task.items) {
			try {
				const record = this.isLookedUp
					? allowedRecord(item, { contact, sync }, task.settings)
					: besideSync(contact, sync);
				succeed([record]);
			} catch (error) {
				fail(error);
			}
		}
	}

	private refused(task: ContactTask, response: ApiResponse, isUnclear = false) {
		const id = task.existing ? externalIdOf(task.existing)! : idOf(task);
		const error = failureOf(this.api, response, id);
		if (isEmailTaken(response)) withSentence(error, this.adviceOnEmail(task, id));
		if (isUnclear) addMayExist(error, [task]);
		failTask(task, () => error);
	}

	/** Names the contact that has the email, if the list was read. */
	private adviceOnEmail(
		{ wanted, settings, existing }: ContactTask,
		contactId: string,
	): string {
		const email = normalizeEmail(wanted.values.get('email'));
		if (email === undefined) return '';

		const holders = this.known?.isWhole ? this.known.withEmail(email) : [];
		const holder = holders.find((other) => externalIdOf(other) !== contactId);
		const holderId = holder && externalIdOf(holder);
		const name =
			holderId === undefined ? 'A contact without an External ID' : `Contact ${holderId}`;
		// An existing contact was found by its ID. Without a lookup, there is no Match Contacts By.
		const canMatchByEmail =
			!existing && this.isLookedUp && settings.matchBy === 'externalId';

		const sentences = [
			holder && `${name} had it when the list was read.`,
			canMatchByEmail &&
				'If both are the same customer, set Match Contacts By to External ID or Email. The contact then gets the new External ID.',
		];
		return sentences.filter(Boolean).join(' ');
	}
}
