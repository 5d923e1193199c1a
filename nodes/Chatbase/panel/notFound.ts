import type { InputItem } from '../execution/item';
import { choiceField, type Field } from './field';

export function notFoundOption(
	returned: string,
	what = 'contact with this External ID',
): Field<'error' | 'mark'> {
	return choiceField('options.onNotFound', 'If Not Found', {
		description: `What to do if the chatbot has no ${what}`,
		choices: {
			error: [
				'Fail',
				'The item fails. On Error in the settings decides what happens next.',
			],
			mark: ['Return found: false', returned],
		},
	});
}

const notFound = notFoundOption('');

/** Whether the item returns `found: false` for a record that does not exist. */
export function readMarksMissing(item: InputItem): boolean {
	return notFound.read(item) === 'mark';
}
