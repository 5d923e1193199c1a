import type { INodeProperties } from 'n8n-workflow';

import { optionsField, updateFieldsField } from '../../fields/collections';
import { maxConcurrencyOption } from '../../fields/paging';
import type { Setting } from './settings';
import { leadFormSettings, mainSettings, styleSettings } from './settings';

const show = { resource: ['chatbotSettings'], operation: ['update'] };
const fieldsOf = (settings: Setting[]) => settings.map(({ field }) => field);

const lockWithoutDomains: INodeProperties = {
	displayName:
		'Only Allow on Added Domains is on, but this update names no Domains: the chatbot will run only on those it has then. Without any it runs nowhere.',
	name: 'domainsNotice',
	type: 'notice',
	default: '',
	displayOptions: {
		show: { ...show, '/updateFields.onlyAllowOnAddedDomains': [true] },
		hide: { '/updateFields.domains': [{ _cnd: { exists: true } }] },
	},
};

const styles: INodeProperties = {
	displayName: 'Styles',
	name: 'styles',
	type: 'collection',
	placeholder: 'Add Style',
	default: {},
	description: 'How the chat window looks on a website',
	displayOptions: { show },
	options: fieldsOf(styleSettings),
};

const leadForm: INodeProperties = {
	displayName: 'Lead Form',
	name: 'leadForm',
	type: 'collection',
	placeholder: 'Add Field',
	default: {},
	description: 'The form with which the chatbot asks visitors for their details',
	displayOptions: { show },
	options: fieldsOf(leadFormSettings),
};

const options = optionsField(show, [
	maxConcurrencyOption,
	{
		displayName: 'Settings JSON',
		name: 'settingsJson',
		type: 'json',
		default: '{}',
		description:
			'Settings as one JSON object with the names of the API, for example { "temp": 0.2, "styles": { "theme": "dark" } }, for settings that you keep in a file. The fields above win over it.',
	},
]);

export const chatbotSettingsUpdateFields: INodeProperties[] = [
	updateFieldsField(show, fieldsOf(mainSettings)),
	lockWithoutDomains,
	styles,
	leadForm,
	options,
];
