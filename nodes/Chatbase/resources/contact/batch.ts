import type { NodeApiError } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { copyOf, markMayBeDone, withSentence } from '../../api/errors';
import { type ApiResponse, dataIn } from '../../api/response';
import { lookUntil } from '../../api/unknownOutcome';
import { chunk, firstOf } from '../../values/list';
import { isObject } from '../../values/json';
import { abbreviate } from '../../values/text';
import { readTimestamp } from '../../values/time';
import { type Contact, contactsPath, externalIdOf } from './contact';
import { newContact } from './difference';
import { dataOf, type Values } from './contactValues';
import { type KnownContacts } from './known';
import { maxPageSize } from './list';
import type { ContactTask } from './match';
import { RefusalStreak } from './refusalStreak';

/** Statuses about the data of a batch, not about the service or the key. */
const refusals = [400, 409, 413, 422];

/** What became of a contact that was to be created. */
export type Creation = { task: ContactTask } & (
	| { state: 'created'; contact: Contact }
	/** `mayBeOurs`: a request of this run may have created the first of the contacts. */
	| { state: 'exists'; contacts: Contact[]; mayBeOurs: boolean }
	/** `mayExist`: an earlier request, whose outcome is unknown, may have created the contact. */
	| { state: 'refused'; response: ApiResponse; mayExist: boolean }
	| { state: 'unclear'; error: unknown }
);

/** What all batches of a run share. */
export interface Creator {
	api: ApiClient;
	chatbotId: string;
	/** Whether new contacts were looked up before and not found. */
	isLookedUp: boolean;
	find(tasks: ContactTask[]): Promise<KnownContacts>;
	streak: RefusalStreak;
}

/** Contacts that one request can create. */
export function batchesOf(tasks: ContactTask[]): ContactTask[][] {
	return chunk(tasks, maxPageSize);
}

/** What is sent to create a contact. After a look-up, there is nothing to clear. */
export function valuesOfNew({ wanted }: ContactTask, isLookedUp: boolean): Values {
	return isLookedUp ? newContact(wanted) : wanted.values;
}

/**
 * Creates the contacts of a batch, and returns what became of them as soon as it is known: nothing more is sent until the
 * caller goes on. After a refusal, the contacts are looked up once, since some may exist. The rest is halved until the
 * refused contacts are found. After an unclear outcome, the contacts are looked up with growing pauses, and sent once more
 * if they have not appeared.
 */
export async function* createBatch(
	creator: Creator,
	batch: ContactTask[],
): AsyncGenerator<Creation[]> {
	const creation = new BatchCreation(creator, batch);
	try {
		yield* creation.create(batch, creator.isLookedUp);
	} catch (error) {
		yield creation.openAfter(error);
	}
}

class BatchCreation {
	/** Contacts that a request may have created although its response does not say so. */
	private readonly mayExist = new Set<ContactTask>();

	/** When each contact was first sent, by the clock of the service. */
	private readonly sentAt = new Map<ContactTask, number>();

	/** Contacts of the batch without a result, in order. */
	private readonly open: Set<ContactTask>;

	constructor(
		private readonly creator: Creator,
		batch: ContactTask[],
	) {
		this.open = new Set(batch);
	}

	/**
	 * The results of all contacts that an error leaves without one. Those that no request can have created don't share its
	 * mark, so that a stopped run does not call them unknown.
	 */
	openAfter(error: unknown): Creation[] {
		const open = [...this.open];
		const unclear = open.filter((task) => this.mayExist.has(task));
		const notCreated = markMayBeDone(copyOf(error as NodeApiError), false);
		if (unclear.length > 0) addMayExist(error as NodeApiError, unclear);

		return open.map((task) => ({
			task,
			state: 'unclear',
			error: unclear.includes(task) ? error : notCreated,
		}));
	}

	/** @returns whether the service accepted all of them */
	async *create(
		tasks: ContactTask[],
		isLookedUp: boolean,
		isLastTry = false,
	): AsyncGenerator<Creation[], boolean> {
		yield this.refuseHopeless(tasks);
		const batch = tasks.filter((task) => this.open.has(task));
		if (batch.length === 0) return false;

		const response = await this.send(batch);
		if (response.mayHaveRun) {
			batch.forEach((task) => this.mayExist.add(task));
			yield* this.settleUnknown(batch, response, isLastTry);
			return false;
		}

		if (!response.outcome) {
			yield* this.settleAccepted(batch, response);
			return true;
		}

		const { api } = this.creator;
		if (!refusals.includes(response.status ?? 0)) throw api.failure(response);
		if (batch.length === 1) yield* this.settleSingle(batch[0], response);
		else yield* this.divide(batch, isLookedUp);
		return false;
	}

	private async send(batch: ContactTask[]): Promise<ApiResponse> {
		const { api, chatbotId, isLookedUp } = this.creator;
		const users = batch.map((task) => dataOf(valuesOfNew(task, isLookedUp)));
		const request = { method: 'POST', path: contactsPath, resource: 'contacts' } as const;
		const response = await api.send({
			...request,
			params: { chatbotId },
			body: { users },
		});

		for (const task of batch) {
			if (!this.sentAt.has(task)) this.sentAt.set(task, response.sentAt);
		}
		return response;
	}

	/** Contacts that would get the refusal of all others. */
	private refuseHopeless(tasks: ContactTask[]): Creation[] {
		const refused: Creation[] = [];
		for (const task of tasks) {
			const response = this.creator.streak.refusalOf(task.wanted.values.get('email'));
			if (!response || !this.open.has(task)) continue;

			this.open.delete(task);
			refused.push({
				task,
				state: 'refused',
				response,
				mayExist: this.mayExist.has(task),
			});
		}
		return refused;
	}

