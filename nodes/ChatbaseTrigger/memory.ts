import { isObject } from '../Chatbase/values/object';

/** A record of the service as one read of its list showed it. */
export interface Sighting<Item> {
	/** Tells records apart. */
	key: string;
	/** When it changed, in milliseconds since 1970 by the clock of the service. */
	moment: number;
	item: Item;
}

/** What one poll has read of a round; a round is one pass over the whole list. */
export interface Reading<Item, Progress> {
	/** The records from the mark of the memory on. */
	sightings: Array<Sighting<Item>>;
	/** The newest moment of all records, those before the mark included; -Infinity where there were none. */
	newest: number;
	/** Where the next poll goes on with the round; absent where its end was reached. */
	progress?: Progress;
	/** Whether no record can have been overlooked in the round. */
	isComplete: boolean;
}

/** A round that one poll could not finish. */
interface Round<Progress> {
	progress: Progress;
	/** The newest moment so far. */
	newest: number;
	/** How far the mark may go when the round is finished. */
	reach: number;
}

const memoryVersion = 1;

/** So many rounds in a row may overlook something until the mark goes on all the same: a total may never be right. */
const mostHoldingRounds = 3;

/** How far from 1970 a date can be (ECMAScript, time values). */
const largestMoment = 8.64e15;

const second = 1000;

/**
 * What is remembered between polls: a high-water mark, and the records at and after it. It grows with
 * the changes between two polls and with those at the very mark, and never with the number of records.
 *
 * Moments are only compared with one another. The mark is the newest moment of the round before the
 * last one: what changed while a round was under way, on a page that had been read already, is seen by
 * the next round, and only then does the mark pass it.
 */
export interface Memory<Progress> {
	version: typeof memoryVersion;
	/** What is watched. The memory of something else is of no use. */
	subject: string;
	/** The mark. Whatever happened before it is done with; this holds in every version of the package. */
	settled: number;
	/** The newest moment that a finished round has shown. */
	newest: number;
	/** Keys of the records that are done with although they are not before the mark, by moment. */
	recent: Record<string, string[]>;
	/** What the user had set as the beginning, if anything. */
	since?: number;
	/** Spans after the mark that are done with, each from one moment up to before another. */
	done?: Array<[number, number]>;
	/** Whether what is at the mark exactly was there before the first poll, as far as this round shows it. */
	isSeeding?: boolean;
	/** What holds the mark: the rounds in a row that may have overlooked something, and how far it may then go. */
	held?: { rounds: number; reach: number };
	round?: Round<Progress>;
}

/**
 * A memory of nothing, with which changes since a moment are reported.
 *
 * @param subject what is watched
 * @param since the moment
 */
export function startMemory<Progress>(subject: string, since: number): Memory<Progress> {
	return { version: memoryVersion, subject, settled: since, newest: since, recent: {}, since };
}

/**
 * Takes what exists as known.
 *
 * @param subject what is watched
 * @param reading what the first poll has read of the whole list
 * @param from where the mark is if there is nothing newer
 */
export function seedMemory<Progress>(
	subject: string,
	{ sightings, newest, progress }: Reading<unknown, Progress>,
	from: number,
): Memory<Progress> {
	// What is older was read without being looked at: a mark there would not know what stands at it.
	const settled = Math.max(newest, from);
	const atMark = sightings.filter(({ moment }) => moment >= settled);
	return {
		version: memoryVersion,
		subject,
		settled,
		newest: settled,
		recent: withTaken({}, atMark),
		...(progress && { round: { progress, newest: settled, reach: settled } }),
	};
}

/**
 * Takes what exists as known although the first poll could not read all of it: what happened until now
 * is old, wherever later polls find it. Only the clock can tell that.
 *
 * @param present the present by the clock of the service
 */
export function seedUntil<Progress>(memory: Memory<Progress>, present: number): Memory<Progress> {
	const settled = Math.max(memory.newest, wholeSecond(present));
	return { ...memory, settled, newest: settled, isSeeding: true };
}

/**
 * Reads what an earlier poll left behind, maybe one of another version of the package. Of a memory in
 * another form the mark is kept: it is better to report the last changes again than to lose some.
 *
 * @returns undefined where there is no mark to go on from
 */
export function readMemory<Progress>(
	stored: unknown,
	subject: string,
): Memory<Progress> | undefined {
	if (!isObject(stored) || stored.subject !== subject || !isMoment(stored.settled))
		return undefined;
	// Version 0.1.0 took more than one poll to find its mark, and counted down.
	if (stored.silentRounds !== undefined && stored.silentRounds !== 0) return undefined;
	if (isMemory(stored)) return stored as Memory<Progress>;
	return { ...startMemory(subject, stored.settled), since: undefined };
}

/** Whether a memory is as this version writes it; where a round has stopped its source looks at itself. */
export function isMemory(stored: unknown): stored is Memory<unknown> {
	if (!isObject(stored) || stored.version !== memoryVersion) return false;
	const { settled, newest, recent, since, done, isSeeding, held, round } = stored;
	return (
		isMoment(settled) &&
		isMoment(newest) &&
		isObject(recent) &&
		Object.values(recent).every(isListOf((key) => typeof key === 'string')) &&
		(since === undefined || (isMoment(since) && since <= settled)) &&
		(done === undefined || isListOf(isListOf(isMoment))(done)) &&
		(isSeeding === undefined || isSeeding === true) &&
		(held === undefined || (isObject(held) && Number(held.rounds) > 0 && isMoment(held.reach))) &&
		(round === undefined || (isObject(round) && isMoment(round.newest) && isMoment(round.reach)))
	);
}

