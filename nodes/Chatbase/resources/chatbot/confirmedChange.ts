import type { IDataObject } from 'n8n-workflow';

import type { InputItem } from '../../execution/item';
import { bodyIf } from '../../api/response';

export function hasChatbotId({ chatbotId }: IDataObject): boolean {
	return typeof chatbotId === 'string' || typeof chatbotId === 'number';
}

/** The body of a confirmed change: a message for settings and pictures, else an ID (reference of version 1). */
export const confirmedChange = bodyIf(
	(body) => typeof body.message === 'string' || hasChatbotId(body),
);

/** The body of a change that version 2 confirms: by its words, or with the agent (reference of version 2). */
export const confirmedAgent = bodyIf((body) => body.success === true || 'id' in body);

/** What failed after the chatbot was made (reference of version 2). A hint says that there is something. */
export function pendingStepsOf(
	{ context }: InputItem,
	{ pendingSteps }: IDataObject,
): string[] {
	const steps = Array.isArray(pendingSteps) ? pendingSteps.map(String) : [];
	if (steps.length > 0) {
		context.warn(
			'A new chatbot is not complete: its pendingSteps name what Chatbase left out.',
		);
	}
	return steps;
}
