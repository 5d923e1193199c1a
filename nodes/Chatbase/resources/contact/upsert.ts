import type { INodeProperties } from 'n8n-workflow';

import type { InputItem } from '../../execution/item';
import type { BatchOperation } from '../../execution/operation';
import { optionsField } from '../../fields/collections';
import { outcomeOptions } from './description/outcomeOptions';
import { writeOptions } from './description/writeOptions';
import type { WriteTask } from './input/writeTask';
import { readWriteTask } from './input/writeTask';
import type { WantedContact } from './plan/change';
import { normalizeEmail } from './plan/contact';
import type { Identity, ReservedIdentities } from './plan/match';
import { needsWholeList } from './plan/match';
import { concludeRun, outcomeOf, readOutcome } from './report/outcome';
import { findContacts } from './requests/find';
import { claimsOf } from './write/claims';
import type { ChatbotEntries, Entry } from './write/entries';
import { byChatbot, entriesOf, writableUnits } from './write/entries';
import { planUnits } from './write/planUnits';
import { UnitWriter } from './write/unitWriter';

/** Brings contacts to what the items say: creates those that are missing, patches those that differ. */
export const upsertContact: BatchOperation<WriteTask> = {
	read: (item) => readWriteTask(item, false, check),

	continueAfterFailure: (item) => readOutcome(item).onFailedItems === 'finish',

	async sendAll(run) {
		const outcome = outcomeOf(run);
		const entries = await entriesOf(run, check);
		const groups = byChatbot(entries).map((group) => {
			// What contradicts itself needs no look-up.
			const units = writableUnits(group.entries, ({ claim }) => keyOf(claim));
			const writable = units.flatMap(({ items }) => items);
			const claims = claimsOf(run, entries, group.entries, writable);
			return { group: { ...group, entries: writable }, claims };
		});
		// All chatbots are looked up before the first contact of any is written.
		const plans = await Promise.all(
			groups.map(async ({ group, claims }) => await planOf(group, claims)),
		);
		await Promise.all(plans.map(async (plan) => await plan?.write()));
		const names = new Map(
			entries.map(({ open, claim }) => [open.item.index, claim.id ?? claim.address]),
		);
		return concludeRun(
			run,
			outcome,
			run.items.some(({ params }) => params.settings.dryRun),
			({ index }) => names.get(index),
		);
	},
};

function check(item: InputItem, { fields }: WantedContact) {
	if (fields.has('external_id') || normalizeEmail(fields.get('email')) !== undefined) return;
	throw item.refusal(
		'External ID is empty',
		'The node finds contacts by this ID, or by Email where it has no ID. Map at least one of them.',
	);
}

/** Tells items apart before their contacts are known. */
function keyOf({ id, address }: Identity): string {
	return id === undefined ? `address ${address}` : `id ${id}`;
}

/** Looks the contacts of one chatbot up and decides what to write; undefined where that was not possible. */
async function planOf(
	{ api, chatbotId, entries }: ChatbotEntries,
	claims: ReservedIdentities,
): Promise<{ write(): Promise<void> } | undefined> {
	try {
		const byOwnId = new Map<string, Entry[]>();
		for (const entry of entries) {
			const { id } = entry.claim;
			if (id === undefined) continue;
			const others = byOwnId.get(id);
			if (others) others.push(entry);
			else byOwnId.set(id, [entry]);
		}
		const ids = new Set(byOwnId.keys());
		const needsList = needsWholeList(entries.map(({ claim }) => claim));
		const found = await findContacts(api, chatbotId, ids, needsList, (id, error) =>
			byOwnId.get(id)!.forEach(({ open }) => open.fail(error)),
		);
		const known = entries.filter(({ claim }) => !found.failed.has(claim.id ?? ''));
		const { updates, creations } = planUnits(known, found, claims);
		const writer = new UnitWriter(api, chatbotId);
		return {
			async write() {
				// Updates come first: they may free an e-mail address that a new contact is to have.
				await writer.update(updates);
				await writer.create(creations);
			},
		};
	} catch (error) {
		entries.forEach(({ open }) => open.fail(error));
		return undefined;
	}
}

const show = { resource: ['contact'], operation: ['upsert'] };

export const contactUpsertFields: INodeProperties[] = [
	optionsField(show, [...writeOptions, ...outcomeOptions]),
];
