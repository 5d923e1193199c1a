import type { INodeProperties } from 'n8n-workflow';

import type { InputItem } from '../execution/item';
import { choiceOption, type Field, type PanelMethods } from './field';
import type { ListSearch } from './listSearch';

/** How a value is typed instead of chosen. */
interface TypedMode {
	/** "ID" if absent. */
	displayName?: string;
	name?: string;
	placeholder: string;
	/** Says where the value is found. */
	hint: string;
}

export type LocatorLook = Pick<INodeProperties, 'type' | 'default' | 'modes'> & {
	methods: PanelMethods;
};

/**
 * The look of a field whose value is chosen from a list of the service, or typed.
 * @param list the function that searches the list, under its name
 * @param noun such as "a chatbot"
 */
export function locator(
	list: Record<string, ListSearch>,
	noun: string,
	typed: TypedMode,
): LocatorLook {
	const [searchListMethod] = Object.keys(list);

	return {
		methods: { listSearch: list },
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Choose ${noun}...`,
				typeOptions: { searchListMethod, searchable: true },
			},
			{ displayName: 'ID', name: 'id', type: 'string', ...typed },
		],
	};
}

export function notFoundOption(
	returned: string,
	what = 'contact with this External ID',
): Field<'error' | 'mark'> {
	return choiceOption('onNotFound', 'If Not Found', {
		description: `What to do if the chatbot has no ${what}`,
		choices: {
			error: ['Fail', 'The item fails; On Error in the settings decides what follows'],
			mark: ['Return found: false', returned],
		},
	});
}

const notFound = notFoundOption('');

/** Whether the item returns `found: false` for a record that does not exist. */
export function readMarksMissing(item: InputItem): boolean {
	return notFound.read(item) === 'mark';
}
