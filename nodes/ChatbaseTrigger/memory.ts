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
	/** The records from the bound of the memory on. */
	sightings: Array<Sighting<Item>>;
	/** The newest moment of all records, those before the bound included; -Infinity where there were none. */
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

/**
 * Rounds that find out what exists before changes are reported: one for the mark, and one for what is at
 * it already, which gets more tries where it could not be read completely.
 */
const mostSilentRounds = 4;

/**
 * What is remembered between polls: a high-water mark, and the records at and after it. It grows with
 * the changes between two polls and with those at the very mark, and never with the number of records.
 *
 * No clock but that of the service counts, and its moments are only compared. The mark is the newest
 * moment of the round before the last one: what changed while a round was under way, on a page that
 * had been read already, is seen by the next round, and only then does the mark pass it.
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
	/** How many more rounds there may be until changes are reported. */
	silentRounds: number;
	round?: Round<Progress>;
}

/**
 * A memory of nothing.
 *
 * @param subject what is watched
 * @param from the earliest moment of interest
 * @param isReported whether changes since then are reported; otherwise what exists is taken as known
 */
export function startMemory<Progress>(
	subject: string,
	from: number,
	isReported: boolean,
): Memory<Progress> {
	return {
		version: memoryVersion,
		subject,
		settled: from,
		newest: from,
		recent: {},
		silentRounds: isReported ? 0 : mostSilentRounds,
	};
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
	const memory = stored as Partial<Memory<Progress>> | null | undefined;
	if (memory?.subject !== subject || typeof memory.settled !== 'number') return undefined;
	if (memory.version === memoryVersion) return memory as Memory<Progress>;
	return memory.silentRounds ? undefined : startMemory(subject, memory.settled, true);
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
	const newest = Math.max(newestBefore, reading.newest);
	const isSilent = memory.silentRounds > 0;
	const fresh = freshOf(memory, reading.sightings);
	const taken = isSilent ? fresh : fresh.slice(0, most);
	const firstLeft = fresh[taken.length]?.moment ?? Infinity;
	const round = { newest, reach: Math.min(reach, firstLeft) };
	const after = { ...memory, recent: withTaken(memory.recent, taken) };
	const { progress } = reading;
	return {
		changes: isSilent ? [] : taken.map(({ item }) => item),
		memory: progress
			? keepRecent(
					{ ...after, round: { ...round, progress } },
					findsMark(memory) ? newest : memory.settled,
				)
			: finishRound(after, round, reading.isComplete),
	};
}

/** What is not done with: each record once, as it was last, by moment. */
function freshOf<Item>(
	{ recent }: Memory<unknown>,
	sightings: Array<Sighting<Item>>,
): Array<Sighting<Item>> {
	const latest = new Map<string, Sighting<Item>>();
	for (const sighting of sightings) {
		const other = latest.get(sighting.key);
		if (!other || other.moment <= sighting.moment) latest.set(sighting.key, sighting);
	}
	const done = new Map(Object.entries(recent).map(([moment, keys]) => [moment, new Set(keys)]));
	return [...latest.values()]
		.filter(({ key, moment }) => !done.get(String(moment))?.has(key))
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
	const { settled: before, recent, silentRounds, version, subject } = memory;
	// What was overlooked would be lost if the mark passed it.
	const passed = isComplete ? Math.max(before, reach) : before;
	const settled = findsMark(memory) ? newest : passed;
	const isKnown = isComplete && !findsMark(memory);
	return keepRecent(
		{
			version,
			subject,
			settled,
			newest,
			recent,
			silentRounds: isKnown ? 0 : Math.max(0, silentRounds - 1),
		},
		settled,
	);
}

function findsMark({ silentRounds }: Memory<unknown>): boolean {
	return silentRounds === mostSilentRounds;
}

function keepRecent<Progress>(memory: Memory<Progress>, from: number): Memory<Progress> {
	const kept = Object.entries(memory.recent).filter(([moment]) => Number(moment) >= from);
	return { ...memory, recent: Object.fromEntries(kept) };
}
