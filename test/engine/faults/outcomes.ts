/** What must happen when a fault strikes a request, as a table. */
import type { FailureKind } from '../../../nodes/Chatbase/api/failureKinds';
import type { Fault } from '../../../service';

/** A date half a minute from now, in whole seconds as HTTP has it. */
const inHalfAMinute = () => new Date(Math.ceil(Date.now() / 1000 + 30) * 1000).toUTCString();

/** @param elsewhere address on another origin, for the redirect */
export const faultsTowards = (elsewhere: string) =>
	({
		'429 with seconds': { kind: 'status', status: 429, headers: { 'Retry-After': '30' } },
		'429 with a date': {
			kind: 'status',
			status: 429,
			headers: {
				// Computed again each time the fault happens.
				get 'Retry-After'() {
					return inHalfAMinute();
				},
			},
		},
		'429 without a header': { kind: 'status', status: 429 },
		'500': { kind: 'status', status: 500 },
		'502 with HTML': { kind: 'status', status: 502, body: '<html><h1>Bad Gateway</h1></html>' },
		'503': { kind: 'status', status: 503 },
		'reset before the request': { kind: 'resetBefore' },
		'reset after the request': { kind: 'resetAfter' },
		'reset within the body': { kind: 'resetMidBody' },
		'cut JSON': { kind: 'cutJson' },
		'JSON of another shape': { kind: 'otherShape', body: { status: 'ok', items: [] } },
		'an empty body': { kind: 'empty' },
		'a redirect to another origin': { kind: 'redirect', location: elsewhere },
		'a stall beyond the timeout': { kind: 'stall' },
	}) satisfies Record<string, Fault>;

export type FaultName = keyof ReturnType<typeof faultsTowards>;

/** Kinds of requests that react to faults in different ways. */
export type Kind =
	| 'page'
	/** Sets values, so that sending it again is harmless. */
	| 'patch'
	/** Creates a source from a file. */
	| 'upload'
	/** Also a new source, a new ticket and a reply: sent again only if the service has rejected it. */
	| 'chat'
	/** Changes a ticket. If its outcome is unclear, the ticket is looked up, but not changed again. */
	| 'ticket';

/**
 * The timeout that the user has set, in milliseconds: short for a stall, else more than any response takes. What may
 * exist is looked up with pauses that double, from a second on, until this time has passed.
 */
export const timeouts = {
	/** 5 look-ups: after 0, 1, 3, 7 and 10 seconds. */
	short: 10_000,
	/** 7 look-ups: after 0, 1, 3, 7, 15, 31 and 60 seconds. */
	long: 60_000,
};

/** How many requests are sent in all (the first one, look-ups and repetitions), and what the error is about, if any. */
export type Ending = [requests: number, end: 'success' | FailureKind];

interface Row {
	kinds: Kind[];
	/** If the fault strikes the first request only. */
	once: Ending;
	/** If the fault strikes every request, look-ups too. */
	always: Ending;
}

export const outcomes: Array<{ faults: FaultName[]; rows: Row[] }> = [
	{
		// The service asks to wait for 30 seconds. The node does so twice, and 20 times for uploads: a minute, or ten.
		faults: ['429 with seconds', '429 with a date'],
		rows: [
			{
				kinds: ['page', 'patch', 'chat', 'ticket'],
				once: [2, 'success'],
				always: [3, '429'],
			},
			{ kinds: ['upload'], once: [2, 'success'], always: [21, '429'] },
		],
	},
	{
		faults: ['429 without a header'],
		rows: [
			{
				kinds: ['page', 'patch', 'chat', 'ticket'],
				once: [2, 'success'],
				// About 1, 2, 4, 8, 16 and 30 seconds apart, until a minute has passed.
				always: [8, '429'],
			},
			// 61 seconds apart, until ten minutes have passed.
			{ kinds: ['upload'], once: [2, 'success'], always: [11, '429'] },
		],
	},
	{
		// The service has done nothing. The node can't know that, so it looks where it can.
		faults: ['500', '502 with HTML', '503'],
		rows: [
			// Sent again up to three times.
			{ kinds: ['page', 'patch'], once: [2, 'success'], always: [4, '5xx'] },
			{ kinds: ['chat', 'upload'], once: [1, '5xx'], always: [1, '5xx'] },
			// Once: 7 look-ups find the ticket unchanged.
			{ kinds: ['ticket'], once: [8, '5xx'], always: [5, '5xx'] },
		],
	},
	{
		// The same rows, with another failure.
		faults: ['reset before the request'],
		rows: [
			{ kinds: ['page', 'patch'], once: [2, 'success'], always: [4, 'broken'] },
			{ kinds: ['chat', 'upload'], once: [1, 'broken'], always: [1, 'broken'] },
			{ kinds: ['ticket'], once: [8, 'broken'], always: [5, 'broken'] },
		],
	},
	{
		// The same, with 5 look-ups instead of 7, because the timeout is short.
		faults: ['a stall beyond the timeout'],
		rows: [
			{ kinds: ['page', 'patch'], once: [2, 'success'], always: [4, 'timeout'] },
			{ kinds: ['chat', 'upload'], once: [1, 'timeout'], always: [1, 'timeout'] },
			{ kinds: ['ticket'], once: [6, 'timeout'], always: [5, 'timeout'] },
		],
	},
	{
		// The service has done it, and the response is lost.
		faults: ['reset after the request', 'reset within the body'],
		rows: [
			{ kinds: ['page', 'patch'], once: [2, 'success'], always: [4, 'broken'] },
			// Once: the first look-up finds it. Always: the look-up fails after 4 tries.
			{ kinds: ['ticket'], once: [2, 'success'], always: [5, 'broken'] },
			{ kinds: ['chat', 'upload'], once: [1, 'broken'], always: [1, 'broken'] },
		],
	},
	{
		// The service has done it, and the response can't be read. A request with such a response is not repeated.
		faults: ['cut JSON'],
		rows: [
			{
				kinds: ['page', 'patch', 'chat', 'upload'],
				once: [1, 'unexpectedResponse'],
				always: [1, 'unexpectedResponse'],
			},
			// Once: the first look-up finds it.
			{ kinds: ['ticket'], once: [2, 'success'], always: [2, 'unexpectedResponse'] },
		],
	},
	{
		// The service claims success, and has done nothing.
		faults: ['JSON of another shape', 'an empty body'],
		rows: [
			{
				kinds: ['page', 'patch', 'chat', 'upload'],
				once: [1, 'unexpectedResponse'],
				always: [1, 'unexpectedResponse'],
			},
			// Once: 7 look-ups find the ticket unchanged.
			{
				kinds: ['ticket'],
				once: [8, 'unexpectedResponse'],
				always: [2, 'unexpectedResponse'],
			},
		],
	},
	{
		faults: ['a redirect to another origin'],
		rows: [
			{
				kinds: ['page', 'patch', 'upload', 'chat', 'ticket'],
				once: [1, 'redirect'],
				always: [1, 'redirect'],
			},
		],
	},
];

/** The row of a fault and a kind. */
export function rowOf(fault: FaultName, kind: Kind): Row {
	const rows = outcomes
		.filter(({ faults }) => faults.includes(fault))
		.flatMap((group) => group.rows.filter(({ kinds }) => kinds.includes(kind)));
	if (rows.length === 1) return rows[0];
	throw new Error(`${rows.length} rows for ${fault}, ${kind}`);
}
