import type { PendingItem, Run } from '../../../execution/operation';
import type { ApiClient } from '../../../api/client';
import type { Check, WriteTask } from '../input/writeTask';
import { settingsText, wantedOf } from '../input/writeTask';
import { normalizeEmail } from '../plan/contact';
import type { Identity } from '../plan/match';
import type { Asking, Unit } from '../plan/units';
import { unitsOf } from '../plan/units';

/** An item that is ready to be written. */
export interface Entry<Task extends WriteTask = WriteTask> extends Asking {
	open: PendingItem<Task>;
	claim: Identity;
}

/** The items of a run that are for one chatbot, and go out with one credential. */
export interface ChatbotEntries<Task extends WriteTask = WriteTask> {
	api: ApiClient;
	chatbotId: string;
	entries: Array<Entry<Task>>;
}

/**
 * Finishes the items that could not be understood without the attributes of the chatbot. All of them are
 * finished before any is written, so that nothing is written in Stop mode while one turns out bad.
 *
 * @returns the items that are valid; the others have failed
 */
export async function entriesOf<Task extends WriteTask>(
	{ items }: Run<Task>,
	check: Check,
): Promise<Array<Entry<Task>>> {
	const wanted = await Promise.all(
		items.map(
			(open) =>
				open.params.wanted ??
				wantedOf(open, check).catch((error: unknown) => void open.fail(error)),
		),
	);
	return items.flatMap((open, index): Entry<Task> | [] => {
		const { settings } = open.params;
		const own = wanted[index];
		if (!own) return [];
		const id = own.fields.get('external_id');
		const claim = {
			id: typeof id === 'string' ? id : undefined,
			address: normalizeEmail(own.fields.get('email')),
			matchBy: settings.matchBy,
		};
		return { open, wanted: own, settings: settingsText(settings), claim };
	});
}

/** Splits items by chatbot and credential, since expressions can choose others for each. */
export function byChatbot<Task extends WriteTask>(
	entries: Array<Entry<Task>>,
): Array<ChatbotEntries<Task>> {
	const groups: Array<ChatbotEntries<Task>> = [];
	for (const entry of entries) {
		const { api, params } = entry.open;
		const { chatbotId } = params.settings;
		const group = groups.find((other) => other.chatbotId === chatbotId && other.api === api);
		if (group) group.entries.push(entry);
		else groups.push({ api, chatbotId, entries: [entry] });
	}
	return groups;
}

/**
 * Puts items about the same contact together. Where they ask for different things, all of them fail, since
 * the result would depend on which comes last.
 *
 * @param keyOf what the contact is known by
 * @returns the units that can be written
 */
export function writableUnits<Task extends WriteTask>(
	entries: Array<Entry<Task>>,
	keyOf: (entry: Entry<Task>) => string,
): Array<Unit<Entry<Task>>> {
	const units = unitsOf(entries, keyOf);
	for (const { items, conflicts } of units) if (conflicts) refuseConflict(items);
	return units.filter(({ conflicts }) => !conflicts);
}

const namedAtMost = 5;

function refuseConflict(entries: Array<Entry<WriteTask>>) {
	const numbers = entries.slice(0, namedAtMost).map(({ open }) => open.item.index);
	const others = entries.length - numbers.length;
	const names =
		others > 0
			? `${numbers.join(', ')} and ${others} more`
			: `${numbers.slice(0, -1).join(', ')} and ${numbers[numbers.length - 1]}`;
	for (const { open } of entries) {
		open.fail(
			open.item.refusal(
				'Several items want different values for one contact',
				`Items ${names} are about the same contact. Keep one of them, for example with the node Remove Duplicates.`,
			),
		);
	}
}
