import type { InputItem } from '../execution/item';
import { choiceField } from './field';

export const notFoundOption = (returned: string, what = 'contact with this External ID') =>
	choiceField('options.onNotFound', 'If Not Found', {
		description: `What to do if the chatbot has no ${what}`,
		choices: {
			error: ['Fail', 'The item fails; On Error in the settings decides what follows'],
			mark: ['Return found: false', returned],
		},
	});

const { read } = notFoundOption('');

/** Whether the item returns `found: false` for a record that does not exist. */
export function readMarksMissing(item: InputItem): boolean {
	return read(item) === 'mark';
}
