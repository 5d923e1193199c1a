import type { InputItem } from '../../../execution/item';
import {
	filledText,
	hasValue,
	numberBetween,
	readAs,
	readChoice,
	wholeNumber,
} from '../../../fields/values';
import type { OutcomeSettings } from '../report/outcome';
import { readOutcome } from '../report/outcome';
import type { SafetyLimit, Ownership } from '../plan/leavers';

/** What happens to a contact that has left the list. */
export type OnLeft = { kind: 'report' } | { kind: 'mark'; attribute: string } | { kind: 'delete' };

/** What a sync has been told to do, besides what it writes. It is the same for all items of a run. */
export interface SyncSettings {
	management: Ownership;
	onLeft: OnLeft;
	guard: SafetyLimit;
	onTooManyLeft: 'error' | 'keep';
	/** How many distinct IDs the input must have; undefined for any number. */
	expectedItems?: number;
	outcome: OutcomeSettings;
}

const defaultMaxPercent = 10;
const defaultMax = 500;

/**
 * Reads the settings of a sync.
 *
 * @throws NodeOperationError that names the field whose value cannot work
 */
export function readSyncSettings(item: InputItem): SyncSettings {
	const options = item.collection('options');
	const { maxRemovals, maxRemovalsPercent, expectedItems } = options;
	const max = hasValue(item, maxRemovals)
		? readAs(item, maxRemovals, wholeNumber(0), 'Max Removals')
		: undefined;
	const maxPercent = hasValue(item, maxRemovalsPercent)
		? readAs(item, maxRemovalsPercent, numberBetween(0, 100), 'Max Removals Percent')
		: defaultMaxPercent;
	return {
		management: readManagement(item),
		onLeft: readOnLeft(item),
		// A number of the user is a decision, which the percentage knows nothing of.
		guard: max === undefined ? { maxPercent, max: defaultMax } : { max },
		onTooManyLeft: readChoice(item, options, 'onTooManyLeft', 'If Too Many Have Left', [
			'error',
			'keep',
		]),
		expectedItems: hasValue(item, expectedItems)
			? readAs(item, expectedItems, wholeNumber(1), 'Expected Items')
			: undefined,
		outcome: readOutcome(item),
	};
}

function readManagement(item: InputItem): Ownership {
	const fields = { managedBy: item.parameter('managedBy') as string | undefined };
	const kind = readChoice(item, fields, 'managedBy', 'Managed Contacts', [
		'attribute',
		'idPrefix',
		'all',
	]);
	const text = (name: string, label: string) =>
		readAs(item, item.parameter(name), filledText, label);
	switch (kind) {
		case 'attribute':
			return {
				kind,
				attribute: text('managedAttribute', 'Mark Attribute'),
				value: text('managedValue', 'Mark Value'),
			};
		case 'idPrefix':
			return { kind, prefix: text('idPrefix', 'ID Prefix') };
		case 'all':
			return { kind };
	}
}

function readOnLeft(item: InputItem): OnLeft {
	const fields = { onLeft: item.parameter('onLeft') as string | undefined };
	const kind = readChoice(item, fields, 'onLeft', 'When a Contact Has Left the List', [
		'report',
		'mark',
		'delete',
	]);
	if (kind !== 'mark') return { kind };
	const attribute = readAs(item, item.parameter('leftAttribute'), filledText, 'Left Attribute');
	return { kind, attribute };
}