	/** Sends a refused batch again in parts, one after the other: in Stop mode, nothing is sent after a failure. */
	private async *divide(
		batch: ContactTask[],
		isLookedUp: boolean,
	): AsyncGenerator<Creation[], boolean> {
		if (!isLookedUp) {
			yield await this.settleExisting(batch);
			const rest = batch.filter((task) => this.open.has(task));
			// Those that exist explain the refusal.
			if (rest.length < batch.length) return yield* this.create(rest, true);
		}

		const middle = Math.ceil(batch.length / 2);
		const isAccepted = yield* this.create(batch.slice(0, middle), true);
		const others = batch.slice(middle);

		// The refusal is about the others.
		if (isAccepted && others.length > 1) return yield* this.divide(others, true);
		return yield* this.create(others, true);
	}

	/** A service may leave out contacts that exist, or that it could not create: they are looked up. */
	private async *settleAccepted(
		batch: ContactTask[],
		response: ApiResponse,
	): AsyncGenerator<Creation[]> {
		const { api, streak } = this.creator;
		const returned = contactsIn(response);
		if (returned.size > 0) streak.end();

		const created = batch.flatMap((task): Creation[] => {
			const contact = returned.get(idOf(task));
			return contact ? [{ task, state: 'created', contact }] : [];
		});
		created.forEach(({ task }) => this.open.delete(task));
		yield created;

		const leftOut = batch.filter((task) => this.open.has(task));
		if (leftOut.length === 0) return;
		leftOut.forEach((task) => this.mayExist.add(task));
		yield await this.settleExisting(leftOut);
		yield leftOut
			.filter((task) => this.open.has(task))
			.map((task) => this.failed(task, api.unexpected(response)));
	}

	private async *settleSingle(
		task: ContactTask,
		response: ApiResponse,
	): AsyncGenerator<Creation[]> {
		const { find, streak } = this.creator;
		const known = await find([task]);
		const contacts = known.withId(idOf(task));
		this.open.delete(task);
		if (contacts.length > 0) {
			streak.end();
			const mayBeOurs = this.mayExist.has(task) && this.isNew(contacts[0], task);
			yield [{ task, state: 'exists', contacts, mayBeOurs }];
			return;
		}

		yield [{ task, state: 'refused', response, mayExist: this.mayExist.has(task) }];
		streak.add(response);
		if (!streak.startConfirmation()) return;

		const isLike = ({ wanted }: ContactTask) =>
			streak.concerns(wanted.values.get('email'));
		const last = [...this.open].reverse().find(isLike);
		if (last) yield* this.create([last], true);
		streak.endConfirmation();
	}

	/** The contacts that exist: they caused a refusal, or were created. The others stay open. */
	private async settleExisting(
		batch: ContactTask[],
		isUnclear = false,
	): Promise<Creation[]> {
		const known = await this.creator.find(batch);
		const found = batch.flatMap((task): Creation[] => {
			const contacts = known.withId(idOf(task));
			if (known.failed.has(idOf(task)))
				return [this.failed(task, known.failed.get(idOf(task)))];
			if (contacts.length === 0) return [];

			const mayBeOurs =
				isUnclear || (this.mayExist.has(task) && this.isNew(contacts[0], task));
			return [{ task, state: 'exists', contacts, mayBeOurs }];
		});
		found.forEach(({ task }) => this.open.delete(task));
		return found;
	}

	private async *settleUnknown(
		batch: ContactTask[],
		response: ApiResponse,
		isLastTry: boolean,
	): AsyncGenerator<Creation[]> {
		const { api } = this.creator;
		const found: Creation[] = [];
		const stillOpen = () => batch.filter((task) => this.open.has(task));
		const look = async () => {
			found.push(...(await this.settleExisting(stillOpen(), true)));
			return stillOpen();
		};

		try {
			// If it fails, `openAfter` says what may have been created.
			await lookUntil(api, look, ({ length }) => length === 0, '');
		} finally {
			yield found;
		}

		if (!isLastTry) {
			yield* this.create(stillOpen(), true, true);
			return;
		}
		yield stillOpen().map((task) =>
			this.failed(task, api.failure({ ...response, attempts: 2 })),
		);
	}

	/** Whether the contact is new enough to come from a request of this run. */
	private isNew({ created_at }: Contact, task: ContactTask): boolean {
		return (readTimestamp(created_at) ?? Infinity) >= this.sentAt.get(task)!;
	}

	/** If a request may have created the contact, the error says so. */
	private failed(task: ContactTask, error: unknown): Creation {
		if (this.mayExist.has(task)) addMayExist(error as NodeApiError, [task]);
		this.open.delete(task);
		return { task, state: 'unclear', error };
	}
}

export function idOf({ wanted }: ContactTask): string {
	return String(wanted.values.get('external_id'));
}

export function addMayExist(error: NodeApiError, tasks: ContactTask[]): void {
	const names =
		tasks.length === 1
			? `Contact ${abbreviate(idOf(tasks[0]))}`
			: `Contacts ${firstOf(tasks, idOf)}`;
	const advice = 'Check before you run again, or use Create or Update.';
	withSentence(markMayBeDone(error), `${names} may have been created. ${advice}`);
}

/** The contacts in a response, by External ID. The list is in `data` or in `data.created`. */
function contactsIn(response: ApiResponse): Map<string, Contact> {
	const data = dataIn(response);
	const list = isObject(data) ? data.created : data;
	const contacts = Array.isArray(list) ? (list.filter(isObject) as Contact[]) : [];
	return new Map(contacts.map((contact) => [externalIdOf(contact) ?? '', contact]));
}
