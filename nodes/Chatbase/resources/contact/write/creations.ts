import type { ApiClient } from '../../../api/client';
import { type ApiResponse, dataIn } from '../../../api/response';
import { repeatUntil } from '../../../api/unknownOutcome';
import type { NotSent, Refusals } from '../../../sync/refusals';
import { isObject, objectsIn } from '../../../values/json';
import { isNonEmpty, type NonEmpty } from '../../../values/list';
import { contactsPath } from '../contact';
import { findContacts } from '../contactList';
import { type Contact, externalIdOf, type StoredContact } from '../plan/contactRecord';
import { isAsSent } from '../plan/difference';
import type { KnownContacts } from '../plan/knownContacts';
import { type ContactValues, dataOf } from '../plan/values';
import type { Wish } from '../plan/wantedContact';

export interface NewContact {
	readonly wish: Wish;
	readonly id: string;
	readonly sent: ContactValues;
}

/** What became of a new contact. */
type Creation =
	| { readonly kind: 'created'; readonly contact: Contact }
	/** Somebody else has created it. Several contacts can have one ID. */
	| { readonly kind: 'exists'; readonly contacts: Readonly<NonEmpty<StoredContact>> }
	| { readonly kind: 'refused'; readonly response: ApiResponse }
	| { readonly kind: 'notSent'; readonly reason: NotSent }
	/** @property mayExist whether a request may have created it */
	| { readonly kind: 'failed'; readonly error: unknown; readonly mayExist: boolean };

export type Created = [contact: NewContact, creation: Creation];

/** Statuses about the data of a batch, not about the service or the key. */
const refusedStatuses = [400, 409, 413, 422];

const noRoom: NotSent = {
	title: 'Not sent, because the plan has no room for more contacts',
	nextStep:
		'The service refused another new contact for this reason. Delete contacts that are no longer needed, or change the plan.',
};

interface CreationScope {
	readonly api: ApiClient;
	readonly chatbotId: string;
	readonly refusals: Refusals;
}

/**
 * Creates contacts in one request, and tells what became of each, as soon as that is known. Requests are sent one after the
 * other, each only when the next result is asked for: a run that stops sends no more.
 *
 * A refused batch is halved until the refused contacts are found. Its first and its last contact are read before, since
 * a service may have made a part of it. After a lost answer, the contacts are looked up with growing pauses, and sent once
 * more if they have not appeared.
 */
export async function* createBatch(
	scope: CreationScope,
	batch: readonly NewContact[],
): AsyncGenerator<Created> {
	const creation = new BatchCreation(scope, batch);
	try {
		yield* creation.create(batch);
	} catch (error) {
		yield* creation.failRest(error);
	}
}

class BatchCreation {
	/** Contacts whose result is not known yet, in order. */
	private readonly open: Set<NewContact>;

	/** Contacts that a request may have created although its response does not say so. */
	private readonly mayExist = new Set<NewContact>();

	constructor(
		private readonly scope: CreationScope,
		batch: readonly NewContact[],
	) {
		this.open = new Set(batch);
	}

	/** @returns whether the service accepted all of them */
	async *create(contacts: readonly NewContact[]): AsyncGenerator<Created, boolean> {
		const { api, chatbotId, refusals } = this.scope;
		const batch = this.openOf(contacts);
		const reason = refusals.notSent;
		if (reason) {
			yield* this.close(batch.map((one) => [one, { kind: 'notSent', reason }]));
			return false;
		}
		if (!isNonEmpty(batch)) return false;

		const response = await api.send({
			method: 'POST',
			path: contactsPath,
			resource: 'contacts',
			params: { chatbotId },
			body: { users: batch.map(({ sent }) => dataOf(sent)) },
		});

		if (!response.outcome) yield* this.settleAccepted(batch, response);
		else if (hasEnded(response)) yield* this.settleRefused(batch, response);
		else if (response.mayHaveRun) yield* this.settleUnknown(batch, response);
		else throw api.failure(response);
		return !response.outcome;
	}

	*failRest(error: unknown): Generator<Created> {
		yield* this.close(this.failed([...this.open], error));
	}

	/**
	 * After an accepted batch. The response may lack contacts that exist already or could not be created: they are looked up.
	 */
	private async *settleAccepted(
		batch: readonly NewContact[],
		response: ApiResponse,
	): AsyncGenerator<Created> {
		const returned = contactsIn(response);
		if (returned.size > 0) this.scope.refusals.accept();
		const created = batch.flatMap((one): Created[] => {
			const contact = returned.get(one.id);
			if (!contact) return [];
			return [[one, { kind: 'created', contact }]];
		});
		yield* this.close(created);

		const leftOut = this.openOf(batch);
		if (leftOut.length === 0) return;

		leftOut.forEach((one) => this.mayExist.add(one));
		yield* this.close(await this.lookUp(leftOut));
		const error = this.scope.api.unexpected(response);
		yield* this.close(this.failed(this.openOf(leftOut), error));
	}

