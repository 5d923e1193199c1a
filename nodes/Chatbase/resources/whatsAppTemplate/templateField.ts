import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeProperties,
	ResourceMapperFields,
} from 'n8n-workflow';

import { idField, type PanelProperty } from '../../panel/field';
import { byName, type ListSearch, matching } from '../../panel/listSearch';
import { locator } from '../../panel/locators';
import { chosenChatbot, panelClient, requireChatbot } from '../../panel/panelClient';
import { text } from '../../panel/types';
import {
	matchesOf,
	readChoice,
	readTemplates,
	type Sender,
	storedChoice,
} from './templates';
import { variableLabel } from './variables';

const isPartial = 'The service could not read all WhatsApp accounts.';

/** The last entry of a partial list. Choosing it chooses no template. */
const partialEntry: INodeListSearchItems = {
	name: `${isPartial} Try again later.`,
	value: '',
};

const searchTemplates: ListSearch = async function (filter) {
	const list = await readTemplates(await panelClient(this), requireChatbot(this));
	const accounts = new Set(list.templates.map(({ account }) => account));
	const sendable = list.templates.filter(({ name, obstacle }) => name && !obstacle);

	const choices = sendable.map((template) => {
		const { name, language, category, account } = template;
		const owner = accounts.size > 1 ? accountName(account, list.senders) : undefined;
		const parts = [`${name} (${language})`, category.toLowerCase(), owner];
		return { name: parts.filter(Boolean).join(', '), value: storedChoice(template) };
	});

	const { results } = matching(choices.sort(byName), filter);
	return { results: list.isComplete ? results : [...results, partialEntry] };
};

/** Accounts of one name differ by their numbers. */
function accountName(account: string, senders: Sender[]): string {
	const sender = senders.find((each) => each.account === account);
	const name = sender?.name ?? '';
	const isUnique = senders.every(
		(each) => each.name !== name || each.account === account,
	);
	if (name !== '' && isUnique) return name;

	return [name, sender?.number || account].filter(Boolean).join(' ');
}

const templateLook = {
	description: 'An approved template of the chatbot',
	hint: 'Dry Run and Get Many show the whole text of a template',
	...locator({ searchTemplates }, 'a template', {
		displayName: 'Name',
		name: 'name',
		placeholder: 'e.g. order_update',
		hint: 'Add Language under Options if the name has several languages',
	}),
};
const emptyAdvice = 'Choose one From List or enter its name.';
export const templateField = idField('template', 'Template', templateLook, emptyAdvice);

/** Values are checked when the node runs: n8n would demand them beside a field for JSON, too. */
const alwaysShown = {
	required: false,
	defaultMatch: false,
	canBeUsedToMatch: false,
	display: true,
};

/** One field for each variable of the chosen template; none for an expression, whose template is not known yet. */
async function mapTemplateVariables(
	this: ILoadOptionsFunctions,
): Promise<ResourceMapperFields> {
	const chatbotId = chosenChatbot(this);
	const chosen = text.read(
		this.getCurrentNodeParameter('template', { extractValue: true }),
	);
	if (chatbotId === undefined || !chosen || chosen.startsWith('=')) return { fields: [] };

	const language = text.read(this.getCurrentNodeParameter('options.language'));
	const { templates, isComplete } = await readTemplates(
		await panelClient(this),
		chatbotId,
	);
	const [template] = matchesOf(templates, readChoice(chosen, language));
	if (!template) {
		const reason = isComplete ? '' : ` ${isPartial}`;
		const emptyFieldsNotice = `The template was not found.${reason} Choose one From List.`;
		return { fields: [], emptyFieldsNotice };
	}
	if (template.obstacle) {
		const emptyFieldsNotice = `The API can't send this template. ${template.obstacle}`;
		return { fields: [], emptyFieldsNotice };
	}

	const { variables = [] } = template;
	const fields = variables.map((id) => ({
		...alwaysShown,
		id,
		displayName: variableLabel(template, id),
		type: 'string' as const,
	}));
	return { fields, emptyFieldsNotice: 'This template has no variables.' };
}

/** A field of the mapper has an ID such as `body.1`. */
const variablesProperty: INodeProperties = {
	displayName: 'Template Variables',
	name: 'templateVariables',
	type: 'resourceMapper',
	noDataExpression: true,
	default: { mappingMode: 'defineBelow', value: null },
	description: 'The values of the variables in the template. Each one is needed.',
	typeOptions: {
		loadOptionsDependsOn: ['chatbotId.value', 'template.value', 'options.language'],
		resourceMapper: {
			resourceMapperMethod: 'mapTemplateVariables',
			mode: 'add',
			fieldWords: { singular: 'variable', plural: 'variables' },
			addAllFields: true,
			valuesLabel: 'Template Variables',
			supportAutoMap: false,
		},
	},
};

export const variablesField: PanelProperty = {
	property: variablesProperty,
	methods: { resourceMapping: { mapTemplateVariables } },
};
