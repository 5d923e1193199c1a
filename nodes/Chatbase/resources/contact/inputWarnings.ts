import type { Run } from '../../execution/run';
import { firstOf } from '../../values/list';
import { abbreviate } from '../../values/text';
import type { ContactParams } from './item';

/** A service takes other values, too, though they are probably wrong. */
const usual: Array<[field: string, form: RegExp, otherwise: string]> = [
	['email', /^\s*$|^[^\s@]+@[^\s@]+$/, 'Email is not an email address'],
	['external_id', /^$|^\S(.*\S)?$/s, 'External ID has spaces around it'],
];

export function warnOfInput(run: Run<ContactParams>): void {
	warnOfColumns(run);
	const { items, context } = run;
	for (const [field, form, otherwise] of usual) {
		const places = items.flatMap(({ item, params }) => {
			const value = String(params.wanted.values.get(field) ?? '');
			return form.test(value) ? [] : `"${abbreviate(value)}" (item ${item.index})`;
		});
		if (places.length === 0) continue;
		context.warn(
			`${otherwise}: ${firstOf(places)}. The value is used as it is. Check the input.`,
		);
	}
}

/** Names each column that automatic mapping does not send. */
function warnOfColumns({ items, context }: Run<ContactParams>) {
	const unknown = new Set<string>();
	const outranked = new Set<string>();
	for (const { params } of items) {
		params.columns?.unknown.forEach((name) => unknown.add(name));
		params.columns?.outranked.forEach((name) => outranked.add(name));
	}

	if (unknown.size > 0) {
		const reason = 'No contact field or custom attribute has these names.';
		context.warn(`Not sent: ${countedOf([...unknown])}. ${reason}`);
	}
	if (outranked.size > 0) {
		const reason = 'Another column with the exact name fills the same field.';
		context.warn(`Not sent: ${countedOf([...outranked])}. ${reason}`);
	}
}

const maxColumns = 10;

/** The first names, and how many others there are. Quotes show spaces around a name, and an empty one. */
function countedOf(names: string[]): string {
	const others = names.length - maxColumns;
	const shown = names
		.slice(0, maxColumns)
		.map((name) =>
			/^\S(.*\S)?$/s.test(name) ? abbreviate(name) : `"${abbreviate(name)}"`,
		)
		.join(', ');
	return others > 0 ? `${shown} and ${others} more` : shown;
}
