import type { InputItem } from '../../execution/item';
import { describeValue, text } from '../../panel/types';

/** Most digits of a phone number with its country code (ITU-T E.164). */
const maxDigits = 15;

const minDigits = 7;

/** Spaces of any width, and what people write between digits. */
const separators = /[\p{Zs}()[\]./-]/gu;

/** In `+44 (0)20 …`: the zero that is dialed within the country only. */
const innerZero = /\(\s*0\s*\)\s*/;

/** What stands between two numbers. A tab stands between two cells of a spreadsheet. */
const betweenNumbers = /[,;\t\n\v\f\r\u0085\u2028\u2029]/;

/** Digits with the country code. Throws if the value is anything but one phone number. */
export function readPhoneNumber(item: InputItem, value: unknown, label: string): string {
	const written = text.read(value);
	const fault = written === undefined ? example : faultOf(written);
	if (written !== undefined && fault === undefined) return digitsOf(written);

	throw item.error(`${label} is not a phone number`, `It is ${describeValue(value)}. ${fault}`);
}

const example = 'Use the country code and digits, such as +14155552671.';

/** What to do about a text that is not one phone number. */
function faultOf(written: string): string | undefined {
	if (innerZero.test(written)) {
		return `Write it without "(0)": ${written.replace(innerZero, '').trim()}.`;
	}
	const start = written.trimStart();
	if (betweenNumbers.test(written) || start.lastIndexOf('+') > 0) {
		return `Enter one number, with nothing before its country code. ${example}`;
	}

	const digits = digitsOf(written);
	if (/\D/.test(digits) || digits.length < minDigits) return example;
	if (digits.length <= maxDigits) return undefined;
	return `A phone number has at most ${maxDigits} digits, and this one has ${digits.length}.`;
}

function digitsOf(written: string): string {
	return written.trimStart().replace(/^\+/, '').replace(separators, '');
}
