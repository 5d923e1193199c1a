import type { IDataObject } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { RequestExpiredError } from '../../api/client';
import { withSentence } from '../../api/errors';
import { forEachLimited } from '../../api/limits';
import type { ApiResponse } from '../../api/response';
import type { InputItem } from '../../execution/item';
import type { PendingItem, Run } from '../../execution/run';
import { refuseContradiction } from '../../sync/items';
import type { Sync, SyncAction } from '../../sync/summary';
import { recordOf } from '../../sync/summary';
import { firstOf } from '../../values/firstOf';
import { groupBy } from '../../values/groupBy';
import { readAttributesIfAny } from '../customAttribute/attributes';
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
import { knownList } from './list';
import type { KnownContacts, ReservedIdentities } from './match';
import { matchError, matchOf } from './match';

type Item = PendingItem<ContactParams>;

/** A contact to write, and its items, which all want the same values. */
export interface ContactWork {
	items: [Item, ...Item[]];
	wanted: WantedContact;
	settings: WriteSettings;
	/** The current contact; absent if it will be created. */
	existing?: Contact;
	/** When it was read, in milliseconds since 1970. */
	readAt: number;
}

/** Groups items about the same contact. Fails those that want different values. */
export function worksOf(items: Item[], keyOf = identityOf): ContactWork[] {
	const works: ContactWork[] = [];
	for (const group of groupBy(items, keyOf).values()) {
		const [{ params }, ...others] = group;
		const { wanted, settings } = params;
		const conflicts = others.flatMap(({ params: other }) => [
			...(JSON.stringify(other.settings) === JSON.stringify(settings) ? [] : ['options']),
			...conflictsBetween(wanted, other.wanted),
		]);
		if (conflicts.length > 0) {
			const title = 'Several items want different values for one contact';
			refuseContradiction(group, conflicts, title, adviceFor(group));
		} else {
			works.push({ items: group, wanted, settings, readAt: Date.now() });
		}
	}
	return works;
}

/** Identifies an item before its contact is known. */
function identityOf({ item: { identity } }: Item): string {
	return identity.id === undefined ? `email ${identity.email}` : `id ${identity.id}`;
}

/** Advice for items that contradict each other; undefined for the usual one. */
function adviceFor(items: Item[]): string | undefined {
	const [one, other] = new Set(items.flatMap(({ item }) => item.identity.id ?? []));
	if (other === undefined) return undefined;
	return `They match one contact by Email, though their External IDs differ (${one}, ${other}). Give each its own Email.`;
}

/**
 * Fails items for one chatbot that contradict each other.
 *
 * @param candidates the items that have not failed
 * @returns the others, and the identities of all, with those of refused items, whose chatbot may be unknown
 */
export function reserveIdentities(run: Run<ContactParams>, items: Item[], candidates = items) {
	// By ID first: of two equal items, one could match the contact by its email and take it from the other.
	const writable = worksOf(candidates).flatMap((work) => work.items);
	const open = new Set(writable);
	const failed = items.filter((item) => !open.has(item)).map(({ item }) => item);
	const all = [...run.refused, ...items.map(({ item }) => item)];
	const reserved: ReservedIdentities = {
		ids: new Set(all.flatMap(({ identity }) => identity.id ?? [])),
		emails: new Set([...run.refused, ...failed].flatMap(({ identity }) => identity.email ?? [])),
	};
	return { writable, reserved };
}

/**
 * Finds the contact of each item. Ambiguous items, and items that contradict each other, fail.
 *
 * @returns `ambiguous` has the contacts that a failed item could mean
 */
