import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { escapeHtml } from '../../api/errors';
import { forEachLimited } from '../../api/limits';
import type { ApiResponse } from '../../api/response';
import type { InputItem } from '../../execution/item';
import type { PendingItem, Run } from '../../execution/run';
import type { Sync, SyncAction } from '../../mirror/summary';
import { recordOf } from '../../mirror/summary';
import { readAttributesIfAny } from '../customAttribute/attributes';
import type { CreationOutcomes } from './batch';
import { createInBatches, RefusalStreak } from './batch';
import type { Contact } from './contact';
import {
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
	droppedFrom,
	lostAttributes,
	namesIn,
	newContact,
	wantsTheSame,
} from './difference';
import type { ContactParams, WriteSettings } from './item';
import { settingsText } from './item';
import { knownList } from './list';
import type { KnownContacts, ReservedIdentities } from './match';
import { matchError, matchOf } from './match';

/** A contact to write, and the items that are about it: all of them ask for the same. */
export interface ContactWork<Params extends ContactParams = ContactParams> {
	items: [PendingItem<Params>, ...Array<PendingItem<Params>>];
	wanted: WantedContact;
	settings: WriteSettings;
	/** The contact as it is; absent if it is to be created. */
	existing?: Contact;
	/** When it was read, in milliseconds since 1970. */
	readAt: number;
}

/** Items of a run that are for one chatbot, and go out with one credential. */
interface ChatbotItems<Params> {
	api: ApiClient;
	chatbotId: string;
	items: Array<PendingItem<Params>>;
}

/** Splits items by chatbot and credential, since expressions can choose others for each. */
export function byChatbot<Params extends ContactParams>(
	items: Array<PendingItem<Params>>,
): Array<ChatbotItems<Params>> {
	const groups: Array<ChatbotItems<Params>> = [];
	for (const item of items) {
		const { chatbotId } = item.params.settings;
		const group = groups.find((other) => other.chatbotId === chatbotId && other.api === item.api);
		if (group) group.items.push(item);
		else groups.push({ api: item.api, chatbotId, items: [item] });
	}
	return groups;
}

/**
 * Puts items about the same contact together. If they ask for different things, all of them fail, since the result
 * would depend on which comes last.
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
	return [...works.values()].filter(({ items, wanted, settings }) => {
		const isOne = items.every(
			({ params }, index) =>
				index === 0 ||
				(settingsText(params.settings) === settingsText(settings) &&
					wantsTheSame(wanted, params.wanted)),
		);
		if (!isOne) refuseContradiction(items);
		return isOne;
	});
}

const maxNumbers = 5;

function refuseContradiction<Params>(items: Array<PendingItem<Params>>) {
	const numbers = items.map(({ item }) => item.index);
	const shown = numbers.slice(0, numbers.length > maxNumbers ? maxNumbers : -1);
	const rest =
		numbers.length > maxNumbers
			? `${numbers.length - maxNumbers} more`
			: numbers[numbers.length - 1];
	for (const { item, fail } of items) {
		fail(
			item.error(
				'Several items want different values for one contact',
				`Items ${shown.join(', ')} and ${rest} are about the same contact. Keep one of them, for example with a Remove Duplicates node.`,
			),
		);
	}
}

/** What the items for one chatbot name, the refused ones of the run included, whichever chatbot they were for. */
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
 * Decides for each item whether its contact exists. Items whose contact would be a guess, and items that contradict
 * each other, fail.
 *
 * @returns what can be written, and the contacts that an ambiguous item could mean
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
	// Two items can turn out to be about one contact by its email.
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

/** After this time, a contact is read again before attributes go out that an item does not mention. */
const maxAge = 30_000;

/**
 * Brings a contact that exists to what is wanted, and holds the result against what was sent.
 *
 * @returns what was written, or why nothing was
 * @throws NodeApiError if the service fails
 */
