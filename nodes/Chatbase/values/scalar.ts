export const countFormat = new Intl.NumberFormat('en-US');

const booleans = new Map<unknown, boolean>([
	...[true, 1, 'true', '1', 'yes', 'on'].map((value) => [value, true] as const),
	...[false, 0, 'false', '0', 'no', 'off'].map((value) => [value, false] as const),
]);

/** A value as a boolean (case-insensitive); undefined if it is neither. */
export function booleanOf(value: unknown): boolean | undefined {
	return booleans.get(typeof value === 'string' ? value.trim().toLowerCase() : value);
}

export function isEmpty(value: unknown): value is null | undefined | '' {
	return value === '' || value === null || value === undefined;
}

/** Whether a value is empty, only spaces, or a list of such values. */
export function isBlank(value: unknown): boolean {
	if (Array.isArray(value)) return value.every(isBlank);
	return isEmpty(value) || (typeof value === 'string' && value.trim() === '');
}

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
	const plain = text
		.trim()
		.replace(/^\+/, '')
		.replace(/(\.\d*?)0+$/, '$1')
		.replace(/\.$/, '');
	return String(Number(text)) !== plain;
}
