import { simplifyField, toolOutputFields } from '../../panel/output';

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

export const outputFields = [
	simplifyField,
	...toolOutputFields(
		'Name, status, model, instructions and main dates',
		'e.g. name, status, temp',
	),
];
