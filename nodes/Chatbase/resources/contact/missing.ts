import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { errorText } from '../../api/errors';
import { forEachLimited } from '../../api/limits';
import { confirmsDeletion } from '../../api/response';
import { recordOf } from '../../mirror/summary';
import type { Contact } from './contact';
import {
	ContactMissing,
	ContactRefused,
	externalIdOf,
	isContactMissing,
	readContact,
	sendToContact,
} from './contact';
import type { WriteSettings } from './item';
import { writeChange } from './writer';

/** Marks or deletes missing contacts, and returns a record for each. */
export class MissingContacts {
	/** Whether a contact was deleted, so that its record must reach the output as a backup. */
	hasDeleted = false;

	/** Why a contact could not be marked or deleted. */
	failure?: unknown;

	/** @param isStillMissing whether the current contact is still the missing one, and still managed */
	constructor(
		private readonly api: ApiClient,
		private readonly chatbotId: string,
		private readonly isStillMissing: (current: Contact, listed: Contact) => boolean,
	) {}

	/** @returns the last record of each contact */
	async delete(missing: Contact[]): Promise<IDataObject[]> {
		return await this.each(missing, async (current, contactId) => {
			const request = { method: 'DELETE' } as const;
			const response = await sendToContact(this.api, this.chatbotId, contactId, request);
			if (response.outcome && !isContactMissing(response)) throw this.api.failure(response);
			if (!response.outcome && !confirmsDeletion(response)) {
				const now = await readContact(this.api, this.chatbotId, contactId);
				if (!(now instanceof ContactMissing)) throw this.api.unexpected(response);
			}
			this.hasDeleted = true;
			return recordOf(current, 'deleted');
		});
	}

	/** Sets a date attribute to now, and returns the changed contacts. */
	async mark(
		missing: Contact[],
		attribute: string,
		settings: WriteSettings,
	): Promise<IDataObject[]> {
		const wanted = {
			fields: new Map(),
			attributes: new Map([[attribute, new Date().toISOString()]]),
			unknown: new Map(),
		};
		// A date that was set meanwhile stays.
		const onlyIfEmpty = new Set([`custom_attributes.${attribute}`]);
		const rules: WriteSettings = { ...settings, mode: 'merge', onlyIfEmpty };
		return await this.each(missing, async (existing, contactId) => {
			const work = { wanted, settings: rules, existing, readAt: Date.now() };
			const result = await writeChange(this.api, work, contactId);
			if (result instanceof ContactMissing) return recordOf(existing, 'deleted');
			if (result instanceof ContactRefused) throw this.api.failure(result.response);
			return recordOf(result.contact, { ...result.sync, action: 'marked' });
		});
	}

	/**
	 * Reads each contact again, since it may have changed since the list was read. After a failure no more are started. The
	 * next run can handle them.
	 */
	private async each(
		missing: Contact[],
		work: (current: Contact, contactId: string) => Promise<IDataObject>,
	): Promise<IDataObject[]> {
		const records = new Map<Contact, IDataObject>();
		await forEachLimited(missing, this.api.maxConcurrency, async (listed) => {
			try {
				records.set(listed, await this.workOn(listed, work));
			} catch (error) {
				this.failure ??= error;
				records.set(listed, { ...recordOf(listed, 'kept'), error: errorText(error as Error) });
			}
		});
		return missing.map((contact) => records.get(contact)!);
	}

	private async workOn(
		listed: Contact,
		work: (current: Contact, contactId: string) => Promise<IDataObject>,
	): Promise<IDataObject> {
		if (this.failure !== undefined) return recordOf(listed, 'kept');
		const contactId = externalIdOf(listed)!;
		const current = await readContact(this.api, this.chatbotId, contactId);
		if (current instanceof ContactMissing) return recordOf(listed, 'deleted');
		if (!this.isStillMissing(current, listed)) return recordOf(current, 'kept');
		return await work(current, contactId);
	}
}
