import type { ILoadOptionsFunctions, INodeProperties, ResourceMapperFields } from 'n8n-workflow';

import { idField, type PanelProperty } from '../../panel/field';
import { byName, type ListSearch, matching } from '../../panel/listSearch';
import { locator } from '../../panel/locators';
import { chosenChatbot, panelClient, requireChatbot } from '../../panel/panelClient';
import { text } from '../../panel/types';
import {
	choiceOf,
	choiceValue,
	matchesOf,
	readTemplates,
	variablesOf,
	wordsAround,
} from './templates';

const searchTemplates: ListSearch = async function (filter) {
	const { templates } = await readTemplates(await panelClient(this), requireChatbot(this));
	const accounts = new Set(templates.map(({ wabaId }) => wabaId));
	const sendable = templates.filter(({ isSendable }) => isSendable);
	const choices = sendable.map((template) => {
		const { name, language, category, wabaId, senders: [sender] = [] } = template;
		const account = accounts.size > 1 ? `, ${sender?.verifiedName || sender?.from || wabaId}` : '';
		const words = `${name} (${language}), ${category.toLowerCase()}${account}`;
		return { name: words, value: choiceValue(template) };
	});
	return matching(choices.sort(byName), filter);
};

const templateLook = {
	description: 'An approved template of the chatbot',
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
async function mapTemplateVariables(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const chatbotId = chosenChatbot(this);
	const chosen = text.read(this.getCurrentNodeParameter('template', { extractValue: true }));
	if (chatbotId === undefined || !chosen || chosen.startsWith('=')) return { fields: [] };
	const language = text.read(this.getCurrentNodeParameter('options.language'));
	const { templates } = await readTemplates(await panelClient(this), chatbotId);
	const [template] = matchesOf(templates, choiceOf(chosen, language));
	return {
		fields: variablesOf(template).map(({ component, key, label }) => ({
			...alwaysShown,
			id: `${component}.${key}`,
			displayName: label + wordsAround(template, component, key),
			type: 'string' as const,
		})),
		emptyFieldsNotice: template
			? 'This template has no variables.'
			: 'The template was not found. Choose one From List.',
	};
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
