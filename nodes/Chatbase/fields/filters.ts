import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { InputItem } from '../execution/item';
import type { ValueType } from './values';
import { day, isBlank, readAs } from './values';

/**
 * Reads one filter.
 *
 * @param item the item
 * @param filters the collection of filters
 * @param name name of the filter
 * @param label display name of the filter, for errors
 * @param kind what it has to be
 * @returns undefined where the filter was not added, or a model left it blank
 * @throws NodeOperationError when it is blank, since an empty filter lets everything pass
 */
export function readFilter<Value>(
	item: InputItem,
	filters: IDataObject,
	name: string,
	label: string,
	kind: ValueType<Value>,
): Value | undefined {
	if (!(name in filters)) return undefined;
	const value: unknown = filters[name];
	if (!isBlank(value)) return readAs(item, value, kind, label);
	if (item.isTool) return undefined;
	throw item.refusal(
		`The filter ${label} is empty`,
		'An empty filter would let everything pass. Enter a value or remove the filter.',
	);
}

/** The first and the last day of a list, as the service takes them. */
export type DayRange = { startDate?: string; endDate?: string };

/**
 * Reads the filters for days.
 *
 * @throws NodeOperationError when one is no date, or the range ends before it begins
 */
export function readDayRange(item: InputItem, filters: IDataObject): DayRange {
	const kind = day(item.timeZone);
	const startDate = readFilter(item, filters, 'startDate', 'Start Date', kind);
	const endDate = readFilter(item, filters, 'endDate', 'End Date', kind);
	if (startDate !== undefined && endDate !== undefined && startDate > endDate) {
		throw item.refusal(
			'Start Date is after End Date',
			`The days are ${startDate} and ${endDate}. Exchange them.`,
		);
	}
	return { ...(startDate && { startDate }), ...(endDate && { endDate }) };
}

/**
 * The filters for days.
 *
 * @param what what a day is about, such as "leads collected"
 */
export function dayRangeFields(what: string): INodeProperties[] {
	return [
		{
			displayName: 'End Date',
			name: 'endDate',
			type: 'dateTime',
			default: '',
			placeholder: 'e.g. 2026-07-31',
			description: `Only ${what} on this day or before. The API knows whole days only, so a time of day has no effect.`,
		},
		{
			displayName: 'Start Date',
			name: 'startDate',
			type: 'dateTime',
			default: '',
			placeholder: 'e.g. 2026-07-01',
			description: `Only ${what} on this day or later. The API knows whole days only, so a time of day has no effect.`,
		},
	];
}
