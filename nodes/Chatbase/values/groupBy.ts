export function groupBy<Entry>(
	entries: Entry[],
	keyOf: (entry: Entry) => string,
): Map<string, [Entry, ...Entry[]]> {
	const groups = new Map<string, [Entry, ...Entry[]]>();
	for (const entry of entries) addTo(groups, keyOf(entry), entry);
	return groups;
}

/** Adds to a group in place: a copy for each entry would cost the square of their number. */
export function addTo<Entry>(groups: Map<string, Entry[]>, key: string, entry: Entry) {
	const group = groups.get(key);
	if (group) group.push(entry);
	else groups.set(key, [entry]);
}
