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

	const [, digits = ''] = /^[+-]?([\d.]*)/.exec(text.trim()) ?? [];
	if (digits.replace('.', '').replace(/^0+/, '').length <= 15) return false;

	const number = text.trim().replace(/^\+/, '');
	return String(value) !== withoutLastZeros(number);
}

/** Such as 1.5 for 1.500, and 1 for 1.0. Other text is unchanged. */
function withoutLastZeros(number: string): string {
	if (!/^-?\d*\.\d*$/.test(number)) return number;
	// Each row of zeros is looked at once, however many there are.
	return number.replace(/(?<!0)0+$/, '').replace(/\.$/, '');
}

const longNumber = /[:[,]\s*-?\d(?:[\d.]{15}|[\d.]*[eE]\+?\d{3})/;

const textOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/** Valid JSON, with quotes around each number that would lose digits, so that parsing it loses none. */
export function quoteLongNumbers(json: string): string {
	if (!longNumber.test(json)) return json;

	return json.replace(textOrNumber, (token) =>
		!token.startsWith('"') && losesDigits(token) ? `"${token}"` : token,
	);
}
