import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { RequestExpiredError } from '../../api/client';
import { withSentence } from '../../api/errors';
import { forEachLimited } from '../../api/limits';
import type { ApiResponse } from '../../api/response';
import type { InputItem } from '../../execution/item';
import type { PendingItem, Run } from '../../execution/run';
import { refuseContradiction } from '../../mirror/items';
import type { Sync, SyncAction } from '../../mirror/summary';
import { recordOf } from '../../mirror/summary';
import { firstOf } from '../../values/firstOf';
import { readAttributesIfAny } from '../customAttribute/attributes';
import type { CreationOutcomes } from './batch';
import { createInBatches, RefusalStreak } from './batch';
import type { Contact } from './contact';
import {
	assertIsContact,
	ContactMissing,
	ContactRefused,
	externalIdOf,
	isContactMissing,
	normalizeEmail,
	readContact,
	sendToContact,
} from './contact';
import type { WantedContact } from './difference';
import {
	changeOf,
	conflictsBetween,
	droppedFrom,
	lostAttributes,
	namesIn,
	newContact,
} from './difference';
import type { ContactParams, WriteSettings } from './item';
import { settingsText } from './item';
import { knownList } from './list';
import type { KnownContacts, ReservedIdentities } from './match';
import { matchError, matchOf } from './match';

/** A contact to write, and its items, which all want the same values. */
export interface ContactWork<Params extends ContactParams = ContactParams> {
	items: [PendingItem<Params>, ...Array<PendingItem<Params>>];
	wanted: WantedContact;
	settings: WriteSettings;
	/** The current contact; absent if it will be created. */
	existing?: Contact;
	/** When it was read, in milliseconds since 1970. */
	readAt: number;
}

/**
 * Groups items about the same contact. If they want different values, all of them fail, since the result would depend
 * on their order.
 */
export function worksOf<Params extends ContactParams>(
	items: Array<PendingItem<Params>>,
	keyOf: (item: PendingItem<Params>) => string,
): Array<ContactWork<Params>> {
	const works = new Map<string, ContactWork<Params>>();
	for (const item of items) {
		const { wanted, settings } = item.params;
		const key = keyOf(item);
		const work = works.get(key);
		if (work) work.items.push(item);
		else works.set(key, { items: [item], wanted, settings, readAt: Date.now() });
	}
	return [...works.values()].filter(({ items }) => {
		const [{ params: first }, ...others] = items;
		const text = settingsText(first.settings);
		const conflicts = others.flatMap(({ params }) => [
			...(settingsText(params.settings) === text ? [] : ['options']),
			...conflictsBetween(first.wanted, params.wanted),
		]);
		if (conflicts.length > 0) {
			const title = 'Several items want different values for one contact';
			refuseContradiction(items, conflicts, title, adviceFor(items));
		}
		return conflicts.length === 0;
	});
}

/** Advice for items that contradict each other; undefined for the usual one. */
function adviceFor(items: Array<PendingItem<ContactParams>>): string | undefined {
	const ids = new Set(items.map(({ params }) => params.identity.id));
	const [one, other] = [...ids].filter((id) => id !== undefined);
	return other === undefined
		? undefined
		: `They match one contact by Email, though their External IDs differ (${one}, ${other}). Give each its own Email.`;
}

/** The identities of items for one chatbot, and of all refused items, whose chatbot may be unknown. */
export function reservedBy<Params extends ContactParams>(
	run: Run<Params>,
	items: Array<PendingItem<Params>>,
	works: Array<ContactWork<Params>>,
): ReservedIdentities {
	const writable = new Set(works.flatMap((work) => work.items));
	const failed = [
		...run.refused.map(({ identity }) => identity),
		...items.filter((item) => !writable.has(item)).map(({ params }) => params.identity),
	];
	const all = [...failed, ...items.map(({ params }) => params.identity)];
	return {
		ids: new Set(all.flatMap(({ id }) => id ?? [])),
		emails: new Set(failed.flatMap(({ email }) => email ?? [])),
	};
}

