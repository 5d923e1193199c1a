import type { NodeApiError } from 'n8n-workflow';

import { abbreviate, chunk, forEachLimited } from '../../values/list';
import { copyOf, markMayBeDone, withSentence } from '../../api/errors';
import { type ApiResponse, dataIn } from '../../api/response';
import { repeatUntil } from '../../api/unknownOutcome';
import type { InputItem } from '../../execution/item';
import { isObject, objectsIn } from '../../values/json';
import { readTimestamp } from '../../values/time';
import { isAsSent, newContact } from './change';
import {
	type ContactTask,
	failTask,
	idOf,
	refusalError,
	RefusalStreak,
	succeedCreated,
	type WriteScope,
} from './task';
import { type Contact, contactsPath, externalIdOf } from './contact';
import { dataOf, type Values } from './contactValues';
import { findContacts, type KnownContacts, maxPageSize } from './list';
import { matchError } from './match';

/** Statuses about the data of a batch, not about the service or the key. */
const refusals = [400, 409, 413, 422];

/**
 * Creates contacts, and answers their items as soon as it is known what became of them. Returns those that exist, since
 * somebody else created them after the look-up. Without a look-up before, these fail.
 */
export async function createContacts(
	scope: WriteScope,
	tasks: ContactTask[],
): Promise<ContactTask[]> {
	const { maxConcurrency } = scope.api;
	const streak = new RefusalStreak();
	const existing: ContactTask[] = [];

	await forEachLimited(chunk(tasks, maxPageSize), maxConcurrency, async (batch) => {
		existing.push(...(await new BatchCreation(scope, streak, batch).run()));
	});
	return existing;
}

/**
 * After a refusal, the contacts are looked up once, since some may exist. The rest is halved until the refused contacts are
 * found. After an unclear outcome, the contacts are looked up with growing pauses, and sent once more if they have not
 * appeared. Requests are sent one after the other: in Stop mode, nothing is sent after a failure.
 */
class BatchCreation {
	/** Contacts without a result, in order. */
	private readonly open: Set<ContactTask>;

	/** Contacts that a request may have created although its response does not say so. */
	private readonly mayExist = new Set<ContactTask>();

	private readonly existing: ContactTask[] = [];

	private isLookedUp: boolean;

	constructor(
		private readonly scope: WriteScope,
		private readonly streak: RefusalStreak,
		batch: ContactTask[],
	) {
		this.open = new Set(batch);
		this.isLookedUp = scope.isLookedUp;
	}

	async run(): Promise<ContactTask[]> {
		try {
			await this.create([...this.open]);
		} catch (error) {
			for (const task of this.open) this.fail(task, () => error);
		}
		return this.existing;
	}

	/** @returns whether the service accepted all of them */
	private async create(tasks: ContactTask[]): Promise<boolean> {
		this.refuseHopeless(tasks);
		const batch = this.openOf(tasks);
		if (batch.length === 0) return false;

		const { api, chatbotId } = this.scope;
		const response = await api.send({
			method: 'POST',
			path: contactsPath,
			resource: 'contacts',
			params: { chatbotId },
			body: { users: batch.map((task) => dataOf(this.valuesOf(task))) },
		});

		if (!response.outcome) await this.settleAccepted(batch, response);
		else if (response.mayHaveRun) await this.settleUnknown(batch, response);
		else if (!refusals.includes(response.status ?? 0)) throw api.failure(response);
		else if (batch.length === 1) await this.settleRefused(batch[0], response);
		else await this.divide(batch);
		return !response.outcome;
	}

	/** Contacts that would get the refusal of all others. */
	private refuseHopeless(tasks: ContactTask[]) {
		for (const task of this.openOf(tasks)) {
			const refusal = this.streak.refusalOf(task.wanted.values);
			if (refusal) this.refuse(task, refusal);
		}
	}

	/** A service may leave out contacts that exist, or that it could not create: they are looked up. */
	private async settleAccepted(batch: ContactTask[], response: ApiResponse) {
		const returned = contactsIn(response);
		if (returned.size > 0) this.streak.end();
		for (const task of batch) {
			const contact = returned.get(idOf(task));
			if (contact) this.created(task, contact);
		}

		const leftOut = this.openOf(batch);
		if (leftOut.length === 0) return;
		leftOut.forEach((task) => this.mayExist.add(task));
		for (const task of await this.lookUp(leftOut, response.sentAt)) {
			this.fail(task, () => this.scope.api.unexpected(response));
		}
	}

