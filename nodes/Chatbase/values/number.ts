export const countFormat = new Intl.NumberFormat('en-US');

/** A number, or text as a number: NaN for other text, undefined for other values. */
export function numberOf(value: unknown): number | undefined {
	if (typeof value === 'string' && value.trim() !== '') return Number(value);
	return typeof value === 'number' ? value : undefined;
}

/** Whether a number has all its digits: larger whole numbers may have lost some. */
export function isExact(value: number): boolean {
	return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

/** Whether JSON has a number anywhere that may have lost digits. */
export function hasInexactNumber(value: unknown): boolean {
	if (typeof value === 'number') return !isExact(value);
	if (typeof value !== 'object' || value === null) return false;
	return Object.values(value).some(hasInexactNumber);
}

/** Whether text has more digits than a number can hold. */
export function losesDigits(text: string): boolean {
	const [, digits = ''] = /^[+-]?([\d.]*)/.exec(text.trim()) ?? [];
	if (digits.replace('.', '').replace(/^0+/, '').length <= 15) return false;

	const number = text.trim().replace(/^\+/, '');
	return String(Number(text)) !== withoutLastZeros(number);
}

/** Such as 1.5 for 1.500, and 1 for 1.0. Other text is unchanged. */
function withoutLastZeros(number: string): string {
	if (!/^-?\d*\.\d*$/.test(number)) return number;
	// Each row of zeros is looked at once, however many there are.
	return number.replace(/(?<!0)0+$/, '').replace(/\.$/, '');
}

/** Numbers as JSON has them that JavaScript rounds, by the object or list that has them, and their key. */
const rounded = new WeakMap<object, Map<string, string>>();

const longNumber = /[:[,]\s*-?\d(?:[\d.]{15}|[\d.]*[eE]\+?\d{3})/;

const textOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/** Remembers the digits that numbers have lost while JSON was parsed. */
export function rememberDigits(json: string, parsed: unknown): void {
	if (typeof parsed !== 'object' || !longNumber.test(json)) return;

	const isRounded = (number: string) => losesDigits(number) || !Number.isFinite(Number(number));
	const quoted = json.replace(textOrNumber, (token) =>
		!token.startsWith('"') && isRounded(token) ? `"${token}"` : token,
	);
	compareDigits(parsed, JSON.parse(quoted));
}

/** @param quoted the same, with text in place of each number that is rounded */
function compareDigits(parsed: unknown, quoted: unknown) {
	if (typeof parsed !== 'object' || parsed === null) return;

	for (const [key, value] of Object.entries(parsed) as Array<[string, unknown]>) {
		const exact = (quoted as Record<string, unknown>)[key];
		if (typeof value === 'number' && typeof exact === 'string') {
			const digits = rounded.get(parsed) ?? new Map<string, string>();
			rounded.set(parsed, digits.set(key, exact));
		} else {
			compareDigits(value, exact);
		}
	}
}

/** The exact digits of a number that was rounded when it was parsed; undefined for any other value. */
export function lostDigitsOf(record: object, key: string): string | undefined {
	return rounded.get(record)?.get(key);
}

/** Whether a value of a record, or anything in it, was rounded. */
export function isRounded(record: object, key: string): boolean {
	const value = (record as Record<string, unknown>)[key];
	if (typeof value !== 'object' || value === null) return lostDigitsOf(record, key) !== undefined;

	return Object.keys(value).some((inner) => isRounded(value, inner));
}
