import type { IDataObject } from 'n8n-workflow';

import { errorText } from '../../../api/errors';
import { confirmsDeletion } from '../../../api/response';
import type { ApiClient } from '../../../api/client';
import type { WriteSettings } from '../input/writeTask';
import type { Contact } from '../plan/contact';
import { externalIdOf } from '../plan/contact';
import type { SyncAction } from '../plan/record';
import { recordOf } from '../plan/record';
import { pathOfContact } from '../requests/paths';
import { ContactMissing, ContactRefused, isContactMissing, readContact } from '../requests/single';
import { writeChange } from './writeChange';

const subject = 'contact';

/** Marks or removes contacts that have left the list, and tells what became of each. */
export class LeaverWriter {
	/** Whether anything was removed or marked, so that the records have to be passed on as a backup. */
	hasWritten = false;

	/** What kept a contact from being written. */
	failure?: unknown;

	/**
	 * @param isStillManaged whether the sync manages a contact as it is now
	 */
	constructor(
		private readonly api: ApiClient,
		private readonly chatbotId: string,
		private readonly isStillManaged: (contact: Contact) => boolean,
	) {}

	/** The record of a contact that has left, about which nothing is done. */
	static untouched(contact: Contact, action: SyncAction): IDataObject {
		return recordOf({ contact, action, changed: [], kept: [], dropped: [] });
	}

	/**
	 * Deletes contacts. After a failure no more are begun: what cannot be deleted now can be with the next run.
	 *
	 * @returns the record of each, as it was last
	 */
	async remove(leavers: Contact[]): Promise<IDataObject[]> {
		return await this.each(leavers, async (api, current, contactId) => {
			const path = pathOfContact(this.chatbotId, contactId);
			const response = await api.send({ method: 'DELETE', path, subject });
			if (response.outcome && !isContactMissing(response)) throw api.failure(response, subject);
			if (!response.outcome && !confirmsDeletion(response)) {
				throw api.unexpected(response, subject);
			}
			return LeaverWriter.untouched(current, 'removed');
		});
	}

	/**
	 * Writes the moment into contacts at which they were found to have left.
	 *
	 * @param attribute the custom attribute of the type date
	 * @param now the moment as ISO 8601
	 * @param settings how contacts of the run are written
	 * @returns the record of each, as it is then
	 */
	async mark(
		leavers: Contact[],
		attribute: string,
		now: string,
		settings: WriteSettings,
	): Promise<IDataObject[]> {
		const rules: WriteSettings = { ...settings, mode: 'merge', keep: new Set() };
		return await this.each(leavers, async (api, current, contactId) => {
			const wanted = {
				fields: new Map(),
				attributes: new Map([[attribute, now]]),
				unknown: new Map(),
			};
			const result = await writeChange(api, rules, contactId, current, wanted);
			if (result instanceof ContactMissing) return LeaverWriter.untouched(current, 'removed');
			if (result instanceof ContactRefused) throw api.failure(result.response, subject);
			return recordOf({ ...result, action: 'marked' });
		});
	}

	/** Works on each leaver as it is now: others may have changed it since the list was read. */
	private async each(
		leavers: Contact[],
		work: (api: ApiClient, current: Contact, contactId: string) => Promise<IDataObject>,
	): Promise<IDataObject[]> {
		return await Promise.all(
			leavers.map(async (contact) => {
				const contactId = externalIdOf(contact)!;
				try {
					const record = await this.api.inOneSlot(async (api) => {
						if (this.failure !== undefined) return LeaverWriter.untouched(contact, 'kept');
						const current = await readContact(api, this.chatbotId, contactId);
						if (current instanceof ContactMissing) {
							return LeaverWriter.untouched(contact, 'removed');
						}
						if (!this.isStillManaged(current)) return LeaverWriter.untouched(current, 'kept');
						const written = await work(api, current, contactId);
						this.hasWritten = true;
						return written;
					});
					return record;
				} catch (error) {
					this.failure ??= error;
					return { ...LeaverWriter.untouched(contact, 'kept'), error: errorText(error as Error) };
				}
			}),
		);
	}
}
