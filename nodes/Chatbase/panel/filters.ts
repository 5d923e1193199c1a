import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';

import type { Failure } from '../api/failure';
import type { InputItem } from '../execution/item';
import { isBlank } from '../values/json';
import { type Field, type FieldLook, optionalField, readAs } from './field';
import { commaList, calendarDay, lastMoment, moment, type ValueType } from './types';

/**
 * A filter, whose type may depend on the time zone of the workflow. An empty one is an error, since every record would
 * match, except in a tool, where a model fills in every filter.
 */
export function filterField<Value>(
	name: string,
	label: string,
	type: ValueType<Value> | ((timeZone: string) => ValueType<Value>),
	look: FieldLook,
): Field<Value | undefined> {
	const typeIn = typeof type === 'function' ? type : () => type;
	const { property } = optionalField(name, label, typeIn('UTC'), look);
	const read = (item: InputItem) => {
		const path = `filters.${name}`;
		if (item.rawParameter(path) === undefined) return undefined;

		const value = item.parameter(path);
		if (!isBlank(value)) return readAs(item, value, typeIn(item.timeZone), label);
		if (item.isTool) return undefined;
		throw emptyFilter(item, label);
	};
	return { property, read };
}

/** The error of a filter that was added and has no value. */
export function emptyFilter(place: Pick<InputItem, 'error'>, label: string): Failure {
	return place.error(
		`The filter ${label} is empty`,
		'Every record would match. Enter a value or remove the filter.',
	);
}

/**
 * A filter with several values, of which one has to match. `options` are the values to choose from, or an example for values
 * that are typed.
 */
export function anyOfFilter(
	label: string,
	name: string,
	description: string,
	options: INodePropertyOptions[] | string,
): Field<string | undefined> {
	if (Array.isArray(options)) {
		const look = { type: 'multiOptions' as const, default: [], description, options };
		return filterField(name, label, commaList, look);
	}

	const look = {
		placeholder: options,
		description: `${description}, separated by commas`,
	};
	return filterField(name, label, commaList, look);
}

/** The label of a date filter, and its example. */
type DateLabel = readonly [label: string, placeholder: string];

const startDate: DateLabel = ['Start Date', 'e.g. 2026-07-01'];
const endDate: DateLabel = ['End Date', 'e.g. 2026-07-31'];

/** A filter for a date. Its name is made from its label. */
function dateFilter<Value>(
	[label, placeholder]: DateLabel,
	description: string,
	typeIn: (timeZone: string) => ValueType<Value>,
) {
	const name = label.charAt(0).toLowerCase() + label.slice(1).replaceAll(' ', '');
	return filterField(name, label, typeIn, { type: 'dateTime', placeholder, description });
}

/** @param what such as "contacts created" */
export function sinceFilter(shown: DateLabel, what: string): Field<number | undefined> {
	const description = `Only ${what} at or after this time, in the time zone of the workflow`;
	return dateFilter(shown, description, moment);
}

/** Two filters for the first and the last day of a range. `what` is a text such as "leads collected". */
export function dayRange(what: string): DateRange {
	const rule = 'The API compares whole days and ignores the time.';
	return rangeOf(
		dateFilter(startDate, `Only ${what} on this day or later. ${rule}`, calendarDay),
		dateFilter(endDate, `Only ${what} on this day or before. ${rule}`, calendarDay),
		String,
	);
}

/** Two filters for the first and the last time of a range. The API gets them in UTC. */
export function timeRange(what: string, first = startDate, last = endDate): DateRange {
	const description = `Only ${what} at or before this time, in the time zone of the workflow. A date without a time includes the whole day. Midnight is the start of the day.`;
	return rangeOf(
		sinceFilter(first, what),
		dateFilter(last, description, lastMoment),
		(time) => new Date(time).toISOString(),
	);
}

/** Two filters, of which the second one must not be before the first. */
interface DateRange {
	fields: Array<Field<unknown>>;
	/** Reads the values under the names of the filters. Throws if they are in the wrong order. */
	read(item: InputItem): IDataObject;
}

function rangeOf<Value extends number | string>(
	first: Field<Value | undefined>,
	last: Field<Value | undefined>,
	format: (value: Value) => string,
): DateRange {
	const [firstLabel, lastLabel] = [first, last].map(
		({ property }) => property.displayName,
	);

	const read = (item: InputItem): IDataObject => {
		const [from, to] = [first.read(item), last.read(item)];
		if (from !== undefined && to !== undefined && from > to) {
			throw item.error(
				`${firstLabel} is after ${lastLabel}`,
				`${firstLabel} is ${format(from)}, ${lastLabel} is ${format(to)}. Swap them.`,
			);
		}

		return {
			...(from !== undefined && { [first.property.name]: format(from) }),
			...(to !== undefined && { [last.property.name]: format(to) }),
		};
	};

	return { fields: [last, first], read };
}
