/** Indices in a row, from the first to the last. */
interface Range {
	first: number;
	last: number;
}

/**
 * Names items by their numbers, such as "items 0 to 148, 151".
 * @param indices in order
 * @param maxRanges how many rows of items are named before the rest is counted
 */
export function itemRanges(indices: number[], maxRanges = Infinity): string {
	const ranges = rangesIn(indices);
	const named = ranges.slice(0, maxRanges);
	const unnamed = ranges
		.slice(maxRanges)
		.reduce((sum, range) => sum + lengthOf(range), 0);

	const noun = indices.length === 1 ? 'item' : 'items';
	const more = unnamed > 0 ? ` and ${unnamed} more` : '';
	return `${noun} ${named.map(rangeText).join(', ')}${more}`;
}

function rangesIn(indices: number[]): Range[] {
	const ranges: Range[] = [];

	for (const index of indices) {
		const range = ranges[ranges.length - 1];
		if (range && range.last === index - 1) range.last = index;
		else ranges.push({ first: index, last: index });
	}

	return ranges;
}

function lengthOf({ first, last }: Range): number {
	return last - first + 1;
}

function rangeText(range: Range): string {
	const { first, last } = range;

	if (first === last) return `${first}`;
	if (lengthOf(range) === 2) return `${first}, ${last}`;
	return `${first} to ${last}`;
}
