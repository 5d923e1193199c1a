/** Removes characters that programs and address books add to a value, and that nobody wants. */
import type { Reading } from '../../customAttribute/attributeTypes';
import type { Entry } from '../plan/values';

/** How a value was read, for a hint. */
export interface ValueNote {
	readonly kind: Reading | 'apostrophe';
	/** The name of the field or attribute. */
	readonly name: string;
	readonly from: string;
	readonly to: string;
}

interface Cleaned {
	readonly entries: readonly Entry[];
	/** Notes about removed apostrophes. */
	readonly notes: readonly ValueNote[];
}

type Replacement = readonly [pattern: RegExp, by: string];

/** Address books write direction marks, and hyphens that don't break. */
const visible: readonly Replacement[] = [
	[/\p{Cf}/gu, ''],
	[/\u2011/g, '-'],
];

/** What is replaced in the text of a field. With an apostrophe, spreadsheets keep a number as text. */
const replacements: ReadonlyMap<string, readonly Replacement[]> = new Map([
	['external_id', [[/^'(?=\d+$)/, '']]],
	['email', visible],
	['phonenumber', [...visible, [/^'(?=\+?\d+$)/, '']]],
]);

/** The values of an item, without what is removed from them. */
export function cleanEntries(found: readonly Entry[]): Cleaned {
	const entries: Entry[] = [];
	const notes: ValueNote[] = [];

	for (const [name, value] of found) {
		const rules = replacements.get(name);
		if (!rules || typeof value !== 'string') {
			entries.push([name, value]);
			continue;
		}

		const to = rules.reduce((text, [pattern, by]) => text.replace(pattern, by), value);
		entries.push([name, to]);
		const hasLost = value.includes("'") && !to.includes("'");
		if (hasLost) notes.push({ kind: 'apostrophe', name, from: value, to });
	}
	return { entries, notes };
}
