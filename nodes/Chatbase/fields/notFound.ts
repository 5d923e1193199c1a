import type { INodeProperties } from 'n8n-workflow';

import type { InputItem } from '../execution/item';
import { readChoice } from './values';

export function notFoundOption(
	markDescription: string,
	what = 'contact with this External ID',
): INodeProperties {
	return {
		displayName: 'If Not Found',
		name: 'onNotFound',
		type: 'options',
		default: 'error',
		description: `What to do if the chatbot has no ${what}`,
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

/** Whether the item returns `found: false` for a record that does not exist. */
export function readMarksMissing(item: InputItem): boolean {
	return readChoice(item, 'options.onNotFound', 'If Not Found', ['error', 'mark']) === 'mark';
}
