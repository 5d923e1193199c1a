/**
 * How the service converts custom attributes in a write. Public pages: text and numbers
 * are stored unchanged, booleans and dates are coerced; the contract shows no value types.
 */
import type { AttributeValue } from '../core/contactBook';
import type { CustomAttribute } from '../core/customAttribute';
import type { Issue } from '../core/refusal';
import type { Chatbot } from '../core/store';

type Coerced = { value: AttributeValue } | { fault: string };

const coercions: Record<CustomAttribute['type'], (value: unknown) => Coerced> = {
	text: (value) => (typeof value === 'string' ? { value } : { fault: 'Expected text' }),
	number: (value) => (typeof value === 'number' ? { value } : { fault: 'Expected number' }),
	boolean: (value) => {
		if (value === true || value === 'true' || value === 1) return { value: true };
		if (value === false || value === 'false' || value === 0) return { value: false };
		return { fault: 'Expected boolean' };
	},
	date: (value) => {
		if (typeof value !== 'string' && typeof value !== 'number') return { fault: 'Expected date' };

		const date = new Date(value);
		if (Number.isNaN(date.getTime())) return { fault: 'Expected date' };
		return { value: date.toISOString() };
	},
};

/**
 * Converts the values to the types of the chatbot's attributes. Undefined names are dropped,
 * and null always passes.
 *
 * @param prefix put before the attribute's name in an issue
 * @returns the values to store, and what is wrong with the others
 */
export function typedAttributes(
	values: Record<string, unknown>,
	chatbot: Chatbot,
	prefix = 'custom_attributes.',
): { typed: Record<string, AttributeValue>; issues: Issue[] } {
	const typed: Record<string, AttributeValue> = {};
	const issues: Issue[] = [];

	for (const [name, value] of Object.entries(values)) {
		const attribute = chatbot.attributes.get(name);
		if (!attribute) continue;

		const result = coerced(value, attribute);
		if ('fault' in result) issues.push({ field: prefix + name, message: result.fault });
		else typed[name] = result.value;
	}

	return { typed, issues };
}

function coerced(value: unknown, { type, archived }: CustomAttribute): Coerced {
	if (value === null) return { value: null };
	return archived ? { fault: 'Attribute is archived' } : coercions[type](value);
}
