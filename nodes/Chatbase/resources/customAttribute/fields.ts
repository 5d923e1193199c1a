import { type Field, optionalField } from '../../panel/field';
import { boolean, text, type ValueType } from '../../panel/types';

/** The name of an attribute (contract, Custom attribute). */
export const attributeName: ValueType<string> = {
	expected: 'valid',
	rule: 'Start with a letter. Use only letters from A to Z, digits, underscores and hyphens.',
	read: (value) =>
		typeof value === 'string' && /^[a-zA-Z][a-zA-Z0-9_-]*$/.test(value)
			? value
			: undefined,
};

/** All fields of an attribute but its permanent name and type. */
export const changeableFields = (
	collection: 'additionalFields' | 'updateFields',
): Field[] => [
	optionalField(`${collection}.archived`, 'Archived', boolean, {
		description:
			"Whether the attribute is archived. Contacts keep their values and can't get new ones.",
	}),
	optionalField(`${collection}.description`, 'Description', text, {
		description: 'Meaning of the attribute, for your team and for the AI agent',
		placeholder: 'e.g. What the customer has spent so far, in euros',
	}),
	optionalField(`${collection}.label`, 'Label', text, {
		description: 'Name of the attribute in the dashboard',
		placeholder: 'e.g. Lifetime Value',
	}),
];
