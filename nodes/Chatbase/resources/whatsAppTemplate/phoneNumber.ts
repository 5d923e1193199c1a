import type { InputItem } from '../../execution/item';
import { readAs } from '../../panel/field';
import { text } from '../../panel/types';

/** Fewest and most digits of a phone number with its country code (the most: ITU-T E.164). */
const digitsRange = { min: 7, max: 15 };

/** Invisible characters that address books put around a number, such as direction marks. */
const directionMarks = /\p{Cf}/gu;

/**
 * Spaces and hyphens of any kind, and other characters that people write between digits. Not a slash, a comma or a line
 * break: they separate two numbers.
 */
const separators = /[\p{Zs}\p{Pd}\u2212()[\].]/gu;

/** A plus sign at the start. A later one would start another number. */
const firstPlus = /^\p{Zs}*\+/u;

/** In `+44 (0)20 …`: the zero that is dialed within the country only. */
const innerZero = /\(\s*0\s*\)\s*/;

/**
 * A number with decimals, such as `14155552671.0` from a spreadsheet. A phone number with dots has several groups, or a short
 * group before the dot.
 */
const numberWithFraction = /^(?:\p{Zs}*\d+\.\d+|[^.]*(?:\d{6}\.\d+|\d\.\d))\p{Zs}*$/u;

/** Digits with the country code. Throws if the value is anything but one phone number. */
export function readPhoneNumber(item: InputItem, value: unknown, label: string): string {
	const written = (text.read(value) ?? '').replace(directionMarks, '');
	const dialed = written.replace(firstPlus, '').replace(separators, '');
	// Without a plus sign, two zeros stand for it.
	const digits = firstPlus.test(written) ? dialed : dialed.replace(/^00/, '');

	const rule = howToCorrect(written, digits);
	const read = () => (rule === undefined ? digits : undefined);
	return readAs(item, value, { expected: 'a phone number', rule, read }, label);
}

/** What to correct. Undefined if the digits are one phone number. */
function howToCorrect(written: string, digits: string): string | undefined {
	const { min, max } = digitsRange;

	if (innerZero.test(written))
		return `Write it without "(0)": ${written.replace(innerZero, '').trim()}.`;

	if (numberWithFraction.test(written))
		return 'Write it without a fraction, such as ".0" of a spreadsheet.';

	if (/[^\P{Nd}0-9]/u.test(written)) return 'Write its digits as 0 to 9.';

	if (written.includes('/'))
		return 'A slash can stand between two numbers. Write one number without it, such as +14155552671.';

	if (!/^\d+$/.test(digits) || digits.length < min)
		return 'Enter one number: its country code and digits, such as +14155552671.';

	if (/^00[1-9]/.test(digits))
		return `Write either + or 00: +${digits.slice('00'.length)}.`;

	if (digits.startsWith('0'))
		return 'It begins with 0, so it has no country code. Write the country code in place of the 0, such as +44 20 7946 0100 for 020 7946 0100.';

	if (digits.length > max)
		return `A phone number has at most ${max} digits, and this one has ${digits.length}.`;

	return undefined;
}
