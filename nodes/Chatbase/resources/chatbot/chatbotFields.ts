import { type Field, optionalField } from '../../panel/field';
import { type Simplified, simplifyField, toolOutputFields } from '../../panel/output';
import { only, text, textUpTo, type ValueType } from '../../panel/types';

/** The service rejects shorter names (reference of version 1). */
const minNameLength = 3;

const chatbotName = only(
	text,
	`at least ${minNameLength} characters long`,
	(name) => name.trim().length >= minNameLength,
);

/** The arguments for the name of a chatbot that follow the label of the field. */
export const nameOfChatbot = [
	chatbotName,
	{
		description: `Name of the chatbot in the dashboard, at least ${minNameLength} characters`,
		placeholder: 'e.g. Support Bot',
	},
] as const;

/** Version 2 rejects longer names, after a clone was made. */
const maxNameLength = 100;

/** The name of a chatbot that version 2 makes or renames. */
export const agentName = textUpTo(maxNameLength);

export function trainingTextField(
	collection: 'additionalFields' | 'updateFields',
	type: ValueType<string>,
	description: string,
): Field<string | undefined> {
	return optionalField(`${collection}.sourceText`, 'Training Text', type, {
		description,
		typeOptions: { rows: 6 },
		placeholder: 'e.g. We deliver within two days. Returns are free for 30 days…',
	});
}

export const simplifiedChatbot: Simplified = [
	'id',
	'name',
	'status',
	'visibility',
	'model',
	'instructions',
	'last_message_at',
	'last_trained_at',
	'created_at',
	'updated_at',
];

/** The fields of a chatbot beside its ID (reference of version 1, and what running clients read). */
const chatbotFieldNames = [
	'created_at',
	'initial_messages',
	'instructions',
	'last_message_at',
	'last_trained_at',
	'model',
	'name',
	'num_of_characters',
	'status',
	'styles',
	'temp',
	'updated_at',
	'visibility',
];

export const outputFields = [
	simplifyField,
	...toolOutputFields(
		'Name, status, model, instructions and main dates',
		chatbotFieldNames,
	),
];
