/**
 * A simulated page of a website with the chatbot's widget on it. Its endpoints stand outside of `/api` and are ours:
 * the widget's own requests aren't documented. What they do is: public pages.
 */
import type { FastifyInstance } from 'fastify';

import type { Context } from '../v1/context';
import { validated } from '../core/refusal';
import { pageFeedbackRequest, pageMessageRequest, sessionRequest } from './contract';
import { Visits, type MessagePath, type SessionPath } from './visits';

/** Where the endpoints of the page begin. */
export const pagePath = '/page';

const sessions = `${pagePath}/:chatbotId/sessions`;
const messages = `${sessions}/:sessionId/messages`;

export function pageRoutes(app: FastifyInstance, context: Context): void {
	const visits = new Visits(context);

	app.post<{ Params: SessionPath }>(sessions, async ({ params, body }, reply) => {
		const { token } = validated(sessionRequest, body ?? {});
		return await reply.code(201).send(visits.begin(params.chatbotId, token));
	});

	app.post<{ Params: SessionPath }>(messages, async ({ params, body }) => {
		const { message } = validated(pageMessageRequest, body);
		return await visits.ask(params, message);
	});

	app.post<{ Params: MessagePath }>(`${messages}/:messageId/feedback`, ({ params, body }) => {
		const { feedback } = validated(pageFeedbackRequest, body);
		visits.rate(params, feedback);
		return { feedback };
	});
}
