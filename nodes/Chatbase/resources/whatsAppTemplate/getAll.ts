import { maxListReads } from '../../api/paginate';
import { filtersField, operation, optionsField } from '../../fields/define';
import { toggleField } from '../../fields/field';
import { filterField } from '../../fields/filters';
import { chatbotField } from '../../fields/locators';
import { paging, upToLimit } from '../../fields/paging';
import { filledText } from '../../fields/values';
import { isSendable, readTemplates, templatesPath, textOf } from './templates';

const filters = [
	filterField('category', 'Category', filledText, {
		type: 'options',
		default: 'UTILITY',
		description: 'Only templates of this category',
		options: [
			{ name: 'Authentication', value: 'AUTHENTICATION' },
			{ name: 'Marketing', value: 'MARKETING' },
			{ name: 'Utility', value: 'UTILITY' },
		],
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
	request: { method: 'GET', path: templatesPath, resource: 'agent' },
	fields: [chatbotField, ...paging.fields, filtersField(filters), optionsField([allowPartialList])],

	read(item) {
		const [category, language, name] = filters.map((field) =>
			field.read(item)?.trim().toLowerCase(),
		);
		return {
			chatbotId: chatbotField.read(item),
			limit: paging.read(item),
			category,
			language,
			name,
			allowsPart: allowPartialList.read(item),
		};
	},

	async send({
		item,
		params: { chatbotId, limit, category, language, name = '', allowsPart },
		api,
	}) {
		let list = await readTemplates(api, chatbotId);
		// The service leaves out accounts that it cannot reach, and asks to retry (reference of version 2, 14.1).
		for (let reads = 1; !list.isComplete && !allowsPart; reads++) {
			if (reads === maxListReads) {
				throw item.error(
					'The list of templates is not complete',
					'A WhatsApp account of the chatbot is unavailable. Run again later, or add Allow Partial List under Options.',
				);
			}
			await api.wait(1000);
			list = await readTemplates(api, chatbotId);
		}
		const isWanted = (value: string, wanted = value.toLowerCase()) =>
			value.toLowerCase() === wanted;
		const found = list.templates.filter(
			(template) =>
				isWanted(template.category, category) &&
				isWanted(template.language, language) &&
				template.name.toLowerCase().includes(name),
		);
		const records = found.map((template) => ({
			...template,
			text: textOf(template),
			isSendable: isSendable(template),
			senders: list.senders?.filter(({ wabaId }) => wabaId === template.wabaId),
		}));
		return upToLimit(item, records, limit, found.length);
	},
});
