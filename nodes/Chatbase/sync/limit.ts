import { countFormat } from '../values/number';

/** What the user has entered. */
export interface SafetyLimit {
	maxPercent?: number;
	max?: number;
}

export const defaultPercent = 10;

export const defaultMax = 500;

/** So many may be missing if at least half stay, since one record of a short list is many percent. */
export const freeCount = 10;

/** Whether a number replaces the percentage, the free ten and the usual maximum. */
export function isPercentOff({ maxPercent, max }: SafetyLimit): boolean {
	return maxPercent === undefined && max !== undefined;
}

/** How many of the managed records may be missing: never all. */
export function allowedMissing(managed: number, limit: SafetyLimit): number {
	const { max = defaultMax } = limit;
	const allButOne = Math.max(0, managed - 1);
	if (isPercentOff(limit)) return Math.min(max, allButOne);

	const passing = Math.max(percentOf(managed, limit), freeOf(managed, limit));
	return Math.min(passing, max, allButOne);
}

function percentOf(
	managed: number,
	{ maxPercent = defaultPercent }: SafetyLimit,
): number {
	return Math.floor((managed * maxPercent) / 100);
}

function freeOf(managed: number, { maxPercent }: SafetyLimit): number {
	return maxPercent === 0 ? 0 : Math.min(freeCount, Math.floor(managed / 2));
}

/** The rule that so many missing records violate, if they are more than `allowedMissing`. */
export function violatedRule(
	missing: number,
	managed: number,
	limit: SafetyLimit,
): string {
	const { maxPercent, max } = limit;
	if (missing === managed) return 'all';
	if (max !== undefined && missing > max) return countFormat.format(max);

	const isFreeMore = freeOf(managed, limit) >= percentOf(managed, limit);
	if (missing <= freeCount && maxPercent !== 0 && isFreeMore) return 'half';

	const isOverEntered = maxPercent !== undefined && missing > percentOf(managed, limit);
	if (missing > defaultMax && !isOverEntered) return countFormat.format(defaultMax);
	return `${maxPercent ?? defaultPercent}%`;
}