export function decide(items: Item[], known: KnownContacts, reserved: ReservedIdentities) {
	const ambiguous: Contact[] = [];
	const found = new Map<Item, Contact | undefined>();
	for (const pending of items) {
		const { item, params, fail } = pending;
		const match = matchOf(item.identity, params.settings.matchBy, known, reserved);
		if ('reason' in match) {
			ambiguous.push(...match.candidates);
			fail(matchError(item, match));
			continue;
		}
		const { contact } = match;
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
		return contact ? `contact ${externalIdOf(contact)}` : `new ${pending.item.identity.id}`;
	});
	const { readAt } = known;
	return {
		works: works.map((work) => ({ ...work, existing: found.get(work.items[0]), readAt })),
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

/** @param isSkipped whether a contact is left as it is, asked whenever it is read */
export async function writeChange(
	api: ApiClient,
	{ wanted, settings, existing, readAt }: Omit<ContactWork, 'items'>,
	contactId: string,
	isSkipped: (contact: Contact) => boolean = () => false,
	reads = 0,
): Promise<Written | ContactMissing | ContactRefused> {
	if (existing && isSkipped(existing)) {
		return { contact: existing, sync: { action: 'skipped', changed: [], dropped: [] } };
	}
	const { chatbotId, mode, dryRun } = settings;
	const readSchema = async () => await readAttributesIfAny(api, chatbotId);
	const replaces = mode === 'replace' && wanted.attributes.size > 0;
	const known = wanted.schema ?? (replaces ? await readSchema() : undefined);
	let change = changeOf(existing, wanted, settings, known);
	const resultWith = (contact: Contact, action: SyncAction, dropped: string[]): Written => {
		const { changed, kept } = change;
		return { contact, sync: { action, changed, dropped, ...(kept.length > 0 && { kept }) } };
	};
	if (existing && (change.changed.length === 0 || dryRun)) {
		const action = change.changed.length === 0 ? 'unchanged' : 'wouldUpdate';
		return resultWith(existing, action, droppedFrom({}, wanted.unknown, existing));
	}
	if (change.carriesAttributes) change = changeOf(existing, wanted, settings, await readSchema());
	const expiresAt = change.carriesAttributes && reads < maxReads ? readAt + maxAge : undefined;
	const request = { method: 'PATCH', body: { data: change.data }, expiresAt } as const;
	const contact = await patchContact(api, chatbotId, contactId, request, existing).catch(
		(error: unknown) => {
			if (error instanceof RequestExpiredError) return undefined;
			throw error;
		},
	);
	if (!contact) {
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
	return resultWith(contact, 'updated', dropped);
}

/** @param existing the contact before; undefined if it was not read */
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

export class ContactWriter {
	/** Contacts that are missing from the input, and what happens to them after the items. */
	missing?: { contacts: ReadonlySet<Contact>; deed: 'deleted' | 'marked' };

	readonly writtenIds = new Set<Contact['id']>();

	/** Whether new contacts were looked up before and not found. */
	readonly isLookedUp: boolean = true;

	private readonly streak = new RefusalStreak();

	/** Works by wanted email, to name items that compete for one. */
	private byEmail = new Map<string, ContactWork[]>();

	/** @param isSkipped whether a contact is not written, checked after each read */
	constructor(
		readonly api: ApiClient,
		readonly chatbotId: string,
		private readonly isSkipped: (contact: Contact) => boolean = () => false,
	) {}

	async write(works: ContactWork[]): Promise<void> {
		this.byEmail = groupBy(works.filter(emailOf), (work) => emailOf(work)!);
		const gone = await this.update(works.filter(({ existing }) => existing));
		await this.create([...works.filter(({ existing }) => !existing), ...gone]);
	}

	/**
	 * A change to an email that another contact of this run still has waits until that contact has changed its own.
	 *
	 * @returns works whose contact was deleted meanwhile, and can be created again
	 */
	private async update(works: ContactWork[]): Promise<ContactWork[]> {
		const gone: ContactWork[] = [];
		const givers = new Map(
			works.filter(changesEmail).map((work) => [normalizeEmail(work.existing?.email), work]),
		);
		const waiting = new Map<ContactWork, ContactWork[]>();
		const started = new Set<ContactWork>();
		const done = new Set<ContactWork>();
		// After many equal refusals, the last contact shows whether the service refuses all.
		let isProbing = false;
		let refusal: ApiResponse | undefined;
		const write = async (work: ContactWork, isSwap = false): Promise<void> => {
			if (started.has(work)) return;
			const giver = givers.get(emailOf(work));
			if (giver && giver !== work && !done.has(giver) && !isSwap) {
				waiting.set(giver, [...(waiting.get(giver) ?? []), work]);
				return;
			}
			started.add(work);
			if (refusal) await this.refused(work, refusal);
			else if (await this.updateOne(work, isSwap)) gone.push(work);
			done.add(work);
			if (this.streak.refusal && !isProbing && !refusal) {
				isProbing = true;
				const probe = [...works].reverse().find((other) => !started.has(other));
				if (probe) await write(probe, true);
				refusal = this.streak.refusal;
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
				await this.refused(work, result.response, isSwap);
			} else {
				this.succeed(work, result.contact, result.sync);
				if (result.sync.action !== 'updated') return false;
				this.streak.end();
				// The next request leaves before more contacts are compared.
				await sleep(0);
			}
		} catch (error) {
			this.failed(work, error);
		}
		return false;
	}

	private async create(works: ContactWork[]): Promise<void> {
		for (const work of works.filter(({ settings }) => settings.dryRun)) {
			this.created(work, this.bodyOf(work), 'wouldCreate');
		}
		const open = works.filter(({ settings }) => !settings.dryRun);
		await createInBatches(this, open);
	}

	bodyOf({ wanted }: ContactWork): IDataObject {
		return newContact(wanted);
	}

	created(work: ContactWork, contact: Contact, action: SyncAction = 'created') {
		const data = this.bodyOf(work);
		const dropped = droppedFrom(data, work.wanted.unknown, contact);
		this.succeed(work, contact, { action, changed: namesIn(data), dropped });
	}

	/** @param mayBeOurs whether a request of this run may have created the contact */
	async exists(work: ContactWork, contact: Contact, mayBeOurs: boolean) {
		const isAsSent = droppedFrom(this.bodyOf(work), new Map(), contact).length === 0;
		if (mayBeOurs && isAsSent) return this.created(work, contact);
		await this.foundExisting({ ...work, existing: contact, readAt: Date.now() });
	}

	protected async foundExisting(work: ContactWork) {
		if (!(await this.updateOne(work))) return;
		const nextStep = 'It was deleted during the run. Run the node again to create it.';
		this.failed(work, work.items[0].item.error('Contact not found', nextStep));
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
		const rivals = this.byEmail.get(emailOf(work) ?? '') ?? [];
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

function emailOf({ wanted }: ContactWork): string | undefined {
	return normalizeEmail(wanted.fields.get('email'));
}

function changesEmail(work: ContactWork): boolean {
	const { existing, wanted } = work;
	return wanted.fields.has('email') && emailOf(work) !== normalizeEmail(existing?.email);
}

/** Throws if fields were dropped and the item should fail then. */
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

interface RefusedWrite {
	chatbotId: string;
	contactId?: string;
	email: unknown;
	/** Whether contacts of the run exchange their emails. */
	isSwap?: boolean;
	/** The items of the run with this email. */
	rivals?: InputItem[];
	canMatchByEmail?: boolean;
	missing?: ContactWriter['missing'];
}

/** The error for refused data. For a taken email, it names the contact that has it, if the list was read. */
export async function refusedError(
	api: ApiClient,
	response: ApiResponse,
	{ chatbotId, contactId, email, isSwap, rivals = [], canMatchByEmail, missing }: RefusedWrite,
) {
	const error = api.failure(response);
	const address = normalizeEmail(email);
	const isAboutId = response.version.isAbout(response.body, 'externalId');
	if (response.outcome !== '409' || address === undefined || isAboutId) return error;
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
