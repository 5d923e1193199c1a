import type { INodeProperties } from 'n8n-workflow';

/** The filters for the places where conversations are held. */
export const sourceFields: INodeProperties[] = [
	{
		displayName: 'Other Sources',
		name: 'otherSources',
		type: 'string',
		default: '',
		placeholder: 'e.g. Telegram, Email',
		description: 'Sources that are not in the list Sources, separated by commas',
	},
	{
		displayName: 'Sources',
		name: 'sources',
		type: 'multiOptions',
		default: [],
		description: 'Only conversations that were held in one of these places',
		options: [
			{ name: 'Action Preview', value: 'Action preview' },
			{ name: 'API', value: 'API' },
			{ name: 'Chatbase Site', value: 'Chatbase site' },
			{ name: 'Instagram', value: 'Instagram' },
			{ name: 'Messenger', value: 'Messenger' },
			{ name: 'Playground', value: 'Playground' },
			{ name: 'Slack', value: 'Slack' },
			{ name: 'Unspecified', value: 'Unspecified' },
			{ name: 'WhatsApp', value: 'WhatsApp' },
			{ name: 'Widget or Iframe', value: 'Widget or Iframe' },
		],
	},
];
