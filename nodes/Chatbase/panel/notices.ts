import type { INodeProperties } from 'n8n-workflow';

/** For what is shown only in a tool of an agent, or only outside of one. */
export function shownInTool(isTool: boolean): Pick<INodeProperties, 'displayOptions'> {
	return { displayOptions: { show: { '@tool': [isTool] } } };
}

/** @param displayName the text, which n8n renders as HTML */
export function notice(
	name: string,
	displayName: string,
	displayOptions?: INodeProperties['displayOptions'],
): INodeProperties {
	return { displayName, name, type: 'notice', default: '', displayOptions };
}

/** @param show further conditions, under which the notice is true */
export function toolNotice(
	displayName: string,
	show: NonNullable<INodeProperties['displayOptions']>['show'] = {},
): INodeProperties {
	return notice('toolNotice', displayName, { show: { '@tool': [true], ...show } });
}

export const writeNotice = toolNotice(
	'The agent writes to Chatbase. Describe under Tool Description when to use it, or add a human review step.',
);

/**
 * Shown if the locator is an expression, such as one that the model fills in. n8n 2.41 shows a field if the field that it
 * depends on is an expression.
 */
export function deletionNotice(noun: string, locator: string): INodeProperties {
	const text = `The agent can delete any ${noun} that it can name. Choose the ${noun} yourself, or add a human review step.`;
	return toolNotice(text, { [locator]: [] });
}
