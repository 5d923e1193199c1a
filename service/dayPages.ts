/** What the lists of conversations and leads share: a range of days, the newest first, and pages without a total. */
import type { Behaviour } from './behaviour';
import { badRequest } from './refusal';

export interface DayPageQuery {
	/** As YYYY-MM-DD. */
	startDate?: string;
	/** As YYYY-MM-DD. */
	endDate?: string;
	/** From 1. */
	page?: number;
	size?: number;
}

/**
 * One page of a list.
 *
 * @param sizes page size when none is asked for, and the largest
 * @throws Refusal with status 400 for a size that the behaviour forbids
 */
export function dayPage<Element extends { createdAt: string }>(
	list: Element[],
	{ startDate, endDate, page = 1, size }: DayPageQuery,
	sizes: { standard: number; maximum: number },
	behaviour: Behaviour,
): Element[] {
	const asked = size ?? sizes.standard;
	if (asked > sizes.maximum && behaviour.sizeAboveMaximum === 'badRequest') {
		throw badRequest([{ field: 'size', message: `Must be at most ${sizes.maximum}` }]);
	}

	const length = Math.min(asked, sizes.maximum);
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
