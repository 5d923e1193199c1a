/** Dates and numbers in text, as people and spreadsheets write them. */

/** `dayPoint` is 31/12/2026 and 1,234.50, `dayComma` 31.12.2026 and 1.234,50, `monthPoint` 12/31/2026 and 1,234.50. */
export type TextFormat = 'iso' | 'dayPoint' | 'dayComma' | 'monthPoint';

export const textFormats: readonly TextFormat[] = [
	'iso',
	'dayPoint',
	'dayComma',
	'monthPoint',
];

/** A date with slashes, points or hyphens, and perhaps a time. */
const datePattern =
	/^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?:,?[ T]+(\d{1,2}):(\d{2})(?::(\d{2}))?(?: ?([ap])m)?)?$/i;

/** Thousands have no separator, or one before every three digits. */
const pointNumber = /^[+-]?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?$/;
const commaNumber = /^[+-]?(?:\d+|\d{1,3}(?:[. \u00a0\u202f]\d{3})+)(?:,\d+)?$/;

/** A date as ISO 8601, without an offset if it has a time. Undefined if the text has another form. The day or the hour may not exist. */
export function isoDateIn(text: string, format: TextFormat): string | undefined {
	if (format === 'iso') return undefined;
	const parts = datePattern.exec(text.trim());
	if (!parts) return undefined;

	const [, first = '', , second = '', year, hour, minute, seconds = '00', half] = parts;
	const [day, month] = format === 'monthPoint' ? [second, first] : [first, second];
	const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
	if (hour === undefined) return date;

	const hours = hourOf(Number(hour), half?.toLowerCase());
	return `${date}T${String(hours).padStart(2, '0')}:${minute}:${seconds}`;
}

/** The hour on a 24-hour clock. NaN if `half` is given and a 12-hour clock lacks this hour. `half` is `a` or `p`. */
function hourOf(hour: number, half: string | undefined): number {
	if (half === undefined) return hour;
	if (hour < 1 || hour > 12) return NaN;
	return (hour % 12) + (half === 'p' ? 12 : 0);
}

/** A number as JavaScript writes it, still as text. Undefined if the text is no number of this form. */
export function plainNumberIn(text: string, format: TextFormat): string | undefined {
	const number = text.trim();
	if (format === 'iso') return number;

	if (format === 'dayComma') {
		if (!commaNumber.test(number)) return undefined;
		return number.replace(/[. \u00a0\u202f]/g, '').replace(',', '.');
	}

	if (!pointNumber.test(number)) return undefined;
	return number.replaceAll(',', '');
}

/** Days before 1906 and after 2119 are rarely meant. A year, such as 2026, is no day. */
const firstExcelDay = 2200;
const lastExcelDay = 80_000;
const dayLength = 86_400_000;

/** Excel's day 0, for dates from March 1900 on. Excel also counts 29 February 1900, which did not exist. */
const excelStart = Date.UTC(1899, 11, 30);

/**
 * A number of Excel for a day, with a fraction for the time, as ISO 8601 without an offset. Undefined before 1906-01-08 and
 * after 2119-01-11.
 */
export function excelDate(number: number): string | undefined {
	const isDay = number >= firstExcelDay && number <= lastExcelDay;
	if (!isDay) return undefined;

	const seconds = Math.round((number * dayLength) / 1000);
	const date = new Date(excelStart + seconds * 1000).toISOString().slice(0, 19);
	return Number.isInteger(number) ? date.slice(0, 10) : date;
}
