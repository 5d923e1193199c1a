import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { forEachLimited } from '../../api/limits';
import type { CursorPage, PagedList } from '../../api/paginate';
import { walkPages } from '../../api/paginate';
import { readTimestamp } from '../../values/time';
import { assertChatbotKnown } from '../chatbot/chatbots';

export type TimeRange = Partial<Pick<IDataObject, 'startDate' | 'endDate'>>;

/** Conversations in a part of a long list, on average. In smaller parts, more pages would not be full. */
const partSize = 100;

/** A part that is still long is cut once more: conversations may be close together in time. */
const maxCuts = 2;

/**
 * Reads the parts of a long list of conversations at the same time. Undefined if the list is short, or as soon as there
 * is any doubt about a part.
 *
 * @param first the first page of the list, in `range`
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
		const count = Math.ceil(size / partSize);
		const boundAt = (part: number, more = 0) =>
			new Date(Math.round(from + (part * (to - from)) / count) + more).toISOString();
		// The newest first, since the list grows there.
		const parts = Array.from({ length: count }, (_, index) => count - 1 - index);
		await forEachLimited(parts, api.maxConcurrency, async (part) => {
			// Conversations may be older than the chatbot.
			const startDate = part === 0 ? whole.startDate : boundAt(part, 1);
			try {
				if (!inDoubt) await readPart({ startDate, endDate: boundAt(part + 1) }, cuts);
			} catch {
				inDoubt = true;
			}
		});
	};

	const times = first.items.map(({ createdAt }) => readTimestamp(createdAt) ?? NaN);
	if (!isLong(first) || !times.every((time, index) => index === 0 || time <= times[index - 1])) {
		return undefined;
	}
	// The first page has what began in the newest second, and no part has what began since.
	await readParts(range, times[0] - 1, total, 1).catch(() => (inDoubt = true));
	return !inDoubt && found.size === total ? [...found.values()] : undefined;
}

function isLong(page: CursorPage): page is CursorPage & { total: number } {
	return page.total !== undefined && page.total > 2 * partSize;
}

/** Whether a conversation is not of a time range. Its time is in whole seconds. */
function isOutside({ createdAt }: IDataObject, { startDate, endDate }: TimeRange): boolean {
	const time = readTimestamp(createdAt) ?? NaN;
	return time + 999 < Date.parse(String(startDate)) || time > Date.parse(String(endDate));
}
