import type { ResourceMapperField } from 'n8n-workflow';

/** The fields that every contact has, as the mapper offers them. */
export const baseFields: ResourceMapperField[] = [
	{ id: 'external_id', displayName: 'External ID' },
	{ id: 'name', displayName: 'Name' },
	{ id: 'email', displayName: 'Email' },
	{ id: 'phonenumber', displayName: 'Phone Number' },
].map((field) => ({
	...field,
	type: 'string',
	required: false,
	defaultMatch: field.id === 'external_id',
	canBeUsedToMatch: field.id === 'external_id' || field.id === 'email',
	display: true,
}));