export async function writeChange(
	api: ApiClient,
	{ wanted, settings, existing, readAt }: Omit<ContactWork, 'items'>,
	contactId: string,
): Promise<Written | ContactMissing | ContactRefused> {
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
	let before = existing;
	if (change.carriesAttributes) {
		const schema = await readSchema();
		if (Date.now() - readAt > maxAge) {
			const current = await readContact(api, chatbotId, contactId);
			if (current instanceof ContactMissing) return current;
			before = current;
		}
		change = changeOf(before, wanted, settings, schema);
	}
	const contact = await patchContact(api, chatbotId, contactId, change.data, before);
	if (contact instanceof ContactMissing || contact instanceof ContactRefused) return contact;
	const dropped = [
		...droppedFrom(change.data, wanted.unknown, contact),
		...(mode === 'merge' ? lostAttributes(before, wanted, contact) : []),
	];
	return { contact, sync: syncWith('updated', change.changed, dropped, change.kept) };
}

function syncWith(action: SyncAction, changed: string[], dropped: string[], kept: string[]): Sync {
	return { action, changed, dropped, ...(kept.length > 0 && { kept }) };
}

/**
 * @param existing the contact as it was; undefined if that is not known
 * @returns the contact as it is then, or what kept it from being changed
 * @throws NodeApiError if the service fails, or does not know the chatbot
 */
async function patchContact(
	api: ApiClient,
	chatbotId: string,
	contactId: string,
	data: IDataObject,
	existing?: Contact,
): Promise<Contact | ContactMissing | ContactRefused> {
	const request = { method: 'PATCH', body: { data } } as const;
	const response = await sendToContact(api, chatbotId, contactId, request);
	if (response.outcome === '400' || response.outcome === '409') return new ContactRefused(response);
	if (!isContactMissing(response)) return api.expectBody<Contact>(response);
	const newId = data.external_id;
	if (!response.mayHaveRun || typeof newId !== 'string' || newId === contactId) {
		return new ContactMissing(response);
	}
	// An attempt whose response was lost may have given the contact its new ID; or it never existed, and the ID is another's.
	const found = await readContact(api, chatbotId, newId);
	if (found instanceof ContactMissing) return found;
	const isSame =
		existing?.id === undefined
			? droppedFrom(data, new Map(), found).length === 0
			: found.id === existing.id;
	return isSame ? found : new ContactMissing(response);
}

interface MissingHolders {
	contacts: ReadonlySet<Contact>;
	deed: 'deleted' | 'marked';
}

/** Writes the contacts of one chatbot, and answers their items. */
export class ContactWriter implements CreationOutcomes {
	/** @param isSkipped whether a contact is left as it is, asked whenever one is read */
	constructor(
		protected readonly api: ApiClient,
		private readonly chatbotId: string,
		private readonly isSkipped: (contact: Contact) => boolean = () => false,
		/** Whether contacts to create were looked up before, and not found. */
		private readonly isLookedUp = true,
	) {}

	/** Contacts that are missing from the input, and what will be done with them after the items. */
	missing: MissingHolders = { contacts: new Set(), deed: 'deleted' };

	private readonly streak = new RefusalStreak();

	private lastRefusal?: ApiResponse;

	/** Internal IDs of the contacts that items were answered with. */
	readonly writtenIds = new Set<Contact['id']>();

	async write(works: ContactWork[]): Promise<void> {
		const gone = await this.update(works.filter(({ existing }) => existing));
		await this.create([...works.filter(({ existing }) => !existing), ...gone]);
	}

	/**
	 * Changes contacts that exist. A change that takes an address waits until the contact of this run that has it has
	 * given it up.
	 *
	 * @returns works whose contact was deleted meanwhile, and can be created anew
	 */
	private async update(works: ContactWork[]): Promise<ContactWork[]> {
		const gone: ContactWork[] = [];
		const givers = new Map(
			works.filter(changesEmail).map((work) => [emailOf(work.existing), work]),
		);
		const waiting = new Map<ContactWork, ContactWork[]>();
		const started = new Set<ContactWork>();
		const done = new Set<ContactWork>();
		// After many refusals in the same words, one from the far end tells whether they stand for the rest.
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
		// Twice as many as are sent at once: the next ones are compared while those are under way.
		await forEachLimited(works, 2 * this.api.maxConcurrency, async (work) => await write(work));
		// What still waits takes part in a circle, which only a service that shares addresses allows.
		for (const work of works) await write(work, true);
		return gone;
	}

