import { repeatUntil } from '../../api/unknownOutcome';
import { filtersField, optionsField } from '../../panel/collections';
import { toggleField } from '../../panel/field';
import { filterField } from '../../panel/filters';
import { operation } from '../../panel/operation';
import { paging } from '../../panel/paging';
import { upToLimit } from '../../execution/lists';
import { filledText } from '../../panel/types';
import { chatbotField } from '../chatbot/chatbotField';
import { readTemplates, templatesRequest } from './templates';

const categories = ['Authentication', 'Marketing', 'Utility'];
const filters = [
	filterField('category', 'Category', filledText, {
		type: 'options',
		default: 'UTILITY',
		description: 'Only templates of this category',
		options: categories.map((name) => ({ name, value: name.toUpperCase() })),
	}),
	filterField('language', 'Language', filledText, {
		placeholder: 'e.g. en_US',
		description: 'Only templates in this language',
	}),
	filterField('name', 'Name Contains', filledText, {
		placeholder: 'e.g. order',
		description: 'Only templates with this text in their name (case-insensitive)',
	}),
];
const allowPartialList = toggleField('options.allowPartialList', 'Allow Partial List', {
	description:
		'Whether to return what the service could read if a WhatsApp account is unavailable, instead of failing',
});

export const getAll = operation({
	value: 'getAll',
	name: 'Get Many',
	description: 'List the approved templates and the numbers to send from',
	request: templatesRequest,
	fields: [chatbotField, ...paging.fields, filtersField(filters), optionsField([allowPartialList])],

	read: (item) => ({
		chatbotId: chatbotField.read(item),
		limit: paging.read(item),
		wanted: filters.map((field) => field.read(item)?.trim().toLowerCase()),
		allowsPart: allowPartialList.read(item),
	}),

	async send({ item, params: { chatbotId, limit, wanted, allowsPart }, api }) {
		// The service leaves out accounts that it cannot reach, and asks to retry (reference of version 2, 14.1).
		const read = async () => await readTemplates(api, chatbotId);
		const isEnough = (list: { isComplete: boolean }) => list.isComplete || allowsPart;
		const list = await repeatUntil(api, 3000, read, isEnough);
		if (!isEnough(list)) {
			const nextStep =
				'A WhatsApp account of the chatbot is unavailable. Run again later, or add Allow Partial List under Options.';
			throw item.error('The list of templates is not complete', nextStep);
		}
		const [category, language, name = ''] = wanted;
		const isWanted = (value: string, only = value.toLowerCase()) => value.toLowerCase() === only;
		const found = list.templates.filter(
			(template) =>
				isWanted(template.category, category) &&
				isWanted(template.language, language) &&
				template.name.toLowerCase().includes(name),
		);
		return upToLimit(item, found, limit, found.length);
	},
});
