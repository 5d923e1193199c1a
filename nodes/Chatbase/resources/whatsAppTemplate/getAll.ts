import type { ApiClient } from '../../api/client';
import type { InputItem } from '../../execution/item';
import { filtersField, operation, optionsField } from '../../fields/define';
import { toggleField } from '../../fields/field';
import { filterField } from '../../fields/filters';
import { chatbotField } from '../../fields/locators';
import { pagingFields, readLimit, truncationNotice } from '../../fields/paging';
import { filledText } from '../../fields/values';
import { isSendable, readTemplates, templatesPath, textOf } from './templates';

const maxReads = 3;

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
	action: 'Get many WhatsApp templates',
	description: 'List the approved templates and the numbers to send from',
	request: { method: 'GET', path: templatesPath, resource: 'agent' },
	fields: [chatbotField, ...pagingFields, filtersField(filters), optionsField([allowPartialList])],

	read(item) {
		const [category, language, name] = filters.map((field) =>
			field.read(item)?.trim().toLowerCase(),
		);
		return {
			chatbotId: chatbotField.read(item),
			limit: readLimit(item),
			category,
			language,
			name,
			allowsPart: allowPartialList.read(item),
		};
	},

	async send({ item, params, api }) {
		const { limit, category, language, name = '' } = params;
		const { templates, senders } = await readWholeList(item, api, params);
		const isWanted = (value: string, wanted = value.toLowerCase()) =>
			value.toLowerCase() === wanted;
		const found = templates.filter(
			(template) =>
				isWanted(template.category, category) &&
				isWanted(template.language, language) &&
				template.name.toLowerCase().includes(name),
		);
		const returned = found.slice(0, limit).map((template) => ({
			...template,
			text: textOf(template),
			isSendable: isSendable(template),
			senders: senders?.filter(({ wabaId }) => wabaId === template.wabaId),
		}));
		return [...returned, ...truncationNotice(item, returned.length, limit, found.length)];
	},
});

/** A service leaves out accounts that it cannot reach, says so, and asks to retry (reference of version 2, 14.1). */
async function readWholeList(
	item: InputItem,
	api: ApiClient,
	{ chatbotId, allowsPart }: { chatbotId: string; allowsPart: boolean },
) {
	for (let reads = 1; ; reads++) {
		const list = await readTemplates(api, chatbotId);
		if (list.isComplete || allowsPart) return list;
		if (reads === maxReads) break;
		await api.wait(1000);
	}
	throw item.error(
		'The list of templates is not complete',
		'A WhatsApp account of the chatbot is unavailable. Run again later, or add Allow Partial List under Options.',
	);
}
