import type { IDataObject } from 'n8n-workflow';

import type { InputItem } from '../../../execution/item';
import { eachTogether } from '../../../api/limit';
import type { ApiClient } from '../../../api/client';
import type { WriteSettings } from '../input/writeTask';
import type { WantedContact } from '../plan/change';
import { newContact, namesIn, droppedFrom } from '../plan/change';
import type { Contact } from '../plan/contact';
import { externalIdOf } from '../plan/contact';
import type { Written } from '../plan/record';
import { recordOf } from '../plan/record';
import type { Unit } from '../plan/units';
import { orderOf } from '../plan/order';
import type { Creation } from '../requests/create';
import { createContacts } from '../requests/create';
import { ContactMissing, ContactRefused } from '../requests/single';
import { refusedError } from './conflict';
import type { Entry } from './entries';
import { writeChange } from './writeChange';

/** Items that are written as the contact that they are about. */
export type ContactUnit = Unit<Entry>;

/** A unit whose contact exists. */
export interface UnitUpdate {
	unit: ContactUnit;
	existing: Contact;
}

/** Writes the units of one chatbot, and answers their items. */
export class UnitWriter {
	constructor(
		private readonly api: ApiClient,
		private readonly chatbotId: string,
	) {}

	/**
	 * Changes contacts that exist. One that takes an address which another one gives up waits for it.
	 */
	async update(updates: UnitUpdate[]): Promise<void> {
		const { order, after, inSwap } = orderOf(
			updates.map(({ unit, existing }) => ({
				from: existing.email,
				to: wantedOf(unit).fields.get('email'),
			})),
		);
		const ends = new Map<number | undefined, Promise<void>>();
		// Twice as many as are sent at once: the next ones are compared while those are under way.
		await eachTogether(order, 2 * this.api.maxConcurrency, async (index) => {
			const { unit, existing } = updates[index];
			const isSwap = inSwap.has(index);
			const before = ends.get(after[index]) ?? Promise.resolve();
			const end = before.then(async () => await this.updateOne(unit, existing, isSwap));
			ends.set(index, end);
			await end;
		});
	}

	/** Creates contacts that do not exist. */
	async create(units: ContactUnit[]): Promise<void> {
		const isDry = (unit: ContactUnit) => settingsOf(unit).dryRun;
		for (const unit of units.filter(isDry)) {
			const wanted = wantedOf(unit);
			const contact = newContact(wanted);
			const dropped = droppedFrom({}, wanted.unknown, contact);
			succeed(unit, {
				contact,
				action: 'wouldCreate',
				changed: namesIn(contact),
				kept: [],
				dropped,
			});
		}
		const creations = units.filter((unit) => !isDry(unit)).map((unit) => this.creationOf(unit));
		await createContacts(this.api, this.chatbotId, creations, true);
	}

	private async updateOne(unit: ContactUnit, existing: Contact, isSwap: boolean): Promise<void> {
		const wanted = wantedOf(unit);
		const contactId = externalIdOf(existing)!;
		try {
			const settings = settingsOf(unit);
			const result = await writeChange(this.api, settings, contactId, existing, wanted);
			if (result instanceof ContactMissing) {
				failUnit(unit, () => this.api.failure(result.response, 'contact'));
			} else if (result instanceof ContactRefused) {
				const { response } = result;
				await this.refuse(unit, response, wanted, isSwap, contactId);
			} else {
				succeed(unit, result);
			}
		} catch (error) {
			failUnit(unit, () => error);
		}
	}

	private creationOf(unit: ContactUnit): Creation {
		const wanted = wantedOf(unit);
		const data = newContact(wanted);
		const onCreated = (contact: Contact) => {
			const dropped = droppedFrom(data, wanted.unknown, contact);
			succeed(unit, { contact, action: 'created', changed: namesIn(data), kept: [], dropped });
		};
		return {
			externalId: wanted.fields.get('external_id') as string,
			data,
			onCreated,
			onExisting: async (contact, mayBeOurs) => {
				const isAsSent = droppedFrom(data, new Map(), contact).length === 0;
				if (mayBeOurs && isAsSent) onCreated(contact);
				else await this.updateOne(unit, contact, false);
			},
			onRefused: async (response) => await this.refuse(unit, response, wanted, false),
			onFailed: (error) => failUnit(unit, () => error),
		};
	}

	private async refuse(
		unit: ContactUnit,
		response: ContactRefused['response'],
		{ fields }: WantedContact,
		isSwap: boolean,
		contactId = String(fields.get('external_id')),
	) {
		const { chatbotId } = this;
		const canMatchByEmail = settingsOf(unit).matchBy === 'externalId';
		const error = await refusedError(this.api, {
			chatbotId,
			response,
			contactId,
			email: fields.get('email'),
			isSwap,
			canMatchByEmail,
		});
		failUnit(unit, () => error);
	}
}

/** Answers every item of a unit with its record, or fails it where fields were dropped and that is not allowed. */
function succeed(unit: ContactUnit, written: Written) {
	const { onDroppedFields } = settingsOf(unit);
	for (const { open } of unit.items) {
		try {
			open.succeed([recordAllowed(open, written, onDroppedFields)]);
		} catch (error) {
			open.fail(error);
		}
	}
}

/**
 * The record of what was written.
 *
 * @throws NodeOperationError when fields were dropped and the item shall fail then
 */
export function recordAllowed(
	{ item }: Pick<Entry['open'], 'item'>,
	written: Written,
	onDroppedFields: WriteSettings['onDroppedFields'],
): IDataObject {
	const { dropped, action } = written;
	const isWritten = action === 'created' || action === 'updated';
	if (onDroppedFields === 'error') assertNoneDropped(item, dropped, isWritten);
	return recordOf(onDroppedFields === 'ignore' ? { ...written, dropped: [] } : written);
}

/**
 * Fails an item whose values cannot all be kept.
 *
 * @param dropped names of the fields and attributes that are not
 * @param isWritten whether the others were written
 */
export function assertNoneDropped(item: InputItem, dropped: string[], isWritten: boolean) {
	if (dropped.length === 0) return;
	throw item.failure(
		'The service dropped fields that were sent',
		`Dropped: ${dropped.join(', ')}. ${isWritten ? 'Everything else was written' : 'Nothing was written'}. Check that the chatbot has custom attributes of exactly these names.`,
	);
}

/** Fails every item of a unit, each with an error of its own where that is made anew. */
export function failUnit(unit: ContactUnit, errorFor: (entry: Entry) => unknown) {
	for (const entry of unit.items) entry.open.fail(errorFor(entry));
}

function wantedOf({ items: [{ wanted }] }: ContactUnit) {
	return wanted;
}

function settingsOf({ items: [{ open }] }: ContactUnit) {
	return open.params.settings;
}
