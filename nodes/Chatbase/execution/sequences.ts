import { addTo } from '../values/list';

/**
 * Groups entries that have a common key, directly or through other entries. Groups and their entries stand in the order of
 * the entries. Each key is followed once, so that the time grows with the number of keys, and not with its square.
 */
export function inSequences<Entry>(
	entries: readonly Entry[],
	keysOf: (entry: Entry) => string[],
): Entry[][] {
	const keys = entries.map(keysOf);
	const withKey = new Map<string, number[]>();
	for (const [place, own] of keys.entries()) {
		for (const key of own) addTo(withKey, key, place);
	}

	const isPlaced = entries.map(() => false);
	const sequences: Entry[][] = [];
	for (const place of entries.keys()) {
		if (isPlaced[place]) continue;

		const connected = placesConnectedTo(place, keys, withKey);
		for (const each of connected) isPlaced[each] = true;
		sequences.push(connected.map((each) => entries[each]));
	}
	return sequences;
}

/** The places of all entries that are connected with this one by keys, in order. Removes the keys that it has followed. */
function placesConnectedTo(
	first: number,
	keys: string[][],
	withKey: Map<string, number[]>,
): number[] {
	const places = new Set([first]);

	// The set grows while it is read.
	for (const place of places) {
		for (const key of keys[place]) {
			for (const other of withKey.get(key) ?? []) places.add(other);
			withKey.delete(key);
		}
	}
	return [...places].sort((one, other) => one - other);
}
