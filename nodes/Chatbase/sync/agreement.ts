/** Items about one record are one wish, unless they want different values. */
import type { OwnTitle } from '../api/ownErrors';
import { firstOf, groupBy, type NonEmpty } from '../values/list';

interface Agreement<Entry> {
	/** The key of a record. Entries with equal keys are about the same record. */
	keyOf(entry: Entry): string;
	/** Names of the fields for which two entries want different values. */
	differencesBetween(one: Entry, other: Entry): string[];
}

interface Agreed<Entry> {
	agreeing: Array<NonEmpty<Entry>>;
	contradicting: Array<{ entries: NonEmpty<Entry>; names: string[] }>;
}

/**
 * Groups entries about the same record. Entries that want different values contradict each other, because the result would
 * depend on their order.
 */
export function agreementOf<Entry>(
	entries: readonly Entry[],
	{ keyOf, differencesBetween }: Agreement<Entry>,
): Agreed<Entry> {
	const agreed: Agreed<Entry> = { agreeing: [], contradicting: [] };

	for (const group of groupBy(entries, keyOf).values()) {
		const [first, ...others] = group;
		const names = new Set(others.flatMap((other) => differencesBetween(first, other)));
		if (names.size === 0) agreed.agreeing.push(group);
		else agreed.contradicting.push({ entries: group, names: [...names] });
	}
	return agreed;
}

interface ContradictionWords {
	/** The items; the error names their record. */
	readonly who?: string;
	readonly advice?: string;
}

const keepOne = 'Keep one of them, for example with a Remove Duplicates node.';

/**
 * Title and next step of the error for items that contradict each other.
 * @param names what they want differently
 */
export function contradictionText(
	noun: string,
	names: readonly string[],
	{ who = 'Its items', advice = keepOne }: ContradictionWords = {},
): { title: OwnTitle; nextStep: string } {
	return {
		title: `Several items want different values for one ${noun}`,
		nextStep: `${who} have different values for ${firstOf(names)}. ${advice}`,
	};
}
