import { losesDigits } from './scalar';

/** Numbers as JSON has them that JavaScript rounds, by the object or list that has them, and their key. */
const rounded = new WeakMap<object, Map<string, string>>();

const longNumber = /[:[,]\s*-?\d(?:[\d.]{15}|[\d.]*[eE]\+?\d{3})/;
const textOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/** Remembers the digits that numbers have lost while JSON was parsed. */
export function rememberDigits(json: string, parsed: unknown) {
	if (typeof parsed !== 'object' || !longNumber.test(json)) return;
	const isRounded = (number: string) => losesDigits(number) || !Number.isFinite(Number(number));
	const quoted = json.replace(textOrNumber, (token) =>
		!token.startsWith('"') && isRounded(token) ? `"${token}"` : token,
	);
	compareDigits(parsed, JSON.parse(quoted));
}

/** @param quoted the same, with text in place of each number that is rounded */
function compareDigits(parsed: unknown, quoted: unknown) {
	if (typeof parsed !== 'object' || parsed === null) return;
	for (const [key, value] of Object.entries(parsed) as Array<[string, unknown]>) {
		const exact = (quoted as Record<string, unknown>)[key];
		if (typeof value !== 'number' || typeof exact !== 'string') compareDigits(value, exact);
		else rounded.set(parsed, (rounded.get(parsed) ?? new Map<string, string>()).set(key, exact));
	}
}

/** The exact digits of a number that was rounded; undefined for any other value. */
export function digitsOf(record: object, key: string): string | undefined {
	return rounded.get(record)?.get(key);
}

/** Whether a value of a record, or anything in it, was rounded. */
export function isRounded(record: object, key: string): boolean {
	const value = (record as Record<string, unknown>)[key];
	if (typeof value !== 'object' || value === null) return digitsOf(record, key) !== undefined;
	return Object.keys(value).some((inner) => isRounded(value, inner));
}
