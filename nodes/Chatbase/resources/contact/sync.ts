import type { INodeProperties, NodeOperationError } from 'n8n-workflow';

import type { InputItem } from '../../execution/item';
import type { BatchOperation, Run } from '../../execution/operation';
import { optionsField } from '../../fields/collections';
import { isObject } from '../../values/object';
import { outcomeOptions } from './description/outcomeOptions';
import { syncFields, syncOptions } from './description/sync';
import { writeOptions } from './description/writeOptions';
import type { SyncSettings } from './input/syncSettings';
import { readSyncSettings } from './input/syncSettings';
import type { WriteTask } from './input/writeTask';
import { readWriteTask, settingsText } from './input/writeTask';
import type { Contact } from './plan/contact';
import { externalIdOf } from './plan/contact';
import type { LimitResult } from './plan/leavers';
import { isManaged, isOfAnotherSync, checkLimit, findMissing } from './plan/leavers';
import type { OutcomeSettings, RunExtras } from './report/outcome';
import { concludeRun, outcomeOf, readOutcome } from './report/outcome';
import { FoundContacts, knowList } from './requests/find';
import { incompleteListText, readContactList } from './requests/list';
import { maxPageSize } from './requests/paths';
import { assertSyncAttributes, setMarks } from './write/marks';
import { assertFullRun } from './write/alone';
import type { Entry } from './write/entries';
import { claimsOf, namedBy } from './write/claims';
import { entriesOf, writableUnits } from './write/entries';
import { LeaverWriter } from './write/leaverWriter';
import { planUnits } from './write/planUnits';
import { UnitWriter } from './write/unitWriter';

interface SyncTask extends WriteTask {
	sync: SyncSettings;
}

/**
 * Brings the contacts of a chatbot to the list that comes in: creates and updates those in it, and reports, marks or
 * deletes those that it manages and that are not in it.
 */
export const syncContacts: BatchOperation<SyncTask> = {
	validateRun: assertFullRun,

	read(item) {
		if (isNameless(item)) throw noId(item);
		return { sync: readSyncSettings(item), ...readWriteTask(item, false, check) };
	},

	continueAfterFailure: (item) => readOutcome(item).onFailedItems === 'finish',

	async sendAll(run) {
		const [first] = run.items;
		const refused = run.refused.find(isNameless);
		if (refused) throw noId(refused);
		const outcome = outcomeOf(run);
		const dryRun = run.items.some(({ params }) => params.settings.dryRun);
		if (!first) return concludeRun(run, outcome, dryRun, () => undefined);
		assertOneSetting(run);
		const entries = await entriesOf(run, check);
		const nameless = entries.find(({ claim }) => claim.id === undefined);
		if (nameless) throw noId(nameless.open.item);
		assertInput(run, first.params.sync, entries);
		const names = new Map(entries.map(({ open, claim }) => [open.item.index, claim.id]));
		const left = await syncAll(run, entries, outcome);
		return concludeRun(run, outcome, dryRun, ({ index }) => names.get(index), left);
	},
};

/** Reads, judges, writes. */
async function syncAll(
	run: Run<SyncTask>,
	entries: Array<Entry<SyncTask>>,
	{ output }: OutcomeSettings,
): Promise<RunExtras> {
	const [{ item, params, api }] = run.items;
	const { sync, settings } = params;
	const { chatbotId, dryRun } = settings;
	const { management, onLeft } = sync;
	await assertSyncAttributes(item, api, chatbotId, sync);
	const list = await readContactList(api, {
		chatbotId,
		perPage: maxPageSize,
		startPage: 1,
		limit: Infinity,
	});
	if (!list.complete) {
		throw item.runFailure(
			'The contact list could not be read completely',
			incompleteListText(list),
		);
	}
	const known = new FoundContacts();
	list.contacts.forEach((contact) => known.add(contact));
	known.isWhole = true;
	knowList(api, chatbotId, known);

	// By their ID first: one of them could find the contact by its address, and the other one not at all.
	const units = writableUnits(setMarks(entries, sync), ({ claim }) => claim.id!);
	const writable = units.flatMap(({ items }) => items);
	const claims = claimsOf(run, entries, entries, writable);
	const { updates, creations } = planUnits(writable, known, claims, (contact) =>
		isOfAnotherSync(contact, management),
	);

	const present = new Set([
		...claims.ids,
		...updates.map(({ existing }) => externalIdOf(existing)!),
	]);
	const leftAttribute = onLeft.kind === 'mark' ? onLeft.attribute : undefined;
	const { leavers, managed } = findMissing(list.contacts, management, present, leftAttribute);
	const verdict =
		onLeft.kind === 'report' ? 'fine' : checkLimit(leavers.length, managed, sync.guard);
	const mayKeep = sync.onTooManyLeft === 'keep' && verdict === 'tooMany';
	if (verdict !== 'fine' && !dryRun && !mayKeep) {
		throw tooMany(item, sync, leavers, managed, verdict);
	}

	const writer = new UnitWriter(api, chatbotId);
	await writer.update(updates);
	await writer.create(creations);

	const staying = (action: 'left' | 'kept' | 'wouldMark' | 'wouldRemove'): RunExtras => ({
		leavers: leavers.map((contact) => LeaverWriter.untouched(contact, action)),
		overLimit: verdict !== 'fine',
	});
	if (onLeft.kind === 'report') return staying('left');
	if (mayKeep || (run.hasFailures() && !dryRun)) return staying('kept');
	if (dryRun) return staying(onLeft.kind === 'mark' ? 'wouldMark' : 'wouldRemove');
	const leaverWriter = new LeaverWriter(api, chatbotId, (contact) =>
		isManaged(contact, management),
	);
	const records =
		onLeft.kind === 'mark'
			? await leaverWriter.mark(leavers, onLeft.attribute, new Date().toISOString(), settings)
			: await leaverWriter.remove(leavers);
	// What is gone has to come out as a backup, whatever became of the others: their records say what failed.
	const needsOutput = leaverWriter.hasWritten && output !== 'summary';
	if (leaverWriter.failure !== undefined && run.context.endsOnFailure && !needsOutput) {
		throw leaverWriter.failure;
	}
	return { leavers: records, overLimit: false };
}

