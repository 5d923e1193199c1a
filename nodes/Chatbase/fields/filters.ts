import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { InputItem } from '../execution/item';
import { isBlank } from '../values/scalar';
import type { ValueType } from './values';
import { day, lastMoment, moment, readAs } from './values';

/**
 * @returns undefined if the filter was not added, or is empty in a tool
 * @throws NodeOperationError if it is empty, since every record would match
 */
export function readFilter<Value>(
	item: InputItem,
	name: string,
	label: string,
	type: ValueType<Value>,
): Value | undefined {
	const filters = item.collection('filters');
	if (!(name in filters)) return undefined;
	const value: unknown = filters[name];
	if (!isBlank(value)) return readAs(item, value, type, label);
	if (item.isTool) return undefined;
	throw item.error(
		`The filter ${label} is empty`,
		'Every record would match. Enter a value or remove the filter.',
	);
}

/** @throws NodeOperationError if a date is invalid, or the range ends before it begins */
export function readDayRange(item: InputItem): { startDate?: string; endDate?: string } {
	const type = day(item.timeZone);
	const startDate = readFilter(item, 'startDate', 'Start Date', type);
	const endDate = readFilter(item, 'endDate', 'End Date', type);
	if (startDate !== undefined && endDate !== undefined && startDate > endDate) {
		throw item.error(
			'Start Date is after End Date',
			`Start Date is ${startDate}, End Date is ${endDate}. Swap them.`,
		);
	}
	return { ...(startDate && { startDate }), ...(endDate && { endDate }) };
}

/** @param what such as "leads collected" */
export function dayRangeFields(what: string): INodeProperties[] {
	const field = (displayName: string, name: string, placeholder: string, span: string) => ({
		displayName,
		name,
		type: 'dateTime' as const,
		default: '',
		placeholder,
		description: `Only ${what} on this day or ${span}. The API compares whole days and ignores the time.`,
	});
	return [
		field('End Date', 'endDate', 'e.g. 2026-07-31', 'before'),
		field('Start Date', 'startDate', 'e.g. 2026-07-01', 'later'),
	];
}

interface TimeFilter {
	name: string;
	label: string;
	placeholder: string;
}

/**
 * Reads two filters as the first and the last moment of a range, in the form of version 2.
 *
 * @throws NodeOperationError if one is no date, or the range ends before it begins
 */
export function readTimeRange(item: InputItem, first: TimeFilter, last: TimeFilter): IDataObject {
	const from = readFilter(item, first.name, first.label, moment(item.timeZone));
	const to = readFilter(item, last.name, last.label, lastMoment(item.timeZone));
	const range = {
		...(from !== undefined && { [first.name]: new Date(from).toISOString() }),
		...(to !== undefined && { [last.name]: new Date(to).toISOString() }),
	};
	if (from === undefined || to === undefined || from <= to) return range;
	throw item.error(
		`${first.label} is after ${last.label}`,
		`In UTC, the times are ${range[first.name]} and ${range[last.name]}. Exchange them.`,
	);
}

/** @param what what happened within the range, such as "conversations created" */
export function timeRangeFields(
	what: string,
	first: TimeFilter,
	last: TimeFilter,
): INodeProperties[] {
	const field = ({ label, name, placeholder }: TimeFilter, rule: string) => ({
		displayName: label,
		name,
		type: 'dateTime' as const,
		default: '',
		placeholder,
		description: `Only ${what} at or ${rule}`,
	});
	return [
		field(
			last,
			'before this time, in the time zone of the workflow. A date without a time counts up to its end; a time of midnight is the start of the day.',
		),
		field(first, 'after this time, in the time zone of the workflow'),
	];
}

export const createdFrom = {
	name: 'startDate',
	label: 'Start Date',
	placeholder: 'e.g. 2026-07-01',
};
export const createdTo = { name: 'endDate', label: 'End Date', placeholder: 'e.g. 2026-07-31' };