	private async settleUnknown(batch: ContactTask[], response: ApiResponse) {
		const { api } = this.scope;
		const isLastTry = this.mayExist.has(batch[0]);
		batch.forEach((task) => this.mayExist.add(task));

		const look = async () => await this.lookUp(this.openOf(batch), -Infinity);
		const missing = await repeatUntil(
			api,
			api.timeoutOf({}),
			look,
			({ length }) => length === 0,
		);
		if (!isLastTry) {
			await this.create(missing);
			return;
		}
		for (const task of missing)
			this.fail(task, () => api.failure({ ...response, attempts: 2 }));
	}

	private async settleRefused(task: ContactTask, response: ApiResponse) {
		const { streak } = this;
		const contacts = (await this.find([task])).withId(idOf(task));
		if (contacts.length > 0) {
			streak.end();
			this.exists(task, contacts, this.mayExist.has(task) ? -Infinity : Infinity);
			return;
		}

		this.refuse(task, response);
		streak.add(response);
		await streak.confirm(async () => {
			const last = [...this.open]
				.reverse()
				.find(({ wanted }) => streak.concerns(wanted.values));
			if (last) await this.create([last]);
		});
	}

	private async divide(batch: ContactTask[]): Promise<void> {
		if (!this.isLookedUp) {
			this.isLookedUp = true;
			const rest = await this.lookUp(batch);
			// Those that exist explain the refusal.
			if (rest.length < batch.length) {
				await this.create(rest);
				return;
			}
		}

		const middle = Math.ceil(batch.length / 2);
		const isAccepted = await this.create(batch.slice(0, middle));
		const others = batch.slice(middle);

		// The refusal is about the others.
		if (isAccepted && others.length > 1) await this.divide(others);
		else await this.create(others);
	}

	/**
	 * Settles the contacts that exist, and returns the others.
	 * @param oursSince those that were created since then may come from a request of this run
	 */
	private async lookUp(
		tasks: ContactTask[],
		oursSince = Infinity,
	): Promise<ContactTask[]> {
		const known = await this.find(tasks);
		for (const task of tasks) {
			const id = idOf(task);
			const contacts = known.withId(id);
			if (known.failed.has(id)) this.fail(task, () => known.failed.get(id));
			else if (contacts.length > 0) this.exists(task, contacts, oursSince);
		}
		return this.openOf(tasks);
	}

	private async find(tasks: ContactTask[]): Promise<KnownContacts> {
		const { scope } = this;
		const ids = new Set(tasks.map(idOf));
		const known = await findContacts(scope.api, scope.chatbotId, ids);
		if (known.isWhole) scope.known = known;
		return known;
	}

	private openOf(tasks: ContactTask[]): ContactTask[] {
		return tasks.filter((task) => this.open.has(task));
	}

	private exists(task: ContactTask, contacts: Contact[], oursSince: number) {
		const [contact, ...others] = contacts;
		if (others.length > 0) {
			const match = { reason: 'idIsShared', candidates: contacts } as const;
			this.fail(task, (item) => matchError(item, match));
			return;
		}

		const isOurs = (readTimestamp(contact.created_at) ?? Date.now()) >= oursSince;
		if (isOurs && isAsSent(this.valuesOf(task), contact)) {
			this.created(task, contact);
			return;
		}
		if (this.scope.isLookedUp) {
			this.open.delete(task);
			this.existing.push({ ...task, existing: contact });
			return;
		}

		const title = 'A contact with this External ID exists';
		const nextStep = `External ID: ${externalIdOf(contact)}. Use Create or Update to change existing contacts.`;
		this.fail(task, (item) => item.error(title, nextStep));
	}

	private created(task: ContactTask, contact: Contact) {
		this.open.delete(task);
		succeedCreated(task, this.valuesOf(task), contact);
	}

	/** What is sent. After a look-up, there is nothing to clear. */
	private valuesOf({ wanted }: ContactTask): Values {
		return this.scope.isLookedUp ? newContact(wanted) : wanted.values;
	}

	private refuse(task: ContactTask, response: ApiResponse) {
		this.fail(task, () => refusalError(this.scope, task, response));
	}

	/** If a request may have created the contact, its error says so. */
	private fail(task: ContactTask, errorOf: (item: InputItem) => unknown) {
		this.open.delete(task);
		if (!this.mayExist.has(task)) {
			failTask(task, errorOf);
			return;
		}

		const sentence = `Contact ${abbreviate(idOf(task))} may have been created. Check before you run again, or use Create or Update.`;
		failTask(task, (item) => {
			// Other contacts may share the error.
			const error = copyOf(errorOf(item) as NodeApiError);
			return withSentence(markMayBeDone(error), sentence);
		});
	}
}

/** The contacts in a response, by External ID. The list is in `data` or in `data.created`. */
function contactsIn(response: ApiResponse): Map<string, Contact> {
	const data = dataIn(response);
	const list = isObject(data) ? data.created : data;
	return new Map(
		objectsIn(list).map((contact) => [externalIdOf(contact) ?? '', contact]),
	);
}
