import type { IDataObject } from 'n8n-workflow';

/** Whether a value is a JSON object, and neither an array nor null. */
export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A JSON object as it is; an empty one for any other value. */
export function objectIn(value: unknown): IDataObject {
	return isObject(value) ? value : {};
}

/** Unlike `record[key]`, ignores inherited values, such as `constructor`. */
export function ownValue<Value>(
	record: Record<string, Value>,
	key: string,
): Value | undefined {
	return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** An object with the same names. Each value becomes what `make` returns for it. */
export function mapValues<Value, Made>(
	record: Record<string, Value>,
	make: (value: Value) => Made,
): Record<string, Made> {
	const entries = Object.entries(record).map(([name, value]) => [name, make(value)]);
	return Object.fromEntries(entries) as Record<string, Made>;
}

export function asObjects(value: unknown): IDataObject[] | undefined {
	return Array.isArray(value) && value.every(isObject) ? value : undefined;
}

/** The objects of a list, without its other entries; none for any other value. */
export function objectsIn(value: unknown): IDataObject[] {
	return Array.isArray(value) ? value.filter(isObject) : [];
}

/** A value as JSON holds it, such as a date as text, so that it can be compared with a response. */
export function plainJson(value: unknown): unknown {
	if (typeof value !== 'object' || value === null) return value;
	return JSON.parse(JSON.stringify(value)) as unknown;
}

const booleans = new Map<unknown, boolean>([
	...[true, 1, 'true', '1', 'yes', 'on'].map((value) => [value, true] as const),
	...[false, 0, 'false', '0', 'no', 'off'].map((value) => [value, false] as const),
]);

/** A value as a boolean (case-insensitive); undefined if it is neither. */
export function booleanOf(value: unknown): boolean | undefined {
	const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
	return booleans.get(word);
}

export function isEmpty(value: unknown): value is null | undefined | '' {
	return value === '' || value === null || value === undefined;
}

/** Whether a cell is empty. Those of spreadsheets may have spaces. */
export function isEmptyCell(value: unknown): boolean {
	if (typeof value === 'string') return value.trim() === '';
	return isEmpty(value);
}

/** Whether a value is empty, or a list without entries. */
export function isNothing(value: unknown): boolean {
	return isEmpty(value) || (Array.isArray(value) && value.length === 0);
}

/** Whether a value is empty, only spaces, or a list of such values. */
export function isBlank(value: unknown): boolean {
	if (Array.isArray(value)) return value.every(isBlank);
	return isEmpty(value) || (typeof value === 'string' && value.trim() === '');
}

export const countFormat = new Intl.NumberFormat('en-US');

/** A number, or text as a number: NaN for other text, undefined for other values. */
export function numberOf(value: unknown): number | undefined {
	if (typeof value === 'string' && value.trim() !== '') return Number(value);
	return typeof value === 'number' ? value : undefined;
}

/** Whether a number has all its digits: larger whole numbers may have lost some. */
export function isExact(value: number): boolean {
	return (
		Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
	);
}

/** Whether JSON has a number anywhere that may have lost digits. */
export function hasInexactNumber(value: unknown): boolean {
	if (typeof value === 'number') return !isExact(value);
	if (typeof value !== 'object' || value === null) return false;
	return Object.values(value).some(hasInexactNumber);
}

/** Whether text is a number with more digits than JavaScript can hold. */
export function losesDigits(text: string): boolean {
	const value = Number(text);
	if (Number.isNaN(value)) return false;
	if (!Number.isFinite(value)) return true;

	const [, written = ''] = /^[+-]?([\d.]*)/.exec(text.trim()) ?? [];
	const digits = written.replace('.', '').replace(/^0+/, '');
	if (digits.length <= 15) return false;

	const number = text.trim().replace(/^\+/, '');
	return String(value) !== withoutLastZeros(number);
}

/** Such as 1.5 for 1.500, and 1 for 1.0. Other text is unchanged. */
function withoutLastZeros(number: string): string {
	if (!/^-?\d*\.\d*$/.test(number)) return number;
	// The pattern looks at each zero once, even in a long row of them.
	return number.replace(/(?<!0)0+$/, '').replace(/\.$/, '');
}

const longNumber = /[:[,]\s*-?\d(?:[\d.]{15}|[\d.]*[eE]\+?\d{3})/;

const textOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/** Puts quotes around each number in valid JSON that would otherwise lose digits when it is parsed. */
export function quoteLongNumbers(json: string): string {
	if (!longNumber.test(json)) return json;

	return json.replace(textOrNumber, (token) => {
		const isNumber = !token.startsWith('"');
		return isNumber && losesDigits(token) ? `"${token}"` : token;
	});
}
