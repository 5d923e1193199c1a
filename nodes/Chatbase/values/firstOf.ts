export function firstOf<Entry>(
	entries: Entry[],
	nameOf: (entry: Entry) => string = String,
	maxNames = 10,
): string {
	const more = entries.length > maxNames ? ' …' : '';
	const names = entries.slice(0, maxNames).map((entry) => nameOf(entry));
	return names.join(', ') + more;
}