	private async *settleUnknown(
		batch: Readonly<NonEmpty<NewContact>>,
		response: ApiResponse,
	): AsyncGenerator<Created> {
		const { api } = this.scope;
		const isLastTry = this.mayExist.has(batch[0]);
		batch.forEach((one) => this.mayExist.add(one));

		const found = new Map<NewContact, Creation>();
		const look = async () => {
			const missing = batch.filter((one) => !found.has(one));
			for (const [one, creation] of await this.lookUp(missing)) found.set(one, creation);
			return found.size;
		};
		try {
			const isEnough = (count: number) => count === batch.length;
			await repeatUntil(api, api.timeoutOf({}), look, isEnough);
		} finally {
			// These results are reported first, in case a later look-up fails.
			yield* this.close([...found]);
		}

		const missing = this.openOf(batch);
		if (!isLastTry) {
			yield* this.create(missing);
			return;
		}
		const error = api.failure({ ...response, attempts: 2 });
		yield* this.close(this.failed(missing, error));
	}

	/** After a request that has ended without success. */
	private async *settleRefused(
		batch: Readonly<NonEmpty<NewContact>>,
		response: ApiResponse,
	): AsyncGenerator<Created> {
		// A service that fails half-way may have created a part of the batch.
		if (response.mayHaveRun) batch.forEach((one) => this.mayExist.add(one));

		const [first] = batch;
		if (batch.length === 1) {
			yield* this.settleSingle(first, { ...response, mayHaveRun: false });
			return;
		}

		const last = batch.at(-1) ?? first;
		const isTouched = (await this.exists(first)) || (await this.exists(last));
		if (isTouched) yield* this.close(await this.lookUp(batch));

		yield* this.halve(this.openOf(batch));
	}

	private async *settleSingle(
		contact: NewContact,
		response: ApiResponse,
	): AsyncGenerator<Created> {
		const { refusals } = this.scope;
		const known = await this.find([contact]);
		const found = known.withId(contact.id);
		if (isNonEmpty(found)) {
			yield* this.close([[contact, this.existing(contact, found)]]);
			return;
		}
		if (this.mayExist.has(contact) && known.unread.has(contact.id)) {
			yield* this.close(this.failed([contact], known.unread.get(contact.id)));
			return;
		}

		refusals.refuse(response.status);
		if (response.version.isAbout(response.body, 'contactLimit')) refusals.settle(noRoom);
		yield* this.close([[contact, { kind: 'refused', response }]]);
	}

	private async *halve(batch: readonly NewContact[]): AsyncGenerator<Created> {
		if (batch.length <= 1) {
			yield* this.create(batch);
			return;
		}

		const middle = Math.ceil(batch.length / 2);
		const isAccepted = yield* this.create(batch.slice(0, middle));
		const others = batch.slice(middle);

		// The first half was accepted, so the refusal is about the second one.
		if (isAccepted && others.length > 1) yield* this.halve(others);
		else yield* this.create(others);
	}

	/** Looks contacts up. Returns those that exist, and those that can't be read. */
	private async lookUp(contacts: readonly NewContact[]): Promise<Created[]> {
		const known = await this.find(contacts);
		return contacts.flatMap((one): Created[] => {
			if (known.unread.has(one.id)) return this.failed([one], known.unread.get(one.id));

			const found = known.withId(one.id);
			if (!isNonEmpty(found)) return [];
			return [[one, this.existing(one, found)]];
		});
	}

	/**
	 * The result for a contact that exists. If a request may have created it, and it has the values that were sent, it counts
	 * as created.
	 */
	private existing(
		one: NewContact,
		contacts: Readonly<NonEmpty<StoredContact>>,
	): Creation {
		const [{ record }] = contacts;
		const isOurs =
			contacts.length === 1 && this.mayExist.has(one) && isAsSent(one.sent, record);
		if (isOurs) return { kind: 'created', contact: record };
		return { kind: 'exists', contacts };
	}

	/**
	 * Whether a contact exists. Throws if it can't be read and a request may have created it. Otherwise, a contact that can't
	 * be read counts as missing.
	 */
	private async exists(contact: NewContact): Promise<boolean> {
		const known = await this.find([contact]);
		const error = known.unread.get(contact.id);
		if (error !== undefined && this.mayExist.has(contact)) throw error;
		return known.withId(contact.id).length > 0;
	}

	private async find(contacts: readonly NewContact[]): Promise<KnownContacts> {
		const { api, chatbotId } = this.scope;
		const ids = new Set(contacts.map(({ id }) => id));
		return await findContacts(api, { chatbotId, ids });
	}

	private openOf(contacts: readonly NewContact[]): NewContact[] {
		return contacts.filter((one) => this.open.has(one));
	}

	private failed(contacts: readonly NewContact[], error: unknown): Created[] {
		return contacts.map((one) => [
			one,
			{ kind: 'failed', error, mayExist: this.mayExist.has(one) },
		]);
	}

	/** Reports the results of contacts. Until then they stay open, so that no contact is left without a result. */
	private *close(results: readonly Created[]): Generator<Created> {
		for (const [contact, creation] of results) {
			this.open.delete(contact);
			yield [contact, creation];
		}
	}
}

/**
 * Whether the request has surely ended without success. A proxy that answers for the service can't know that: only a 500 in
 * the words of the service counts.
 */
function hasEnded({ status = 0, body, version }: ApiResponse): boolean {
	if (refusedStatuses.includes(status)) return true;
	return status === 500 && isObject(body) && version.wordsIn(body).message !== '';
}

/** The contacts in a response, by External ID. The list is in `data` or in `data.created`. */
function contactsIn(response: ApiResponse): Map<string, Contact> {
	const data = dataIn(response);
	const list = isObject(data) ? data.created : data;
	return new Map(
		objectsIn(list).map((contact) => [externalIdOf(contact) ?? '', contact]),
	);
}