function check() {
	// An item without an ID is refused with the whole run.
}

/** Whether an item names no ID, not in the JSON either that is only read with the rest of the item. */
function isNameless(item: InputItem): boolean {
	const fields = item.rawParameter('additionalFields');
	const mayNameElsewhere = isObject(fields) && 'extraFieldsJson' in fields;
	return !mayNameElsewhere && namedBy([item]).length === 0;
}

function noId(item: InputItem): NodeOperationError {
	return item.refusal(
		'External ID is empty',
		'Sync List takes every contact that is not in the input for one that has left, so each item needs the ID of its contact. The whole run was refused. An empty item can come from Always Output Data of the node before.',
	);
}

/** @throws NodeOperationError when items differ in anything but the data of their contact */
function assertOneSetting({ items }: Run<SyncTask>) {
	const [first] = items;
	const textOf = ({ sync, settings }: SyncTask) => JSON.stringify([sync, settingsText(settings)]);
	const expected = textOf(first.params);
	const other = items.find(({ params, api }) => textOf(params) !== expected || api !== first.api);
	if (!other) return;
	throw other.item.refusal(
		'The items have different settings',
		`Item ${first.item.index} has others. One run brings one chatbot in step with one list: use the same chatbot, credential and settings for all items.`,
	);
}

/** @throws NodeOperationError when the input cannot be the whole list */
function assertInput(
	{ items, refused }: Run<SyncTask>,
	{ management, expectedItems }: SyncSettings,
	entries: Entry[],
) {
	if (management.kind === 'idPrefix') {
		const foreign = entries.find(({ claim }) => !claim.id!.startsWith(management.prefix));
		if (foreign) {
			throw foreign.open.item.refusal(
				'An External ID lacks the ID Prefix',
				`"${foreign.claim.id}" does not begin with "${management.prefix}". The sync would create a contact that it does not manage.`,
			);
		}
	}
	const ids = new Set([...entries.map(({ claim }) => claim.id), ...namedBy(refused)]);
	if (expectedItems === undefined || ids.size === expectedItems) return;
	throw items[0].item.runFailure(
		'The input is not as long as expected',
		`It has ${ids.size} different External IDs, and Expected Items says ${expectedItems}. Nothing was written. Look whether the nodes before have brought the whole list.`,
	);
}

const namedAtMost = 5;
const number = new Intl.NumberFormat('en-US');

function tooMany(
	item: InputItem,
	{ guard, onLeft }: SyncSettings,
	leavers: Contact[],
	managed: number,
	verdict: LimitResult,
): NodeOperationError {
	const names = leavers.slice(0, namedAtMost).map((contact) => externalIdOf(contact));
	const more = leavers.length > names.length ? ' and others' : '';
	const limit =
		guard.maxPercent === undefined
			? `Max Removals allows ${number.format(guard.max)}`
			: `${guard.maxPercent} percent or ${number.format(guard.max)} are allowed at once`;
	const deed = onLeft.kind === 'mark' ? 'marked' : 'deleted';
	const isEverybody = verdict === 'everybody';
	return item.runFailure(
		isEverybody
			? 'All managed contacts would leave at once'
			: 'Too many contacts have left the list at once',
		`${number.format(leavers.length)} of ${number.format(managed)} managed contacts are not in the input and would be ${deed}, among them ${names.join(', ')}${more}; ${limit}. Nothing was written. Most often the list that came in is not whole: look at the nodes before. ${
			isEverybody
				? 'All of them can never be removed by one run: remove them with the operation Delete.'
				: `If they are right, see them all with Dry Run, then set Max Removals to ${leavers.length} for one run.`
		}`,
	);
}

const show = { resource: ['contact'], operation: ['sync'] };

/** Whose contacts these are, which stands above the data of the contacts. */
export const contactSyncFields: INodeProperties[] = syncFields(show);

export const contactSyncOptions: INodeProperties[] = [
	optionsField(show, [...writeOptions, ...outcomeOptions, ...syncOptions]),
];
