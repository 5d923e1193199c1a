import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
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

/** Marks or deletes a missing contact, and returns its last record. It is read again before, since it may have changed. */
export class MissingHandler {
	private readonly now = new Date().toISOString();

	/** @param isStillMissing whether the current contact is still the missing one, and still managed */
	constructor(
		private readonly api: ApiClient,
		private readonly chatbotId: string,
		private readonly isStillMissing: (current: Contact, listed: Contact) => boolean,
	) {}

	async delete(listed: Contact): Promise<IDataObject> {
		return await this.workOn(listed, async (current, contactId) => {
			const request = { method: 'DELETE' } as const;
			const response = await sendToContact(this.api, this.chatbotId, contactId, request);
			if (response.outcome && !isContactMissing(response)) throw this.api.failure(response);
			if (!response.outcome && !confirmsDeletion(response)) {
				const now = await readContact(this.api, this.chatbotId, contactId);
				if (!(now instanceof ContactMissing)) throw this.api.unexpected(response);
			}
			return recordOf(current, 'deleted');
		});
	}

	/** Sets a date attribute to now. A date that was set meanwhile stays. */
	async mark(listed: Contact, attribute: string, settings: WriteSettings): Promise<IDataObject> {
		const wanted = {
			fields: new Map(),
			attributes: new Map([[attribute, this.now]]),
			unknown: new Map(),
		};
		const onlyIfEmpty = new Set([`custom_attributes.${attribute}`]);
		const rules: WriteSettings = { ...settings, mode: 'merge', onlyIfEmpty };
		return await this.workOn(listed, async (existing, contactId) => {
			const work = { wanted, settings: rules, existing, readAt: Date.now() };
			const result = await writeChange(this.api, work, contactId);
			if (result instanceof ContactMissing) return recordOf(existing, 'deleted');
			if (result instanceof ContactRefused) throw this.api.failure(result.response);
			return recordOf(result.contact, { ...result.sync, action: 'marked' });
		});
	}

	private async workOn(
		listed: Contact,
		work: (current: Contact, contactId: string) => Promise<IDataObject>,
	): Promise<IDataObject> {
		const contactId = externalIdOf(listed)!;
		const current = await readContact(this.api, this.chatbotId, contactId);
		if (current instanceof ContactMissing) return recordOf(listed, 'deleted');
		if (!this.isStillMissing(current, listed)) return recordOf(current, 'kept');
		return await work(current, contactId);
	}
}
