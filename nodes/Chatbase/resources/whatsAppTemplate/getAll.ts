import type { IDataObject } from 'n8n-workflow';

import { repeatUntil } from '../../api/unknownOutcome';
import { filtersField, optionsField } from '../../panel/collections';
import { paging } from '../../panel/paging';
import { toggleField } from '../../panel/field';
import { filterField } from '../../panel/filters';
import { hasWords } from '../../panel/locators';
import { operation } from '../../panel/operation';
import {
	readOutput,
	type Simplified,
	simplifyField,
	toolOutputFields,
} from '../../panel/output';
import { upToLimit } from '../../execution/lists';
import { filledText } from '../../panel/types';
import { chatbotField } from '../../chatbots/chatbots';
import {
	readTemplates,
	sendersOf,
	type Template,
	type TemplateList,
	templatesRequest,
} from './templates';
import { messageText } from './variables';

const templateCategories = ['Authentication', 'Marketing', 'Utility'];

const categoryFilter = filterField('category', 'Category', filledText, {
	type: 'options',
	default: 'UTILITY',
	description: 'Only templates of this category',
	options: templateCategories.map((name) => ({ name, value: name.toUpperCase() })),
});
const languageFilter = filterField('language', 'Language', filledText, {
	placeholder: 'e.g. en_US',
	description: 'Only templates in this language',
});
const nameFilter = filterField('name', 'Name Contains', filledText, {
	placeholder: 'e.g. order',
	description: 'Only templates with this text in their name (case-insensitive)',
});

const allowPartialList = toggleField('options.allowPartialList', 'Allow Partial List', {
	description:
		'Whether to return what the service could read if a WhatsApp account is unavailable, instead of failing',
});

/** `variables` becomes a field for each component, such as `variables_body`. */
const simplifiedTemplate: Simplified = [
	'id',
	'name',
	'language',
	'category',
	'text',
	'variables',
	'isSendable',
	'wabaId',
	'senders',
];

/** The fields of a template beside its ID (reference of version 2), and those that this operation adds. */
const templateFieldNames = [
	'category',
	'components',
	'isSendable',
	'language',
	'name',
	'parameterFormat',
	'senders',
	'status',
	'text',
	'variables',
	'wabaId',
];

/** Milliseconds in which an account may become available: the service asks to retry (reference of version 2). */
const maxWait = 3000;

export const getAll = operation({
	value: 'getAll',
	name: 'Get Many',
	description:
		'List approved templates with their text and senders. May need a higher plan.',
	request: templatesRequest,
	fields: [
		chatbotField,
		...paging.fields,
		simplifyField,
		...toolOutputFields(
			'Name, language, category, text, variables and senders',
			templateFieldNames,
		),
		filtersField([categoryFilter, languageFilter, nameFilter]),
		optionsField([allowPartialList]),
	],

	read: (item) => ({
		chatbotId: chatbotField.read(item),
		limit: paging.read(item),
		category: categoryFilter.read(item),
		language: languageFilter.read(item),
		name: nameFilter.read(item),
		allowsPart: allowPartialList.read(item),
		output: readOutput(item, simplifiedTemplate),
	}),

	async send({ item, params, api }) {
		const read = async () => await readTemplates(api, params.chatbotId);
		const isEnough = (list: TemplateList) => list.isComplete || params.allowsPart;
		const list = await repeatUntil(api, maxWait, read, isEnough);
		if (!isEnough(list)) {
			const nextStep =
				'A WhatsApp account of the chatbot is unavailable. Run again later, or add Allow Partial List under Options.';
			throw item.error('The list of templates is not complete', nextStep);
		}

		const found = list.templates.filter(
			({ category, language, name }) =>
				isSameIgnoringCase(category, params.category) &&
				isSameIgnoringCase(language, params.language) &&
				hasWords(name, params.name),
		);
		const records = found.map((template) => params.output(outputFor(list, template)));
		return upToLimit(item, records, params.limit, found.length);
	},
});

function isSameIgnoringCase(value: string, wanted = value): boolean {
	return value.toLowerCase() === wanted.trim().toLowerCase();
}

function outputFor(list: TemplateList, template: Template): IDataObject {
	return {
		...template.record,
		text: messageText(template),
		isSendable: template.isSendable,
		senders: sendersOf(list, template)?.map(({ record }) => record),
	};
}
