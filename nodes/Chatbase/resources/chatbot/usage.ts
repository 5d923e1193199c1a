import type { IDataObject } from 'n8n-workflow';

import { type Field, toggleField } from '../../panel/field';

/** What a chatbot has used (reference of version 2). */
export function usageOf(agent: IDataObject): IDataObject {
	const { creditsUsed, creditLimit = null, lastMessageAt = null } = agent;
	return { creditsUsed, creditLimit, lastMessageAt };
}

export function hasUsage({ creditsUsed }: IDataObject): boolean {
	return typeof creditsUsed === 'number';
}

export const usageOption: Field<boolean> = toggleField(
	'options.includeUsage',
	'Include Usage',
	{
		description:
			'Whether to add the message credits used this month (UTC), their limit and the time of the last message. May need a higher plan.',
	},
);
