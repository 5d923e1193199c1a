import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { InputItem } from '../execution/item';
import { isBlank } from '../values/scalar';
import { type Field, type Look, optionalField } from './field';
import { day, lastMoment, moment, readAs, type ValueType } from './values';

/** Throws if the filter is empty, since every record would match. A model fills in every filter of a tool. */
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

/** A filter. An empty one is an error, since every record would match. */
export function filterField<Value>(
	name: string,
	label: string,
	type: ValueType<Value>,
	look: Look,
): Field<Value | undefined> {
	const { property } = optionalField(`filters.${name}`, label, type, look);
	return { property, read: (item) => readFilter(item, name, label, type) };
}

/** @param what such as "contacts created" */
export function sinceFilter(name: string, label: string, what: string): Field<number | undefined> {
	const property = dateField(
		{ name, label, placeholder: 'e.g. 2026-07-01T08:30:00' },
		`Only ${what} at or after this time, in the time zone of the workflow`,
	);
	return { property, read: (item) => readFilter(item, name, label, moment(item.timeZone)) };
}

interface DateFilter {
	name: string;
	label: string;
	placeholder: string;
}

export const createdFrom = {
	name: 'startDate',
	label: 'Start Date',
	placeholder: 'e.g. 2026-07-01',
};
export const createdTo = { name: 'endDate', label: 'End Date', placeholder: 'e.g. 2026-07-31' };

function dateField({ label, name, placeholder }: DateFilter, description: string): INodeProperties {
	return { displayName: label, name, type: 'dateTime', default: '', placeholder, description };
}

/** @param what such as "leads collected" */
export function dayRangeFields(what: string): INodeProperties[] {
	const rule = 'The API compares whole days and ignores the time.';
	return [
		dateField(createdTo, `Only ${what} on this day or before. ${rule}`),
		dateField(createdFrom, `Only ${what} on this day or later. ${rule}`),
	];
}

/** @param what what happened within the range, such as "conversations created" */
export function timeRangeFields(
	what: string,
	first: DateFilter,
	last: DateFilter,
): INodeProperties[] {
	return [
		dateField(
			last,
			`Only ${what} at or before this time, in the time zone of the workflow. A date without a time counts up to its end; a time of midnight is the start of the day.`,
		),
		dateField(first, `Only ${what} at or after this time, in the time zone of the workflow`),
	];
}

/** Reads the filters of `dayRangeFields`, as days. */
export function readDayRange(item: InputItem): IDataObject {
	const type = day(item.timeZone);
	return readRange(item, [createdFrom, type], [createdTo, type], String);
}

/** Reads the filters of `timeRangeFields`, as the first and the last moment in UTC. */
export function readTimeRange(item: InputItem, first: DateFilter, last: DateFilter): IDataObject {
	const { timeZone } = item;
	return readRange(item, [first, moment(timeZone)], [last, lastMoment(timeZone)], (time) =>
		new Date(time).toISOString(),
	);
}

function readRange<Value extends number | string>(
	item: InputItem,
	[first, firstType]: [DateFilter, ValueType<Value>],
	[last, lastType]: [DateFilter, ValueType<Value>],
	format: (value: Value) => string,
): IDataObject {
	const from = readFilter(item, first.name, first.label, firstType);
	const to = readFilter(item, last.name, last.label, lastType);
	const range = {
		...(from !== undefined && { [first.name]: format(from) }),
		...(to !== undefined && { [last.name]: format(to) }),
	};
	if (from === undefined || to === undefined || from <= to) return range;
	throw item.error(
		`${first.label} is after ${last.label}`,
		`${first.label} is ${format(from)}, ${last.label} is ${format(to)}. Exchange them.`,
	);
}
