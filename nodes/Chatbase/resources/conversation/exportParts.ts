import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { type Page, walkPages } from '../../api/paginate';
import { forEachLimited } from '../../values/list';
import { readTimestamp } from '../../values/time';
import { assertChatbotKnown } from '../../chatbots/chatbots';
import {
	exportPages,
	type ExportWish,
	hasWantedMessages,
	type TimeRange,
} from './exportPages';

/*
 * A long list of conversations takes one request for each 20 of them, one after the other. So its time range is cut into
 * parts of equal length, which are read at the same time:
 *
 *     created ├── part ──┼── part ──┼── part ──┼── part ──┤ newest second │
 *                                                           of the first page
 *
 * A part that has far more conversations than the others is cut once more. In the end, all of them together have to be as
 * many as the first page said. Parts only save time: after any doubt the list is read page by page.
 */

/** How many conversations a part should have, on average. Smaller parts would have more pages that are not full. */
const partSize = 100;

/** How often a range is cut. Conversations may be close together in time, so a part that is still long is cut once more. */
const maxCuts = 2;

/** The first page of a list that says how many conversations the list has. */
interface FirstPage extends Pick<Page<IDataObject>, 'items'> {
	total: number;
}

/** Whether parts may save time. */
export function isLong(total?: number): total is number {
	return total !== undefined && total > 2 * partSize;
}

/**
 * The complete list. Undefined if the rate limit may not allow enough requests, or as soon as there is any doubt about a
 * part.
 */
export async function readInParts(
	api: ApiClient,
	wish: ExportWish,
	first: FirstPage,
): Promise<IDataObject[] | undefined> {
	const { items, total } = first;
	if (mostRequests(first) > api.state.remaining) return undefined;

	const times = items.map(createdTime);
	const isSorted = times.every((time, index) => time <= (times[index - 1] ?? Infinity));
	const [newest] = times;
	if (newest === undefined || !isSorted) return undefined;
	if (!items.every((one) => hasWantedMessages(wish, one))) return undefined;

	// The first page has all conversations that began in the newest second. No part has conversations that began later.
	const endDate = new Date(newest - 1).toISOString();
	const parts = new PartsReading(api, wish, first);
	await parts.read({ ...wish.query, endDate }, total);
	return parts.result;
}

/**
 * All pages; one for each part, since its last page may not be full; one for each part that is cut once more; one for the
 * chatbot; and one more because of rounding.
 */
function mostRequests({ items, total }: FirstPage): number {
	return total / items.length + (2.5 * total) / partSize + 2;
}

/** The reading of a list in parts, which all add to the same result. */
class PartsReading {
	private readonly found: Map<unknown, IDataObject>;

	private readonly total: number;

	private count = 0;

	private inDoubt = false;

	constructor(
		private readonly api: ApiClient,
		private readonly wish: ExportWish,
		{ items, total }: FirstPage,
	) {
		this.found = new Map(items.map((one) => [one.id, one]));
		this.total = total;
	}

	/** Undefined if it is not certain that these are all. */
	get result(): IDataObject[] | undefined {
		const isComplete = !this.inDoubt && this.found.size === this.total;
		return isComplete ? [...this.found.values()] : undefined;
	}

	/**
	 * Cuts a time range, and reads its parts. Never throws: a failure only puts the result in doubt.
	 *
	 * @param size how many conversations the range has
	 * @param cuts how often the list was cut, including this time
	 */
	async read(range: TimeRange, size: number, cuts = 1): Promise<void> {
		try {
			const parts = await this.partsOf(range, size);
			// The newest part is read first, since the list grows there.
			parts.reverse();

			await forEachLimited(parts, this.api.maxConcurrency, async (part) => {
				if (!this.inDoubt) await this.readPart(part, cuts);
			});
		} catch {
			this.inDoubt = true;
		}
	}

	/** The parts of a time range, in their order, all of the same length. */
	private async partsOf(range: TimeRange, size: number): Promise<TimeRange[]> {
		const from = await this.startOf(range);
		const length = Date.parse(String(range.endDate)) - from;
		this.inDoubt ||= !(length > 0);

		const count = Math.ceil(size / partSize);
		const boundAt = (part: number) => Math.round(from + (part * length) / count);

		return Array.from({ length: count }, (_, part) => ({
			// The first part starts where the range starts, since conversations may be older than the chatbot.
			startDate: part === 0 ? range.startDate : isoAt(boundAt(part) + 1),
			endDate: isoAt(boundAt(part + 1)),
		}));
	}

	/** When a range starts. Without a start, this is when the chatbot was created. */
	private async startOf({ startDate }: TimeRange): Promise<number> {
		if (startDate !== undefined) return readTimestamp(startDate) ?? NaN;

		const chatbot = await assertChatbotKnown(this.api, this.wish.chatbotId);
		return createdTime(chatbot);
	}

	private async readPart(part: TimeRange, cuts: number) {
		const pages = walkPages(exportPages(this.api, this.wish, part));
		let size: number | undefined;

		for await (const { page, fresh } of pages) {
			size ??= page.total;
			this.inDoubt ||= page.total !== size || !this.isSure(page.items, part);
			if (this.inDoubt) return;

			if (cuts < maxCuts && isLong(size)) return await this.read(part, size, cuts + 1);

			this.count += fresh.length;
			for (const one of fresh) this.found.set(one.id, one);
		}
	}

	private isSure(items: IDataObject[], part: TimeRange): boolean {
		if (this.count > this.total) return false;
		return items.every(
			(one) => hasWantedMessages(this.wish, one) && !isOutside(one, part),
		);
	}
}

function createdTime({ createdAt }: IDataObject): number {
	return readTimestamp(createdAt) ?? NaN;
}

function isoAt(time: number): string {
	return new Date(time).toISOString();
}

/** Whether a conversation lies outside of a time range. Its time is in whole seconds. */
function isOutside(
	conversation: IDataObject,
	{ startDate, endDate }: TimeRange,
): boolean {
	const time = createdTime(conversation);
	const isBefore = time + 999 < Date.parse(String(startDate));
	const isAfter = time > Date.parse(String(endDate));
	return isBefore || isAfter;
}