	/** @returns whether the contact is gone and can be created anew */
	private async updateOne(work: ContactWork, isSwap = false): Promise<boolean> {
		const { existing, wanted } = work;
		if (this.isSkipped(existing!)) {
			this.succeed(work, existing!, 'skipped');
			return false;
		}
		try {
			const result = await writeChange(this.api, work, externalIdOf(existing!)!);
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

	async create(works: ContactWork[]): Promise<void> {
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

	/** Answers every item of a work with its record, or fails it if fields were dropped and that is not allowed. */
	protected succeed(work: ContactWork, contact: Contact, sync: Sync | SyncAction) {
		this.writtenIds.add(contact.id);
		for (const { item, succeed, fail } of work.items) {
			try {
				const isSkipped = typeof sync === 'string';
				succeed([
					isSkipped
						? recordOf(contact, sync)
						: allowedRecord(item, { contact, sync }, work.settings),
				]);
			} catch (error) {
				fail(error);
			}
		}
	}

	async refused(work: ContactWork, response: ApiResponse, isSwap = false) {
		const { wanted, settings, existing } = work;
		const id = existing ? externalIdOf(existing) : String(wanted.fields.get('external_id'));
		const error = await refusedError(this.api, response, {
			chatbotId: this.chatbotId,
			contactId: id,
			email: wanted.fields.get('email'),
			isSwap,
			canMatchByEmail: settings.matchBy === 'externalId',
			missing: this.missing,
		});
		this.failed(work, error);
	}
}

const goneNextStep =
	'It was deleted while the node was writing it. Run the node again to create it.';

function emailOf(contact?: Contact): string | undefined {
	return normalizeEmail(contact?.email);
}

function changesEmail({ existing, wanted: { fields } }: ContactWork): boolean {
	return fields.has('email') && normalizeEmail(fields.get('email')) !== emailOf(existing);
}

/** @throws NodeOperationError if fields were dropped and the item is to fail then */
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
		'The service dropped fields that were sent',
		`Dropped: ${dropped.join(', ')}. ${isWritten ? 'Everything else was written' : 'Nothing was written'}. Check that the chatbot has custom attributes of exactly these names.`,
	);
}

/**
 * The error for data that the service has refused. If an address is taken and the list was read, it says who has it.
 *
 * @param write External ID and email of the contact; whether several contacts of the run exchange their addresses;
 *   whether the operation can match by email
 */
export async function refusedError(
	api: ApiClient,
	response: ApiResponse,
	write: {
		chatbotId: string;
		contactId?: string;
		email: unknown;
		isSwap: boolean;
		canMatchByEmail: boolean;
		missing?: MissingHolders;
	},
) {
	const { chatbotId, contactId, email, isSwap, canMatchByEmail, missing } = write;
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
				: `The contact with the External ID "${holderId}" had it when the list was read.`),
		holder &&
			missing?.contacts.has(holder) &&
			`It is missing from the input and would be ${missing.deed}, but only after every item is written. Delete it first, or give this item another address.`,
		isSwap &&
			'It gives this address up in the same run and takes another one in return, which the service allows in no order: give one of them another address first, and its own in a second run.',
		!isSwap &&
			canMatchByEmail &&
			'If it is the same person, set Match Contacts By to External ID or Email: the contact then takes the new External ID.',
	].filter(Boolean);
	error.description = [error.description, escapeHtml(words.join(' '))].filter(Boolean).join(' ');
	return error;
}

/** Whether the service says that the ID is taken, and not the address. */
function isAboutId({ body, version }: ApiResponse): boolean {
	return version.isAbout(body, 'externalId');
}
