import type { INodeProperties } from 'n8n-workflow';

/** What to do about a contact that does not exist. */
export function notFoundOption(markDescription: string): INodeProperties {
	return {
		displayName: 'If Not Found',
		name: 'onNotFound',
		type: 'options',
		default: 'error',
		description: 'What to do when the chatbot has no contact with this External ID',
		options: [
			{
				name: 'Fail',
				value: 'error',
				description: 'The item fails; On Error in the settings decides what follows',
			},
			{ name: 'Mark', value: 'mark', description: markDescription },
		],
	};
}
