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
