import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { forEachLimited } from '../../api/limits';
import { type CursorPage, type PagedList, walkPages } from '../../api/paginate';
import { readTimestamp } from '../../values/time';
import { assertChatbotKnown } from '../chatbot/chatbots';

export type TimeRange = Partial<Pick<IDataObject, 'startDate' | 'endDate'>>;

/** Conversations in a part of a long list, on average. In smaller parts, more pages would not be full. */
const partSize = 100;

/** A part that is still long is cut once more: conversations may be close together in time. */
const maxCuts = 2;

/**
 * Reads the parts of a long list of conversations at the same time. Undefined if the list is short, if the rate limit
 * may not leave enough requests, or as soon as there is any doubt about a part.
 */
export async function readInParts(
	api: ApiClient,
	chatbotId: string,
	open: (range: TimeRange) => PagedList<IDataObject, CursorPage>,
	range: TimeRange,
	first: CursorPage,
): Promise<IDataObject[] | undefined> {
	const { total = 0 } = first;
	const found = new Map(first.items.map((one) => [one.id, one]));
	let read = 0;
	let inDoubt = false;

	const readPart = async (part: TimeRange, cuts: number) => {
		let size: number | undefined;
		for await (const { page, fresh } of walkPages(open(part))) {
			size ??= page.total;
			inDoubt ||= page.total !== size || read > total;
			inDoubt ||= page.items.some((one) => isOutside(one, part));
			if (inDoubt) return;
			if (cuts < maxCuts && isLong(page)) {
				await readParts(part, Date.parse(String(part.endDate)), page.total, cuts + 1);
				return;
			}
			read += fresh.length;
			for (const one of fresh) found.set(one.id, one);
		}
	};

	const readParts = async (whole: TimeRange, to: number, size: number, cuts: number) => {
		const start = whole.startDate ?? (await assertChatbotKnown(api, chatbotId)).createdAt;
		const from = readTimestamp(start) ?? NaN;
		inDoubt ||= !(from < to);
		if (inDoubt) return;
		// The newest first, since the list grows there.
		const parts = cut(whole, from, to, size).reverse();
		await forEachLimited(parts, api.maxConcurrency, async (part) => {
			try {
				if (!inDoubt) await readPart(part, cuts);
			} catch {
				inDoubt = true;
			}
		});
	};

	const times = first.items.map(({ createdAt }) => readTimestamp(createdAt) ?? NaN);
	const isSorted = times.every((time, index) => index === 0 || time <= times[index - 1]);
	if (!isLong(first) || !isSorted || mostRequests(first) > api.state.remaining) return undefined;
	// The first page has what began in the newest second, and no part has what began since.
	await readParts(range, times[0] - 1, total, 1).catch(() => (inDoubt = true));
	return !inDoubt && found.size === total ? [...found.values()] : undefined;
}

/**
 * Most requests for the parts of a list: its pages, one more for each part since its last page may not be full, one for
 * each part that is cut once more, the chatbot, and one since numbers are rounded up.
 */
function mostRequests({ total = 0, items }: CursorPage): number {
	return total / items.length + (2.5 * total) / partSize + 2;
}

/** The parts of a time range, in the order of time, all of the same length. */
function cut(whole: TimeRange, from: number, to: number, size: number): TimeRange[] {
	const count = Math.ceil(size / partSize);
	const boundAt = (part: number, more = 0) =>
		new Date(Math.round(from + (part * (to - from)) / count) + more).toISOString();
	return Array.from({ length: count }, (_, part) => ({
		// Conversations may be older than the chatbot.
		startDate: part === 0 ? whole.startDate : boundAt(part, 1),
		endDate: boundAt(part + 1),
	}));
}

function isLong(page: CursorPage): page is CursorPage & { total: number } {
	return page.total !== undefined && page.total > 2 * partSize;
}

/** Whether a conversation is not of a time range. Its time is in whole seconds. */
function isOutside({ createdAt }: IDataObject, { startDate, endDate }: TimeRange): boolean {
	const time = readTimestamp(createdAt) ?? NaN;
	return time + 999 < Date.parse(String(startDate)) || time > Date.parse(String(endDate));
}