/**
 * Holds a memory against the present.
 *
 * @param latest the last moment that can be right
 * @returns the memory as it was, or without what cannot be right; undefined where that is the mark
 */
export function withoutFuture<Progress>(
	memory: Memory<Progress>,
	latest: number,
): Memory<Progress> | undefined {
	const { settled, newest, round, held, done, ...rest } = memory;
	if (settled > latest) return undefined;
	const others = [newest, round?.newest, round?.reach, held?.reach, ...(done ?? []).flat()];
	if (others.every((moment = settled) => moment <= latest)) return memory;
	return { ...rest, settled, newest: settled };
}

/**
 * A memory that begins no later than the present, since what happens until then would be passed over.
 *
 * @param present the present by the clock of the service
 */
export function upToPresent<Progress>(memory: Memory<Progress>, present: number): Memory<Progress> {
	const { since, settled, newest } = memory;
	const latest = wholeSecond(present);
	if (since !== settled || settled <= latest) return memory;
	return { ...memory, since: latest, settled: latest, newest: Math.min(newest, latest) };
}

/**
 * Goes back to an earlier beginning, because the one that the user had set before was a mistake. What
 * has been reported since that one is not reported again.
 */
export function beginEarlier<Progress>(memory: Memory<Progress>, since: number): Memory<Progress> {
	const { subject, settled, recent, done = [], since: before = settled, round } = memory;
	const newest = Math.max(memory.newest, round?.newest ?? settled);
	const reported: Array<[number, number]> = before < settled ? [[before, settled]] : [];
	return { ...startMemory(subject, since), newest, recent, done: [...done, ...reported] };
}

/**
 * Holds a reading against the memory.
 *
 * @param memory what earlier polls have left behind; it stays as it is
 * @param reading what this poll has read
 * @param most how many changes one poll may report; the newest are left to the next one
 * @returns what has changed, oldest first, and what to remember
 */
export function observe<Item, Progress>(
	memory: Memory<Progress>,
	reading: Reading<Item, Progress>,
	most: number,
): { changes: Item[]; memory: Memory<Progress> } {
	const { newest: newestBefore, reach } = memory.round ?? {
		newest: memory.newest,
		reach: memory.newest,
	};
	const fresh = freshOf(memory, reading.sightings);
	const old = memory.isSeeding ? fresh.filter(({ moment }) => moment === memory.settled) : [];
	const changes = fresh.slice(old.length, old.length + most);
	const firstLeft = fresh[old.length + most]?.moment ?? Infinity;
	const after = { ...memory, recent: withTaken(memory.recent, [...old, ...changes]) };
	const round = {
		newest: Math.max(newestBefore, reading.newest),
		reach: Math.min(reach, firstLeft),
	};
	const { progress, isComplete } = reading;
	return {
		changes: changes.map(({ item }) => item),
		memory: progress
			? { ...after, round: { ...round, progress } }
			: finishRound(after, round, isComplete),
	};
}

/** What is not done with: each record once, as it was last, by moment. */
function freshOf<Item>(
	{ recent, done = [] }: Memory<unknown>,
	sightings: Array<Sighting<Item>>,
): Array<Sighting<Item>> {
	const latest = new Map<string, Sighting<Item>>();
	for (const sighting of sightings) {
		const other = latest.get(sighting.key);
		if (!other || other.moment <= sighting.moment) latest.set(sighting.key, sighting);
	}
	const known = new Map(Object.entries(recent).map(([moment, keys]) => [moment, new Set(keys)]));
	return [...latest.values()]
		.filter(({ key, moment }) => !known.get(String(moment))?.has(key))
		.filter(({ moment }) => !done.some(([from, until]) => from <= moment && moment < until))
		.sort((one, other) => one.moment - other.moment || (one.key < other.key ? -1 : 1));
}

function withTaken(
	recent: Memory<unknown>['recent'],
	taken: Array<Sighting<unknown>>,
): Memory<unknown>['recent'] {
	const all = new Map(Object.entries(recent).map(([moment, keys]) => [moment, [...keys]]));
	for (const { key, moment } of taken) {
		const keys = all.get(String(moment));
		if (keys) keys.push(key);
		else all.set(String(moment), [key]);
	}
	return Object.fromEntries(all);
}

function finishRound<Progress>(
	memory: Memory<Progress>,
	{ newest, reach }: Omit<Round<Progress>, 'progress'>,
	isComplete: boolean,
): Memory<Progress> {
	const { version, subject, settled: before, recent, since, done = [] } = memory;
	// What was overlooked would be lost if the mark passed it.
	const held = isComplete
		? undefined
		: {
				rounds: (memory.held?.rounds ?? 0) + 1,
				reach: Math.min(memory.held?.reach ?? reach, reach),
			};
	const isHeld = held !== undefined && held.rounds < mostHoldingRounds;
	const settled = isHeld ? before : Math.max(before, held?.reach ?? reach);
	const stillDone = done.filter(([, until]) => until > settled);
	const stillRecent = Object.entries(recent).filter(([moment]) => Number(moment) >= settled);
	return {
		version,
		subject,
		settled,
		newest: Math.max(newest, settled),
		recent: Object.fromEntries(stillRecent),
		...(since !== undefined && { since }),
		...(stillDone.length > 0 && { done: stillDone }),
		...(isHeld && { held }),
	};
}

/** The service may count whole seconds. */
function wholeSecond(moment: number): number {
	return Math.floor(moment / second) * second;
}

function isMoment(value: unknown): value is number {
	return typeof value === 'number' && Math.abs(value) <= largestMoment;
}

function isListOf(isEntry: (entry: unknown) => boolean) {
	return (value: unknown): boolean => Array.isArray(value) && value.every(isEntry);
}
