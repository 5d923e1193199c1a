import type { Run } from '../../../execution/run';
import { countFormat } from '../../../values/json';
import { abbreviate, addTo, firstOf, giveWay } from '../../../values/list';
import { labelOf } from '../panel/mapper';
import { bareName, isAttribute } from '../plan/values';
import type { ContactParams } from './contactInput';

/** A service takes other values, too, though they are probably wrong. */
const usual: Array<[field: string, form: RegExp, otherwise: string]> = [
	['email', /^\s*$|^[^\s@]+@[^\s@]+$/, 'Email is not an email address'],
	['external_id', /^$|^\S(.*\S)?$/s, 'External ID has spaces around it'],
];

const notSent = {
	unknown:
		'No contact field or custom attribute has these names. Correct the names, choose Map Each Column Manually, or make attributes with Custom Attribute: Create.',
	outranked: 'Another column fills the same field.',
};

const maxPlaces = 10;

/** Names what automatic mapping does not send, and values that are probably wrong or were changed. */
export async function warnOfInput(run: Run<ContactParams>): Promise<void> {
	await warnOfColumns(run);
	await warnOfValues(run);
	await warnOfChanges(run);
}

async function warnOfColumns({ items, context }: Run<ContactParams>): Promise<void> {
	const unknown = new Set<string>();
	const outranked = new Set<string>();

	for (const { params } of items) {
		params.unsent?.unknown.forEach((name) => unknown.add(name));
		params.unsent?.outranked.forEach((name) => outranked.add(name));
		await giveWay();
	}

	for (const [kind, names] of Object.entries({ unknown, outranked })) {
		if (names.size === 0) continue;
		const sentence = notSent[kind as keyof typeof notSent];
		context.warn(`Not sent: ${countedOf([...names])}. ${sentence}`);
	}
}

async function warnOfValues({ items, context }: Run<ContactParams>): Promise<void> {
	const odd = new Map<string, string[]>();

	for (const { item, params } of items) {
		for (const [field, form, otherwise] of usual) {
			const value = String(params.input.values.get(field) ?? '');
			const places = odd.get(otherwise) ?? [];
			if (form.test(value) || places.length > maxPlaces) continue;
			odd.set(otherwise, [...places, `"${abbreviate(value)}" (item ${item.index})`]);
		}
		await giveWay();
	}

	for (const [otherwise, places] of odd) {
		const shown = firstOf(places, String, maxPlaces);
		context.warn(`${otherwise}: ${shown}. The value is used as it is. Check the input.`);
	}
}

/** Says which values are sent otherwise than they stand in the input, and which are not cleared. */
async function warnOfChanges({ items, context }: Run<ContactParams>): Promise<void> {
	const apostrophes = new Map<string, string[]>();
	const uncleared = new Map<string, number>();

	for (const { item, params } of items) {
		for (const [name, value] of params.apostrophes) {
			addTo(apostrophes, name, `"${String(value)}" (item ${item.index})`);
		}
		for (const name of params.uncleared) {
			uncleared.set(name, (uncleared.get(name) ?? 0) + 1);
		}
		await giveWay();
	}

	for (const [name, places] of apostrophes) {
		const count = itemsOf(places.length);
		context.warn(
			`${shownName(name)}: the apostrophe at the start was removed in ${count}, such as ${abbreviate(places[0])}.`,
		);
	}

	const sentences = [...uncleared].map(
		([name, count]) =>
			`${shownName(name)} is missing in ${itemsOf(count)} and was not cleared.`,
	);
	if (sentences.length === 0) return;
	const advice = 'In Extract from File, turn on Include Empty Cells.';
	context.warn([...sentences, advice].join(' '));
}

function itemsOf(count: number): string {
	return `${countFormat.format(count)} ${count === 1 ? 'item' : 'items'}`;
}

/** A field by its label, an attribute by its name. */
function shownName(name: string): string {
	return labelOf(name) ?? (isAttribute(name) ? bareName(name) : name);
}

const maxColumns = 10;

/** The first names, and how many others there are. Quotes show spaces around a name, and an empty one. */
function countedOf(names: string[]): string {
	const others = names.length - maxColumns;
	const shown = firstOf(names.slice(0, maxColumns), (name) =>
		/^\S(.*\S)?$/s.test(name) ? name : `"${name}"`,
	);
	return others > 0 ? `${shown} and ${others} more` : shown;
}
