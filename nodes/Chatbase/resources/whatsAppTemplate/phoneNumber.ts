import type { InputItem } from '../../execution/item';
import { describeValue, text } from '../../panel/types';

/** Most digits of a phone number with its country code (ITU-T E.164). */
const maxDigits = 15;

const minDigits = 7;

/** Spaces of any width, and what people write between digits. Line breaks and commas stand between two numbers. */
const separators = /[\p{Zs}()[\]./-]/gu;

/** In `+44 (0)20 …`: the zero that is dialed within the country only. */
const innerZero = /\(\s*0\s*\)\s*/;

/** The end of a number that a spreadsheet or a table has written with decimals. */
const decimals = /\.0+\p{Zs}*$/u;

/** Digits with the country code. Throws if the value is anything but one phone number. */
export function readPhoneNumber(item: InputItem, value: unknown, label: string): string {
	const written = text.read(value) ?? '';
	// A plus sign begins a number. A later one begins another.
	const digits = written.replace(/^\p{Zs}*\+?/u, '').replace(separators, '');
	const isNumber = /^\d+$/.test(digits) && digits.length >= minDigits;
	const hasInnerZero = innerZero.test(written);
	const hasDecimals = decimals.test(written);
	const isClear = !hasInnerZero && !hasDecimals;
	if (isNumber && digits.length <= maxDigits && isClear) return digits;

	let advice = 'Enter one number: its country code and digits, such as +14155552671.';
	if (hasInnerZero) {
		advice = `Write it without "(0)": ${written.replace(innerZero, '').trim()}.`;
	} else if (hasDecimals) {
		advice = 'Write it without ".0", which a spreadsheet has added.';
	} else if (isNumber) {
		advice = `A phone number has at most ${maxDigits} digits, and this one has ${digits.length}.`;
	}
	throw item.error(
		`${label} is not a phone number`,
		`It is ${describeValue(value)}. ${advice}`,
	);
}
