/** Hints about the input: what is not sent, what is probably wrong, and which values were changed when they were read. */
import type { Run } from '../../../execution/run';
import { countFormat } from '../../../values/json';
import { addTo, firstOf, giveWay } from '../../../values/list';
import { abbreviate } from '../../../values/text';
import type { Attributes } from '../../customAttribute/attributeTypes';
import { contactFieldLabel } from '../panel/mapper';
import { nameOfFormat, textFormatOption } from '../panel/options';
import { bareName, isAttribute } from '../plan/values';
import type { ContactParams } from './contactParams';
import type { ValueNote } from './fieldValues';

type ContactRun = Run<ContactParams>;

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

/** Names what automatic mapping does not send, and values that are probably wrong or were changed. */
export async function warnOfInput(run: ContactRun): Promise<void> {
	await warnOfColumns(run);
	await warnOfOddities(run);
	await warnOfNotes(run);
	await warnOfMissingCells(run);
}

async function warnOfColumns({ items, context }: ContactRun): Promise<void> {
	const unknown = new Set<string>();
	const outranked = new Set<string>();

	for (const { params } of items) {
		params.unsent?.unknown.forEach((name) => unknown.add(name));
		params.unsent?.outranked.forEach((name) => outranked.add(name));
		await giveWay();
	}

	if (unknown.size > 0) {
		context.warn(
			`Not sent: ${namedColumns([...unknown])}. No contact field or custom attribute has these names. Correct the names, choose Map Each Column Manually, or make attributes with Custom Attribute: Create.`,
		);
	}
	if (outranked.size > 0) {
		context.warn(
			`Not sent: ${namedColumns([...outranked])}. Another column fills the same field.`,
		);
	}
}

async function warnOfOddities({ items, context }: ContactRun): Promise<void> {
	const odd = new Map<string, string[]>();

	for (const { item, params } of items) {
		const { values, attributes } = params.input;
		for (const [name, value] of values) {
			if (typeof value !== 'string') continue;
			for (const { text, isOdd } of oddities[name] ?? otherOddities) {
				if (!isOdd(value)) continue;
				const place = `"${abbreviate(value)}" (item ${item.index})`;
				addTo(odd, `${shownName(name, attributes)} ${text}`, place);
			}
		}
		await giveWay();
	}

	for (const [sentence, places] of odd) {
		const shown = firstOf(places, String, maxPlaces);
		context.warn(`${sentence}: ${shown}. The value is used as it is. Check the input.`);
	}
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
async function warnOfNotes({ items, context }: ContactRun): Promise<void> {
	const groups = new Map<string, NoteGroup>();
	const numbers = new Map<string, number>();

	for (const { item, params } of items) {
		const { values, attributes } = params.input;
		for (const note of params.notes) {
			const key = `${note.kind} ${note.name}`;
			const field = shownName(note.name, attributes);
			const { count, ...first } = groups.get(key) ?? {
				note,
				field,
				index: item.index,
				count: 0,
			};
			groups.set(key, { ...first, count: count + 1 });
		}
		for (const [name, value] of values) {
			if (typeof value === 'number') numbers.set(name, (numbers.get(name) ?? 0) + 1);
		}
		await giveWay();
	}

	const formatted: string[] = [];
	for (const { note, field, index, count } of groups.values()) {
		const { kind, name, from, to } = note;
		const read = `${field}: ${abbreviate(from)} was read as ${to}`;
		if (kind === 'textFormat') formatted.push(`${read}.`);
		if (kind === 'excelDay') context.warn(`${read}, Excel's number for a day.`);
		if (kind === 'apostrophe') {
			context.warn(
				`${field}: the apostrophe at the start was removed in ${countedItems(count)}, such as "${abbreviate(from)}" (item ${index}).`,
			);
		}
		// If the column also has a number such as 12.5, all its numbers are probably fractions.
		if (kind === 'thousands' && count === numbers.get(name)) {
			context.warn(
				`${field}: all numbers look like ${from}, which was read as ${to}. If it means ${from.replace('.', '')}, set ${formatLabel} to "${nameOfFormat('dayComma')}" in Options.`,
			);
		}
	}

	if (formatted.length === 0) return;
	const shown = formatted.slice(0, maxPlaces).join(' ');
	context.warn(`${shown} If this is wrong, change ${formatLabel} in Options.`);
}

/** Warns of cells that an item lacks, although other items have the column. */
async function warnOfMissingCells({ items, context }: ContactRun): Promise<void> {
	const uncleared = new Map<string, number>();
	const attributes = items.find(({ params }) => params.input.attributes)?.params.input
		.attributes;

	for (const { params } of items) {
		for (const name of params.uncleared) {
			uncleared.set(name, (uncleared.get(name) ?? 0) + 1);
		}
		await giveWay();
	}

	const sentences = [...uncleared].map(
		([name, count]) =>
			`${shownName(name, attributes)} is missing in ${countedItems(count)} and was not cleared.`,
	);
	if (sentences.length === 0) return;
	const advice = 'In Extract from File, turn on Include Empty Cells.';
	context.warn([...sentences, advice].join(' '));
}

const formatLabel = textFormatOption.property.displayName;

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
