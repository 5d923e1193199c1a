/** Pages by cursor. Reference of version 2. A cursor names the last row it has passed, as documented ones do. */
import type { BehaviourV2 } from './behaviour';
import { ApiError, invalid } from './errors';
import type { ContextV2 } from './route';

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
	/** Parameters that must not change from page to page. */
	bound?: unknown;
	/** Default: the switch for `total` decides. */
	hasTotal?: boolean;
	/** Given by searches only. */
	pages?: BehaviourV2['searchPages'];
	record: (row: Row) => unknown;
}

interface PageQuery {
	cursor?: string | undefined;
	limit: number;
}

interface Page {
	data: unknown[];
	pagination: { cursor: string | null; hasMore: boolean; total?: number };
}

/** Where a row stands in the list. */
type Place = Pick<Position, 't' | 'id'>;

interface Placed<Row> extends Place {
	row: Row;
}

export function pageOf<Row>(
	{ cursor, limit }: PageQuery,
	listing: Listing<Row>,
	{ behaviour }: Pick<ContextV2, 'behaviour'>,
): Page {
	const { rows, bound, hasTotal = true, record } = listing;
	const q = bound === undefined ? undefined : JSON.stringify(bound);
	const start = cursor === undefined ? undefined : positionOf(cursor);
	if (start && q !== undefined && start.q !== q) refuseOtherQuery(listing);

	const n = start?.n ?? 0;
	const rest = rowsAfter(start, listing, behaviour.pagesUnderChange);
	const shown = rest.slice(0, lengthOf(limit, n, listing.pages));
	const isLast = shown.length === rest.length;

	const { t, id } = shown.at(-1) ?? start ?? { t: '', id: '' };
	const next = encoded({ t, id, n: n + 1, q });
	const end = isLast
		? lastCursor(behaviour.lastPage, next, cursor)
		: { cursor: next, hasMore: true };
	const total = hasTotal ? totalOf(rows.length, behaviour.total) : {};

	return { data: shown.map(({ row }) => record(row)), pagination: { ...end, ...total } };
}

/** Searches have a code for it. */
function refuseOtherQuery({ pages }: Pick<Listing<never>, 'pages'>): never {
	if (pages) throw new ApiError('VALIDATION_CURSOR_QUERY_MISMATCH');
	throw invalid({ cursor: 'The cursor belongs to another order' });
}

/** The rows after a position. If the list changes meanwhile, the second page has a row twice or skips one. */
function rowsAfter<Row>(
	start: Position | undefined,
	{ rows, sortedBy, id, ascending = false }: Listing<Row>,
	pagesUnderChange: BehaviourV2['pagesUnderChange'],
): Array<Placed<Row>> {
	const direction = ascending ? 1 : -1;
	const order = (a: Place, b: Place) => (compared(a.t, b.t) || compared(a.id, b.id)) * direction;

	const moves = start?.n === 1 ? pagesUnderChange : 'stable';
	const leastDistance = moves === 'rowTwice' ? 0 : 1;
	return rows
		.map((row) => ({ row, t: sortedBy(row), id: id(row) }))
		.filter((placed) => !start || order(placed, start) >= leastDistance)
		.sort(order)
		.slice(moves === 'rowSkipped' ? 1 : 0);
}

function lastCursor(
	lastPage: BehaviourV2['lastPage'],
	next: string,
	asked = next,
): Pick<Page['pagination'], 'cursor' | 'hasMore'> {
	switch (lastPage) {
		case 'closed':
			return { cursor: null, hasMore: false };
		case 'hasMoreWithoutCursor':
			return { cursor: null, hasMore: true };
		case 'cursorWithoutMore':
			return { cursor: next, hasMore: false };
		case 'repeatedCursor':
			return { cursor: asked, hasMore: true };
	}
}

function totalOf(count: number, total: BehaviourV2['total']): { total?: number } {
	if (total === 'absent') return {};
	const shift = { exact: 0, tooHigh: 1, tooLow: -1 }[total];
	return { total: Math.max(0, count + shift) };
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