/**
 * Finds the contact of each item. Ambiguous items, and items that contradict each other, fail.
 *
 * @returns the contacts to write, and those that an ambiguous item could mean
 */
export function decide<Params extends ContactParams>(
	items: Array<PendingItem<Params>>,
	known: KnownContacts,
	reserved: ReservedIdentities,
): { works: Array<ContactWork<Params>>; ambiguous: Contact[] } {
	const ambiguous: Contact[] = [];
	const found = new Map<PendingItem<Params>, Contact | undefined>();
	for (const pending of items) {
		const { item, params, fail } = pending;
		const match = matchOf(params.identity, known, reserved);
		if (match.kind === 'refused') {
			ambiguous.push(...match.candidates);
			fail(matchError(item, match));
			continue;
		}
		const contact = match.kind === 'existing' ? match.contact : undefined;
		const dropped = droppedFrom({}, params.wanted.unknown, contact ?? {});
		if (params.settings.onDroppedFields === 'error' && dropped.length > 0) {
			fail(droppedError(item, dropped, false));
		} else {
			found.set(pending, contact);
		}
	}
	// Two items can match one contact by email.
	const works = worksOf([...found.keys()], (pending) => {
		const contact = found.get(pending);
		return contact ? `contact ${externalIdOf(contact)}` : `new ${pending.params.identity.id}`;
	});
	return {
		works: works.map((work) => ({
			...work,
			existing: found.get(work.items[0]),
			readAt: known.readAt,
		})),
		ambiguous,
	};
}

interface Written {
	contact: Contact;
	sync: Sync;
}

/** After this time, a contact is read again before attributes are sent that the item does not set. */
const maxAge = 30_000;

const maxReads = 2;

/**
 * Updates an existing contact, and compares the result with what was sent.
 *
 * @param isSkipped whether a contact is left as it is, asked whenever it is read
 * @returns the result, or why nothing was written
 * @throws NodeApiError if the service fails
 */
export async function writeChange(
	api: ApiClient,
	{ wanted, settings, existing, readAt }: Omit<ContactWork, 'items'>,
	contactId: string,
	isSkipped: (contact: Contact) => boolean = () => false,
	reads = 0,
): Promise<Written | ContactMissing | ContactRefused> {
	if (existing && isSkipped(existing)) {
		return { contact: existing, sync: syncWith('skipped', [], [], []) };
	}
	const { chatbotId, mode, dryRun } = settings;
	const readSchema = async () => await readAttributesIfAny(api, chatbotId);
	const replaces = mode === 'replace' && wanted.attributes.size > 0;
	const known = wanted.schema ?? (replaces ? await readSchema() : undefined);
	let change = changeOf(existing, wanted, settings, known);
	if (existing && (change.changed.length === 0 || dryRun)) {
		const action = change.changed.length === 0 ? 'unchanged' : 'wouldUpdate';
		const dropped = droppedFrom({}, wanted.unknown, existing);
		return { contact: existing, sync: syncWith(action, change.changed, dropped, change.kept) };
	}
	if (change.carriesAttributes) change = changeOf(existing, wanted, settings, await readSchema());
	const expiresAt = change.carriesAttributes && reads < maxReads ? readAt + maxAge : undefined;
	const request = { method: 'PATCH', body: { data: change.data }, expiresAt } as const;
	const contact = await patchContact(api, chatbotId, contactId, request, existing).catch(asExpired);
	if (contact === 'expired') {
		const current = await readContact(api, chatbotId, contactId);
		if (current instanceof ContactMissing) return current;
		const work = { wanted, settings, existing: current, readAt: Date.now() };
		return await writeChange(api, work, contactId, isSkipped, reads + 1);
	}
	if (contact instanceof ContactMissing || contact instanceof ContactRefused) return contact;
	const dropped = [
		...droppedFrom(change.data, wanted.unknown, contact),
		...(mode === 'merge' ? lostAttributes(existing, wanted, contact) : []),
	];
	return { contact, sync: syncWith('updated', change.changed, dropped, change.kept) };
}

