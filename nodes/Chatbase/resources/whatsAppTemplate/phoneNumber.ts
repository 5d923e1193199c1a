import { text, type ValueType } from '../../panel/types';

/** Characters that no font shows, as address books and phones put them around and into a number. */
const invisible = /[\p{Cf}\ufe00-\ufe0f]/gu;

/**
 * Spaces and hyphens of any kind, and other characters that people write between digits. Not a slash, a comma or a line
 * break: they separate two numbers.
 */
const separators = /[\p{Zs}\p{Pd}\u2212()[\].]/gu;

/** In `+44 (0)20 …`: the zero that is dialed within the country only. */
const innerZero = /\(\s*0\s*\)/;

/**
 * A number with decimals, such as `14155552671.0` from a spreadsheet. A phone number with dots has several groups, or a short
 * group before the dot.
 */
const fraction = /^(?:\p{Zs}*\d+\.\d+|[^.]*(?:\d{6}\.\d+|\d\.\d))\p{Zs}*$/u;

/** `+` or `00`, then 7 to 15 digits (ITU-T E.164). No country code begins with 0. */
const dialed = /^(?:\+|00)?([1-9]\d{6,14})$/;

const rule =
	'Enter one number with its country code, in the digits 0 to 9, without "(0)" and without a fraction, such as +14155552671.';

/** One phone number, as its digits with the country code. A message to another number reaches a stranger. */
export const phoneNumber: ValueType<string> = {
	expected: 'a phone number',
	rule,
	read(value) {
		const written = text.read(value)?.replace(invisible, '') ?? '';
		if (innerZero.test(written) || fraction.test(written)) return undefined;

		return dialed.exec(written.replace(separators, ''))?.[1];
	},
};
