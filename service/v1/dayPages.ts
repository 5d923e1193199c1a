/** What the lists of conversations and leads share: a range of days, the newest first, and pages without a total. */
import type { Behaviour } from './behaviour';
import { badRequest } from '../core/refusal';

export interface DayPageQuery {
	/** As YYYY-MM-DD. */
	startDate?: string;
	/** As YYYY-MM-DD. */
	endDate?: string;
	/** From 1. */
	page?: number;
	size?: number;
}

export interface PageSizes {
	/** When none is asked for. */
	standard: number;
	maximum: number;
	/** What becomes of a larger one. */
	aboveMaximum: Behaviour['sizeAboveMaximum'];
}

/**
 * One page of a list.
 *
 * @throws Refusal with status 400 for a size that the behaviour forbids
 */
export function dayPage<Element extends { createdAt: string }>(
	list: Element[],
	{ startDate, endDate, page = 1, size }: DayPageQuery,
	{ standard, maximum, aboveMaximum }: PageSizes,
): Element[] {
	const asked = size ?? standard;
	if (asked > maximum && aboveMaximum === 'badRequest') {
		throw badRequest([{ field: 'size', message: `Must be at most ${maximum}` }]);
	}

	const length = Math.min(asked, maximum);
	const isInside = ({ time }: { time: number }) => {
		const day = new Date(time).toISOString().slice(0, 10);
		if (startDate !== undefined && day < startDate) return false;
		return endDate === undefined || day <= endDate;
	};

	return list
		.map((element) => ({ element, time: Date.parse(element.createdAt) }))
		.filter(isInside)
		.sort((a, b) => b.time - a.time)
		.slice((page - 1) * length, page * length)
		.map(({ element }) => element);
}
