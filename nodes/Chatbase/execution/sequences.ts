import { addTo } from '../values/list';

interface Member<Entry> {
	readonly entry: Entry;
	/** Its number among all entries. */
	readonly place: number;
	readonly keys: readonly string[];
}

/**
 * Groups entries that have a common key, directly or through other entries. Groups and their entries stand in the order of
 * the entries. Each key is followed once, so that the time grows with the number of keys, and not with its square.
 */
export function inSequences<Entry>(
	entries: readonly Entry[],
	keysOf: (entry: Entry) => string[],
): Entry[][] {
	const members = entries.map((entry, place) => ({ entry, place, keys: keysOf(entry) }));
	const withKey = new Map<string, Array<Member<Entry>>>();
	for (const member of members) {
		for (const key of member.keys) addTo(withKey, key, member);
	}

	const placed = new Set<Member<Entry>>();
	const sequences: Entry[][] = [];
	for (const member of members) {
		if (placed.has(member)) continue;

		const connected = connectedWith(member, withKey);
		for (const each of connected) placed.add(each);
		sequences.push(connected.map(({ entry }) => entry));
	}
	return sequences;
}

/** All entries that are connected with this one by keys, in order. Removes the keys that it has followed. */
function connectedWith<Entry>(
	first: Member<Entry>,
	withKey: Map<string, Array<Member<Entry>>>,
): Array<Member<Entry>> {
	const connected = new Set([first]);

	// The set grows while it is read.
	for (const { keys } of connected) {
		for (const key of keys) {
			for (const other of withKey.get(key) ?? []) connected.add(other);
			withKey.delete(key);
		}
	}
	return [...connected].sort((one, other) => one.place - other.place);
}
