/** Hints about the input: what is not sent, what is probably wrong, and which values were changed when they were read. */
import type { Run } from '../../../execution/run';
import { countFormat } from '../../../values/json';
import { addTo, firstOf, giveWay } from '../../../values/list';
import { abbreviate } from '../../../values/text';
import type { Attributes } from '../../customAttribute/attributeTypes';
import { contactFieldLabel } from '../panel/mapper';
import { nameOfFormat, textFormatOption } from '../panel/options';
import { bareName, isAttribute } from '../plan/values';
import type { ContactParams, ValueNote } from './contactParams';

type ContactItem = Run<ContactParams>['items'][number];

const formatLabel = textFormatOption.property.displayName;

/** A value that is probably wrong, although a service accepts it. */
interface Oddity {
	/** A sentence about the field. */
	readonly text: string;
	isOdd(value: string): boolean;
}

/** A number of a spreadsheet that shows too few digits, such as 4.47911E+11. */
const shortened = {
	text: 'has lost digits, since a spreadsheet has shortened it',
	isOdd: (value: string) => /^[+-]?\d+([.,]\d+)?e\+\d+$/i.test(value.trim()),
};

/** Words that programs write for an empty value. */
const emptyWord = /^(#?n\/?a|nan|nil|none|null|undefined|#(ref|value|name|null)[!?])$/i;

const brokenText: Oddity = {
	text: 'has a broken character, since a file was read in another encoding',
	isOdd: (value) => value.includes('\uFFFD'),
};

const oddities: Record<string, readonly Oddity[]> = {
	external_id: [
		{ text: 'has spaces around it', isOdd: (value) => !/^$|^\S(.*\S)?$/s.test(value) },
		{ text: 'has invisible characters', isOdd: (value) => /\p{Cf}/u.test(value) },
		{ text: 'is a word for "empty"', isOdd: (value) => emptyWord.test(value.trim()) },
		shortened,
		brokenText,
	],
	email: [
		{
			text: 'is not an email address',
			isOdd: (value) => !/^\s*$|^[^\s@]+@[^\s@]+$/.test(value),
		},
		brokenText,
	],
	phonenumber: [
		// Google's export joins the numbers of a person.
		{ text: 'has several numbers', isOdd: (value) => value.includes(' ::: ') },
		shortened,
		brokenText,
	],
};

const otherOddities = [brokenText];

const maxPlaces = 10;

/** Collects what hints say of the items of a run. */
interface HintCollector {
	add(entry: ContactItem): void;
	/** The hints, after all items were added. */
	hints(): string[];
}

/** Names what automatic mapping does not send, and values that are probably wrong or were changed. */
export async function warnOfInput({ items, context }: Run<ContactParams>): Promise<void> {
	const collectors = [unsentColumns(), oddValues(), changedValues(), missingCells()];

	for (const entry of items) {
		for (const collector of collectors) collector.add(entry);
		await giveWay();
	}
	for (const { hints } of collectors) hints().forEach((hint) => context.warn(hint));
}

function unsentColumns(): HintCollector {
	const unknown = new Set<string>();
	const outranked = new Set<string>();

	return {
		add({ params }) {
			params.unsent?.unknown.forEach((name) => unknown.add(name));
			params.unsent?.outranked.forEach((name) => outranked.add(name));
		},

		hints() {
			const hints: string[] = [];
			if (unknown.size > 0) {
				hints.push(
					`Not sent: ${namedColumns([...unknown])}. No contact field or custom attribute has these names. Correct the names, choose Map Each Column Manually, or make attributes with Custom Attribute: Create.`,
				);
			}
			if (outranked.size > 0) {
				hints.push(
					`Not sent: ${namedColumns([...outranked])}. Another column fills the same field.`,
				);
			}
			return hints;
		},
	};
}

function oddValues(): HintCollector {
	const odd = new Map<string, string[]>();

	return {
		add({ item, params }) {
			const { values, attributes } = params.input;
			for (const [name, value] of values) {
				if (typeof value !== 'string') continue;
				for (const { text, isOdd } of oddities[name] ?? otherOddities) {
					if (!isOdd(value)) continue;
					const place = `"${abbreviate(value)}" (item ${item.index})`;
					addTo(odd, `${shownName(name, attributes)} ${text}`, place);
				}
			}
		},

		hints: () =>
			[...odd].map(([sentence, places]) => {
				const shown = firstOf(places, String, maxPlaces);
				return `${sentence}: ${shown}. The value is used as it is. Check the input.`;
			}),
	};
}

/** The notes of one kind about one field. */
interface NoteGroup {
	readonly note: ValueNote;
	/** The field as a person knows it. */
	readonly field: string;
	/** Number of the first item. */
	readonly index: number;
	readonly count: number;
}

/** Says how values were read, with one example of each field. */
function changedValues(): HintCollector {
	const groups = new Map<string, NoteGroup>();
	/** How many items have a number for a field. */
	const numbers = new Map<string, number>();

	return {
		add({ item, params }) {
			const { values, attributes } = params.input;
			for (const note of params.notes) {
				const key = `${note.kind} ${note.name}`;
				const field = shownName(note.name, attributes);
				const known = groups.get(key) ?? { note, field, index: item.index, count: 0 };
				groups.set(key, { ...known, count: known.count + 1 });
			}
			for (const [name, value] of values) {
				if (typeof value === 'number') numbers.set(name, (numbers.get(name) ?? 0) + 1);
			}
		},

		hints() {
			const notes = [...groups.values()];
			const others = notes.flatMap((group) => {
				return hintOf(group, numbers.get(group.note.name)) ?? [];
			});

			const formatted = notes.filter(({ note }) => note.kind === 'textFormat');
			if (formatted.length === 0) return others;
			const shown = formatted.slice(0, maxPlaces).map((group) => `${readingOf(group)}.`);
			const advice = `If this is wrong, change ${formatLabel} in Options.`;
			return [...others, [...shown, advice].join(' ')];
		},
	};
}

/**
 * The hint about the values of one field. Those that were read in the format of Options share one hint.
 * @param numbers how many items have a number for the field
 */
function hintOf(group: NoteGroup, numbers: number | undefined): string | undefined {
	const { note, field, index, count } = group;
	const { kind, from, to } = note;
	switch (kind) {
		case 'textFormat':
			return undefined;
		case 'excelDay':
			return `${readingOf(group)}, Excel's number for a day.`;
		case 'apostrophe':
			return `${field}: the apostrophe at the start was removed in ${countedItems(count)}, such as "${abbreviate(from)}" (item ${index}).`;
		case 'thousands':
			// If the column also has a number such as 12.5, all its numbers are probably fractions.
			if (count !== numbers) return undefined;
			return `${field}: all numbers look like ${from}, which was read as ${to}. If it means ${from.replace('.', '')}, set ${formatLabel} to "${nameOfFormat('dayComma')}" in Options.`;
	}
}

function readingOf({ field, note }: NoteGroup): string {
	const { from, to } = note;
	return `${field}: ${abbreviate(from)} was read as ${to}`;
}

/** Cells that an item lacks, although other items have the column. */
function missingCells(): HintCollector {
	const uncleared = new Map<string, number>();
	let attributes: Attributes | undefined;

	return {
		add({ params }) {
			attributes ??= params.input.attributes;
			for (const name of params.uncleared) {
				uncleared.set(name, (uncleared.get(name) ?? 0) + 1);
			}
		},

		hints() {
			if (uncleared.size === 0) return [];
			const sentences = [...uncleared].map(([name, count]) => {
				const counted = countedItems(count);
				return `${shownName(name, attributes)} is missing in ${counted} and was not cleared.`;
			});
			const advice = 'In Extract from File, turn on Include Empty Cells.';
			return [[...sentences, advice].join(' ')];
		},
	};
}

function countedItems(count: number): string {
	return `${countFormat.format(count)} ${count === 1 ? 'item' : 'items'}`;
}

/** A field or attribute by its label. */
function shownName(name: string, attributes: Attributes | undefined): string {
	if (!isAttribute(name)) return contactFieldLabel(name) ?? name;
	return attributes?.get(bareName(name))?.label || bareName(name);
}

/** The first names. Quotes show spaces around a name, and an empty one. */
function namedColumns(names: readonly string[]): string {
	return firstOf(names, (name) => (/^\S(.*\S)?$/s.test(name) ? name : `"${name}"`));
}