function syncWith(action: SyncAction, changed: string[], dropped: string[], kept: string[]): Sync {
	return { action, changed, dropped, ...(kept.length > 0 && { kept }) };
}

/**
 * @param existing the contact before; undefined if it was not read
 * @returns the contact after, or why it was not changed
 * @throws NodeApiError if the service fails or the chatbot is missing
 */
async function patchContact(
	api: ApiClient,
	chatbotId: string,
	contactId: string,
	request: { method: 'PATCH'; body: { data: IDataObject }; expiresAt?: number },
	existing?: Contact,
): Promise<Contact | ContactMissing | ContactRefused> {
	const { data } = request.body;
	const response = await sendToContact(api, chatbotId, contactId, request);
	if (response.outcome === '400' || response.outcome === '409') return new ContactRefused(response);
	const newId = data.external_id;
	if (!isContactMissing(response)) {
		assertIsContact(api, response, [contactId, String(newId ?? contactId)]);
		return api.expectBody<Contact>(response);
	}
	if (!response.mayHaveRun || typeof newId !== 'string' || newId === contactId) {
		return new ContactMissing(response);
	}
	// An attempt whose response was lost may have changed the ID. Or the contact never existed, and another one has the ID.
	const found = await readContact(api, chatbotId, newId);
	if (found instanceof ContactMissing) return found;
	const isSame =
		existing?.id === undefined
			? droppedFrom(data, new Map(), found).length === 0
			: found.id === existing.id;
	return isSame ? found : new ContactMissing(response);
}

function asExpired(error: unknown): 'expired' {
	if (error instanceof RequestExpiredError) return 'expired';
	throw error;
}

interface MissingHolders {
	contacts: ReadonlySet<Contact>;
	deed: 'deleted' | 'marked';
}

export class ContactWriter implements CreationOutcomes {
	/** @param isSkipped whether a contact is not written, checked after each read */
	constructor(
		protected readonly api: ApiClient,
		private readonly chatbotId: string,
		private readonly isSkipped: (contact: Contact) => boolean = () => false,
		/** Whether new contacts were looked up before and not found. */
		private readonly isLookedUp = true,
	) {}

	/** Contacts that are missing from the input, and what happens to them after the items. */
	missing: MissingHolders = { contacts: new Set(), deed: 'deleted' };

	private readonly streak = new RefusalStreak();

	private lastRefusal?: ApiResponse;

	/** Works by wanted email, to name items that compete for one. */
	private readonly byEmail = new Map<string | undefined, ContactWork[]>();

	readonly writtenIds = new Set<Contact['id']>();

	async write(works: ContactWork[]): Promise<void> {
		const gone = await this.update(works.filter(({ existing }) => existing));
		await this.create([...works.filter(({ existing }) => !existing), ...gone]);
	}

	/**
	 * Updates existing contacts. A change to an email that another contact of this run still has waits until that contact
	 * has changed its own.
	 *
	 * @returns works whose contact was deleted meanwhile, and can be created again
	 */
	private async update(works: ContactWork[]): Promise<ContactWork[]> {
		this.indexEmails(works);
		const gone: ContactWork[] = [];
		const givers = new Map(
			works.filter(changesEmail).map((work) => [emailOf(work.existing), work]),
		);
		const waiting = new Map<ContactWork, ContactWork[]>();
		const started = new Set<ContactWork>();
		const done = new Set<ContactWork>();
		// After many equal refusals, the last contact shows whether the service refuses all.
		let isProbing = false;
		let refusal: ApiResponse | undefined;
		const write = async (work: ContactWork, isSwap = false): Promise<void> => {
			if (started.has(work)) return;
			const giver = givers.get(normalizeEmail(work.wanted.fields.get('email')));
			if (giver && giver !== work && !done.has(giver) && !isSwap) {
				const others = waiting.get(giver);
				if (others) others.push(work);
				else waiting.set(giver, [work]);
				return;
			}
			started.add(work);
			if (refusal) await this.refused(work, refusal);
			else if (await this.updateOne(work, isSwap)) gone.push(work);
			done.add(work);
			if (this.streak.isLong && !isProbing && !refusal) {
				isProbing = true;
				const probe = [...works].reverse().find((other) => !started.has(other));
				if (probe) await write(probe, true);
				if (this.streak.isLong) refusal = this.lastRefusal;
				isProbing = false;
			}
			for (const next of waiting.get(work) ?? []) await write(next, isSwap);
		};
		// Twice as many as are sent at once, so that the next ones are compared while those are being sent.
		await forEachLimited(works, 2 * this.api.maxConcurrency, async (work) => await write(work));
		// The rest waits in a circle, which works only if the service allows shared emails.
		for (const work of works) await write(work, true);
		return gone;
	}

