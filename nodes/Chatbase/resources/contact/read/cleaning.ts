/** Takes away what programs and address books add to a value and nobody means. */
import type { Entry } from '../plan/values';

/** With them, spreadsheets keep a number as text. */
const apostrophes: ReadonlyMap<string, RegExp> = new Map([
	['external_id', /^'(?=\d+$)/],
	['phonenumber', /^'(?=\+?\d+$)/],
]);

const withoutInvisible = new Set(['email', 'phonenumber']);

/** A value without invisible characters if it is an email or phone number, and without an apostrophe before its digits. */
export function cleaned([name, value]: Entry): Entry {
	if (typeof value !== 'string') return [name, value];
	const visible = withoutInvisible.has(name) ? visibleText(value) : value;
	const apostrophe = apostrophes.get(name);
	return [name, apostrophe ? visible.replace(apostrophe, '') : visible];
}

/** Whether `cleaned` takes an apostrophe away, which a person should know. */
export function hasApostrophe([name, value]: Entry): boolean {
	const apostrophe = apostrophes.get(name);
	if (!apostrophe || typeof value !== 'string') return false;
	return apostrophe.test(withoutInvisible.has(name) ? visibleText(value) : value);
}

/** Address books write numbers with direction marks and with hyphens that don't break. */
function visibleText(text: string): string {
	return text.replace(/\p{Cf}/gu, '').replaceAll('\u2011', '-');
}
