import { sleep } from 'n8n-workflow';

import { abbreviate } from './text';

/** A list with at least one entry. */
export type NonEmpty<Entry> = [Entry, ...Entry[]];

export function isNonEmpty<Entry>(entries: Entry[]): entries is NonEmpty<Entry>;
export function isNonEmpty<Entry>(
	entries: readonly Entry[],
): entries is Readonly<NonEmpty<Entry>>;
export function isNonEmpty(entries: readonly unknown[]): boolean {
	return entries.length > 0;
}

export function groupBy<Entry>(
	entries: readonly Entry[],
	keyOf: (entry: Entry) => string,
): Map<string, NonEmpty<Entry>> {
	const groups = new Map<string, NonEmpty<Entry>>();
	for (const entry of entries) addTo(groups, keyOf(entry), entry);
	return groups;
}

/** Adds to a group in place: a copy for each entry would cost the square of their number. */
export function addTo<Entry>(
	groups: Map<string, Entry[]>,
	key: string,
	entry: Entry,
): void {
	const group = groups.get(key);
	if (group) group.push(entry);
	else groups.set(key, [entry]);
}

/** Adds entries at the end. `push(...entries)` would overflow the stack with 150,000 entries. */
export function append<Entry>(list: Entry[], entries: readonly Entry[]): void {
	for (const entry of entries) list.push(entry);
}

export function chunk<Entry>(entries: readonly Entry[], size: number): Entry[][] {
	return Array.from({ length: Math.ceil(entries.length / size) }, (_, index) =>
		entries.slice(index * size, (index + 1) * size),
	);
}

/** The names of the first entries and how many others there are, for an error or a hint. */
export function firstOf<Entry>(
	entries: readonly Entry[],
	nameOf: (entry: Entry) => string = String,
	maxNames = 10,
): string {
	const names = entries.slice(0, maxNames).map((entry) => abbreviate(nameOf(entry)));
	const shown = names.join(', ');
	const others = entries.length - names.length;
	return others > 0 ? `${shown} and ${others} more` : shown;
}

/**
 * How long work may run without a pause, in milliseconds. n8n's main thread also serves the editor, webhooks and other
 * workflows.
 */
const maxStretch = 25;

let turnBegan = 0;

let currentPause: Promise<void> | undefined;

/** Pauses, so that n8n can do other work, if the last pause was too long ago. For long loops that send nothing. */
export async function giveWay(): Promise<void> {
	if (performance.now() - turnBegan < maxStretch) return;

	// All callers share one timer. With several timers, one would always be due, and Node.js would do nothing else.
	currentPause ??= sleep(0).then(() => {
		turnBegan = performance.now();
		currentPause = undefined;
	});
	await currentPause;
}

/** Works on entries in order, at most `maximum` at a time. If one fails, no more are started. */
export async function forEachLimited<Entry>(
	entries: readonly Entry[],
	maximum: number,
	work: (entry: Entry) => Promise<void>,
): Promise<void> {
	// All workers take their entries from this one iterator.
	const waiting = entries.values();
	let hasEnded = false;

	const workThrough = async () => {
		try {
			for (const entry of waiting) {
				if (hasEnded) return;
				await work(entry);
			}
		} finally {
			hasEnded = true;
		}
	};

	const workers = Array.from({ length: Math.min(maximum, entries.length) }, workThrough);
	const results = await Promise.allSettled(workers);

	const failure = results.find((result) => result.status === 'rejected');
	if (failure) throw failure.reason;
}
