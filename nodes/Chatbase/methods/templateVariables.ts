import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';

import {
	matchesOf,
	parseChoice,
	readTemplates,
	variableLabel,
	variablesOf,
} from '../resources/whatsAppTemplate/templates';
import { variableId } from '../resources/whatsAppTemplate/variables';
import { text } from '../fields/values';
import { chosenChatbot, panelClient } from './lists';

/** One field for each variable of the chosen template; none for an expression, whose template is not known yet. */
export async function mapTemplateVariables(
	this: ILoadOptionsFunctions,
): Promise<ResourceMapperFields> {
	const chatbotId = chosenChatbot(this);
	const chosen = this.getCurrentNodeParameter('template', { extractValue: true });
	const value = text.read(chosen) ?? '';
	if (chatbotId === undefined || value === '' || value.startsWith('=')) return { fields: [] };
	const language = text.read(this.getCurrentNodeParameter('options.language'));
	const { templates } = await readTemplates(await panelClient(this), chatbotId);
	const choice = parseChoice(value);
	const [template] = matchesOf(templates, {
		...choice,
		language: choice.language ?? (language || undefined),
	});
	const variables = template ? variablesOf(template) : [];
	return {
		fields: variables.map((variable) => ({
			id: variableId(variable),
			displayName: `${variableLabel(variable)}${variable.context && `: ${variable.context}`}`,
			type: 'string',
			display: true,
			// Checked when the node runs: n8n would demand it beside Variables JSON, too.
			required: false,
			defaultMatch: false,
			canBeUsedToMatch: false,
		})),
		emptyFieldsNotice: template
			? 'This template has no variables.'
			: 'The template was not found. Choose one From List.',
	};
}
