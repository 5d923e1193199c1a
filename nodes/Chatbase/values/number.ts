/** Whether a number is the one that was written: whole numbers beyond this have lost digits on their way. */
export function isExact(value: number): boolean {
	return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}