	/** @returns whether the contact was deleted and can be created again */
	private async updateOne(work: ContactWork, isSwap = false): Promise<boolean> {
		const { existing, wanted } = work;
		try {
			const result = await writeChange(this.api, work, externalIdOf(existing!)!, this.isSkipped);
			if (result instanceof ContactMissing) {
				if (wanted.fields.has('external_id')) return true;
				this.failed(work, this.api.failure(result.response));
			} else if (result instanceof ContactRefused) {
				this.streak.add(result.response);
				this.lastRefusal = result.response;
				await this.refused(work, result.response, isSwap);
			} else {
				if (result.sync.action === 'updated') this.streak.end();
				this.succeed(work, result.contact, result.sync);
			}
		} catch (error) {
			this.failed(work, error);
		}
		return false;
	}

	private indexEmails(works: ContactWork[]) {
		for (const work of works) {
			const email = normalizeEmail(work.wanted.fields.get('email'));
			const rivals = this.byEmail.get(email);
			if (rivals) rivals.push(work);
			else if (email !== undefined) this.byEmail.set(email, [work]);
		}
	}

	async create(works: ContactWork[]): Promise<void> {
		this.indexEmails(works);
		for (const work of works.filter(({ settings }) => settings.dryRun)) {
			const contact = newContact(work.wanted);
			const dropped = droppedFrom({}, work.wanted.unknown, contact);
			this.succeed(work, contact, syncWith('wouldCreate', namesIn(contact), dropped, []));
		}
		const open = works.filter(({ settings }) => !settings.dryRun);
		await createInBatches(this.api, this.chatbotId, open, this.isLookedUp, this);
	}

	bodyOf({ wanted }: ContactWork): IDataObject {
		return newContact(wanted);
	}

	created(work: ContactWork, contact: Contact) {
		const data = this.bodyOf(work);
		const dropped = droppedFrom(data, work.wanted.unknown, contact);
		this.succeed(work, contact, syncWith('created', namesIn(data), dropped, []));
	}

	async exists(work: ContactWork, contact: Contact, mayBeOurs: boolean) {
		const isAsSent = droppedFrom(this.bodyOf(work), new Map(), contact).length === 0;
		if (mayBeOurs && isAsSent) return this.created(work, contact);
		await this.foundExisting({ ...work, existing: contact, readAt: Date.now() });
	}

	protected async foundExisting(work: ContactWork) {
		const isGone = await this.updateOne(work);
		if (isGone) this.failed(work, work.items[0].item.error('Contact not found', goneNextStep));
	}

	failed({ items }: ContactWork, error: unknown) {
		items.forEach(({ fail }) => fail(error));
	}

	/** Sets the record as the result of all items of a work, or fails them if dropped fields are not allowed. */
	protected succeed(work: ContactWork, contact: Contact, sync: Sync) {
		this.writtenIds.add(contact.id);
		for (const { item, succeed, fail } of work.items) {
			try {
				succeed([allowedRecord(item, { contact, sync }, work.settings)]);
			} catch (error) {
				fail(error);
			}
		}
	}

