/** The trigger on plain data: its real states and passes read a list that a test holds. No request is sent. */
import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../../nodes/Chatbase/api/client';
import { Failure } from '../../../nodes/Chatbase/api/failure';
import type { Page, PagedList, Position } from '../../../nodes/Chatbase/api/paginate';
import { events } from '../../../nodes/ChatbaseTrigger/events';
import { type Poll, ServiceClock } from '../../../nodes/ChatbaseTrigger/pass';
import { readByStoredState } from '../../../nodes/ChatbaseTrigger/poll';
import { type EventState, loadState, saveState } from '../../../nodes/ChatbaseTrigger/state';

/** A list as it is now; the time is where the trigger begins to read it, in seconds since 1970. */
export type ListSince = (since: number) => PagedList<IDataObject>;

export interface PollOptions {
	/** What happens before each page is read. */
	meanwhile?: ReadonlyArray<() => void>;
	/** The page whose reading fails, from 0. */
	failsAt?: number;
	/** Report Changes Since, in seconds since 1970. */
	since?: number;
}

/** What a poll has reported, oldest first. */
export interface Reported extends IDataObject {
	/** When it happened, in seconds since 1970. */
	moment: number;
}

const presentTime = Date.now;
const newestSecond = 1_900_000_000;

/** A trigger that watches one list, with n8n's and the service's clock. */
export class PlainTrigger {
	/** The static data in n8n's memory, and as n8n has saved it. */
	stored: IDataObject = {};

	private saved = '{}';

	/** Seconds since 1970 by the clock of the service. */
	now = newestSecond;

	/** What it has told the log of n8n. */
	readonly warnings: string[] = [];

	/** Pages that the last poll has read. */
	pages = 0;

	isPolling = false;

	/** Seconds since 1970 by the header Date of the response with a page. */
	dateOf: () => number = () => this.now;

	/**
	 * @param skew seconds that the clock of the service is ahead of n8n's
	 */
	constructor(
		private readonly event: string,
		private readonly list: ListSince,
		private readonly skew = 0,
	) {}

	/** n8n starts again with what it has saved. */
	restart(): void {
		this.stored = JSON.parse(this.saved) as IDataObject;
	}

	/** Polls, and saves as n8n does: together with the execution that the poll starts, and at the activation. */
	async poll({ meanwhile = [], failsAt, since }: PollOptions = {}): Promise<Reported[]> {
		const isFirst = this.state === undefined;
		const clock = new ServiceClock();
		const setClock = () => clock.setBy({ date: new Date(this.dateOf() * 1000).toUTCString() });
		const event = events[this.event];
		const key = `${this.event} bot`;
		this.pages = 0;
		Date.now = () => (this.now - this.skew) * 1000;
		// The first poll of a search asks for the chatbot, which tells the time.
		if (event.asksForChatbot) setClock();

		const read = async (list: PagedList<IDataObject>, position: Position) => {
			const page = this.pages++;
			meanwhile[page]?.();
			if (page === failsAt) throw new Error('The service has refused the request');
			setClock();
			return await list.read(position);
		};
		const poll: Poll = {
			api: undefined as unknown as ApiClient,
			chatbotId: 'bot',
			clock,
			event: {
				...event,
				asksForChatbot: false,
				open: (_api, _settings, from) => {
					const list = this.list(from / 1000);
					return { ...list, read: async (position) => await read(list, position) };
				},
			},
			error: (title, nextStep) => new Failure({ title, sentences: [nextStep] }),
			isWanted: () => true,
			key,
			pageSize: 10,
			ratings: [],
			since: since === undefined ? undefined : since * 1000,
			warn: (words) => this.warnings.push(words),
		};

		this.isPolling = true;
		try {
			const { changes, state } = await readByStoredState(poll, this.stored);
			saveState(this.stored, key, state);
			if (isFirst || changes.length > 0) this.saved = JSON.stringify(this.stored);
			return changes.map(({ item, time }) => ({ ...item, moment: time / 1000 }));
		} finally {
			Date.now = presentTime;
			this.isPolling = false;
		}
	}

	/** What is saved between two polls. */
	get state(): EventState | undefined {
		return loadState(this.stored, `${this.event} bot`).state;
	}

	set state(state: EventState) {
		saveState(this.stored, `${this.event} bot`, state);
	}
}

/** Pages with numbers. The next one is named, whether it exists or not, if there is no total. */
export function numberedList(
	recordsNow: () => IDataObject[],
	{ size, totalOf }: { size: number; totalOf?: (count: number) => number },
): PagedList<IDataObject> {
	return {
		first: 1,
		keyOf: ({ id }) => id,
		maxConcurrency: totalOf ? 5 : 1,
		async read(position) {
			const page = Number(position);
			const records = recordsNow();
			const items = records.slice((page - 1) * size, page * size);
			if (!totalOf) return { items, next: page + 1 };

			const lastPage = Math.ceil(records.length / size);
			const next = page < lastPage ? page + 1 : undefined;
			return { items, next, lastPage, total: Math.max(0, totalOf(records.length)) };
		},
	};
}

/** Pages with cursors, each of which names the record before it, so that no record moves but one that changes. */
export function cursorList<Row extends { id: string }>(
	rowsNow: () => Row[],
	{ size, isAfter }: { size: number; isAfter(one: Row, other: Row): boolean },
	itemOf: (row: Row) => IDataObject,
): PagedList<IDataObject> {
	let rows: Row[] = [];
	let sorted: Row[] = [];

	return {
		first: '',
		keyOf: ({ id }) => id,
		mayHaveEmptyPages: true,
		async read(cursor): Promise<Page<IDataObject>> {
			const before = cursor === '' ? undefined : (JSON.parse(String(cursor)) as Row);
			const now = rowsNow();
			if (now !== rows) sorted = [...now].sort((one, other) => (isAfter(one, other) ? 1 : -1));
			rows = now;
			const rest = before ? sorted.filter((row) => isAfter(row, before)) : sorted;
			const shown = rest.slice(0, size);
			const hasMore = rest.length > shown.length;
			return { items: shown.map(itemOf), next: hasMore ? JSON.stringify(shown.at(-1)) : undefined };
		},
	};
}
