const booleans = new Map<unknown, boolean>([
	...[true, 1, 'true', '1', 'yes', 'on'].map((value) => [value, true] as const),
	...[false, 0, 'false', '0', 'no', 'off'].map((value) => [value, false] as const),
]);

/** What a value means as a boolean, in capitals or not; undefined if it means neither. */
export function booleanOf(value: unknown): boolean | undefined {
	return booleans.get(typeof value === 'string' ? value.trim().toLowerCase() : value);
}

/** Whether a value is missing, null or empty text. */
export function isEmpty(value: unknown): value is null | undefined | '' {
	return value === '' || value === null || value === undefined;
}

/** Whether a value is empty, text of spaces only, or a list of nothing but such. */
export function isBlank(value: unknown): boolean {
	if (Array.isArray(value)) return value.every(isBlank);
	return isEmpty(value) || (typeof value === 'string' && value.trim() === '');
}

/** The number that a number or text stands for; NaN for text that is none, undefined for anything else. */
export function numberOf(value: unknown): number | undefined {
	if (typeof value === 'string' && value.trim() !== '') return Number(value);
	return typeof value === 'number' ? value : undefined;
}

/** Whether a number is the one that was written: whole numbers beyond this have lost digits on their way. */
export function isExact(value: number): boolean {
	return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

/** Whether JSON holds a number that has lost digits, wherever in it. */
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
