import type { ShownFor } from '../../fields/collections';
import { simplifyField, toolOutputFields } from '../../fields/output';

/** The fields of a chatbot that most workflows need, the most useful first. */
export const simplifiedFields = [
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

/** Lets the user choose how much of a chatbot is returned. */
export function chatbotOutputFields(operation: string[]) {
	const show: ShownFor = { resource: ['chatbot'], operation };
	return [
		simplifyField(show),
		...toolOutputFields(
			show,
			'chatbot',
			'Name, status, model, instructions and the most important dates',
			'e.g. name, status, temp',
		),
	];
}
