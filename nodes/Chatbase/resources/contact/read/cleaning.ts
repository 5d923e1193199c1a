/** Removes characters that programs and address books add to a value, and that nobody wants. */
import type { Entry } from '../plan/values';
import type { ValueNote } from './fieldValues';

/** With an apostrophe, spreadsheets keep a number as text. */
const apostrophes: ReadonlyMap<string, RegExp> = new Map([
	['external_id', /^'(?=\d+$)/],
	['phonenumber', /^'(?=\+?\d+$)/],
]);

/** Address books write numbers with direction marks and with hyphens that don't break. */
const withoutInvisible = new Set(['email', 'phonenumber']);

/** A value without invisible characters if it is an email or phone number, and without an apostrophe before its digits. */
export function cleaned([name, value]: Entry): Entry {
	if (typeof value !== 'string') return [name, value];
	const visible = withoutInvisible.has(name)
		? value.replace(/\p{Cf}/gu, '').replaceAll('\u2011', '-')
		: value;
	const apostrophe = apostrophes.get(name);
	return [name, apostrophe ? visible.replace(apostrophe, '') : visible];
}

/** Notes about the values from which `cleaned` removes an apostrophe. */
export function apostropheNotes(entries: readonly Entry[]): ValueNote[] {
	return entries.flatMap(([name, value]): ValueNote[] => {
		const apostrophe = apostrophes.get(name);
		if (!apostrophe || typeof value !== 'string' || !value.includes("'")) return [];
		const [, to] = cleaned([name, value]) as [string, string];
		return to.includes("'") ? [] : [{ kind: 'apostrophe', name, from: value, to }];
	});
}