	async refused(work: ContactWork, response: ApiResponse, isSwap = false) {
		const { wanted, settings, existing } = work;
		const id = existing ? externalIdOf(existing) : String(wanted.fields.get('external_id'));
		const email = wanted.fields.get('email');
		const rivals = this.byEmail.get(normalizeEmail(email)) ?? [];
		const error = await refusedError(this.api, response, {
			chatbotId: this.chatbotId,
			contactId: id,
			email,
			rivals: rivals.map(({ items: [{ item }] }) => item),
			isSwap,
			canMatchByEmail: settings.matchBy === 'externalId',
			missing: this.missing,
		});
		this.failed(work, error);
	}
}

const goneNextStep = 'It was deleted during the run. Run the node again to create it.';

function emailOf(contact?: Contact): string | undefined {
	return normalizeEmail(contact?.email);
}

function changesEmail({ existing, wanted: { fields } }: ContactWork): boolean {
	return fields.has('email') && normalizeEmail(fields.get('email')) !== emailOf(existing);
}

/** @throws NodeOperationError if fields were dropped and the item should fail then */
export function allowedRecord(
	item: InputItem,
	{ contact, sync }: Written,
	{ onDroppedFields }: WriteSettings,
): IDataObject {
	const { dropped, action } = sync;
	if (onDroppedFields === 'error' && dropped.length > 0) {
		throw droppedError(item, dropped, action === 'created' || action === 'updated');
	}
	return recordOf(contact, onDroppedFields === 'ignore' ? { ...sync, dropped: [] } : sync);
}

function droppedError(item: InputItem, dropped: string[], isWritten: boolean) {
	return item.error(
		'The service dropped fields',
		`Dropped: ${dropped.join(', ')}. ${isWritten ? 'Everything else was written' : 'Nothing was written'}. Check that the chatbot has custom attributes with exactly these names.`,
	);
}

/**
 * The error for data that the service refused. For a taken email, it names the contact that has it, if the list was read.
 *
 * @param write External ID and email of the contact; whether contacts of the run exchange their emails; the items of the
 *   run with this email; whether the operation can match by email
 */
export async function refusedError(
	api: ApiClient,
	response: ApiResponse,
	write: {
		chatbotId: string;
		contactId?: string;
		email: unknown;
		isSwap: boolean;
		rivals?: InputItem[];
		canMatchByEmail: boolean;
		missing?: MissingHolders;
	},
) {
	const { chatbotId, contactId, email, isSwap, rivals = [], canMatchByEmail, missing } = write;
	const error = api.failure(response);
	const address = normalizeEmail(email);
	if (response.outcome !== '409' || address === undefined || isAboutId(response)) return error;
	const known = await knownList(api, chatbotId);
	const holder = known?.withEmail(address).find((other) => externalIdOf(other) !== contactId);
	const holderId = holder && externalIdOf(holder);
	const words = [
		holder &&
			(holderId === undefined
				? 'A contact without an External ID had it when the list was read.'
				: `Contact ${holderId} had it when the list was read.`),
		holder &&
			missing?.contacts.has(holder) &&
			`It is missing from the input and would be ${missing.deed} after all items are written. Delete it first, or change the Email of this item.`,
		isSwap &&
			'Contacts of this run exchange their emails, which the service does not allow. Give one of them a temporary Email first.',
		rivals.length > 1 &&
			`Items of this run have the same Email: ${firstOf(rivals.map(({ identity, index }) => `${identity.id ?? address} (item ${index})`))}. Give each another Email.`,
		!isSwap &&
			rivals.length <= 1 &&
			canMatchByEmail &&
			'If both are the same customer, set Match Contacts By to External ID or Email. The contact then gets the new External ID.',
	].filter(Boolean);
	return withSentence(error, words.join(' '));
}

function isAboutId({ body, version }: ApiResponse): boolean {
	return version.isAbout(body, 'externalId');
}
