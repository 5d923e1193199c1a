/** Pages by cursor. Reference of version 2, 2.3. A cursor names the last row it has passed, as documented ones do. */
import type { BehaviourV2 } from './behaviour';
import { ApiError, invalid } from './errors';

type Value = string | number;

/** Where a page ended. */
interface Position {
	/** What the list is sorted by. */
	t: Value;
	id: Value;
	/** Pages so far. */
	n: number;
	/** The parameters that the cursor holds for. */
	q?: string;
}

export interface Listing<Row> {
	rows: Row[];
	sortedBy: (row: Row) => Value;
	/** Decides between rows with the same value. */
	id: (row: Row) => Value;
	ascending?: boolean;
	/** Parameters that must not change from page to page. 2.3. */
	bound?: unknown;
	/** Default: the switch for `total` decides. */
	hasTotal?: boolean;
	/** Given by searches only. */
	pages?: BehaviourV2['searchPages'];
	record: (row: Row) => unknown;
}

export function pageOf<Row>(
	{ cursor, limit }: { cursor?: string | undefined; limit: number },
	listing: Listing<Row>,
	{ lastPage, total, pagesUnderChange }: BehaviourV2,
) {
	const { rows, sortedBy, id, ascending = false, bound, hasTotal = true, record } = listing;
	const q = bound === undefined ? undefined : JSON.stringify(bound);
	const start = cursor === undefined ? undefined : positionOf(cursor);
	if (q !== undefined && start && start.q !== q) {
		throw listing.pages
			? new ApiError('VALIDATION_CURSOR_QUERY_MISMATCH')
			: invalid({ cursor: 'The cursor belongs to another order' });
	}

	const n = start?.n ?? 0;
	const order = (a: Pick<Position, 't' | 'id'>, b: Pick<Position, 't' | 'id'>) =>
		(compared(a.t, b.t) || compared(a.id, b.id)) * (ascending ? 1 : -1);
	const moves = n === 1 ? pagesUnderChange : 'stable';
	const rest = rows
		.map((row) => ({ row, t: sortedBy(row), id: id(row) }))
		.filter((one) => !start || order(one, start) > (moves === 'rowTwice' ? -1 : 0))
		.sort(order)
		.slice(moves === 'rowSkipped' ? 1 : 0);

	const shown = rest.slice(0, lengthOf(limit, n, listing.pages));
	const last = shown.at(-1) ?? start ?? { t: '', id: '' };
	const isLast = shown.length === rest.length;

	const next = encoded({ t: last.t, id: last.id, n: n + 1, q });
	const ends = {
		closed: { cursor: null, hasMore: false },
		hasMoreWithoutCursor: { cursor: null, hasMore: true },
		cursorWithoutMore: { cursor: next, hasMore: false },
		repeatedCursor: { cursor: cursor ?? next, hasMore: true },
	};
	const shift = { exact: 0, tooHigh: 1, tooLow: -1, absent: 0 }[total];

	return {
		data: shown.map(({ row }) => record(row)),
		pagination: {
			...(isLast ? ends[lastPage] : { cursor: next, hasMore: true }),
			...(hasTotal && total !== 'absent' && { total: Math.max(0, rows.length + shift) }),
		},
	};
}

function lengthOf(limit: number, pagesBefore: number, pages?: BehaviourV2['searchPages']): number {
	if (pages === 'empty' && pagesBefore % 2 === 1) return 0;
	return pages === 'short' ? Math.ceil(limit / 2) : limit;
}

function compared(a: Value, b: Value): number {
	if (a === b) return 0;
	return a < b ? -1 : 1;
}

function encoded({ q, ...position }: Position): string {
	// Documented cursors of a search begin so.
	const fields = q === undefined ? position : { m: 'rank', ...position, q };
	return Buffer.from(JSON.stringify(fields)).toString('base64');
}

function positionOf(cursor: string): Position {
	try {
		return JSON.parse(Buffer.from(cursor, 'base64').toString()) as Position;
	} catch {
		throw invalid({ cursor: 'Invalid cursor' });
	}
}
