export function groupBy<Entry>(
	entries: Entry[],
	keyOf: (entry: Entry) => string,
): Map<string, [Entry, ...Entry[]]> {
	const groups = new Map<string, [Entry, ...Entry[]]>();
	for (const entry of entries) {
		const group = groups.get(keyOf(entry));
		if (group) group.push(entry);
		else groups.set(keyOf(entry), [entry]);
	}
	return groups;
}
