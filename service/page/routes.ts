/**
 * A simulated page of a website with the chatbot's widget on it. Its endpoints stand outside of `/api` and are ours:
 * the widget's own requests aren't documented. What they do is: public pages.
 */
import { z } from 'zod';

import type { Endpoint } from '../core/endpoint';
import { route } from '../v1/route';
import { pageFeedbackRequest, pageMessageRequest, sessionRequest } from './contract';
import { ask, beginVisit, rate, visitOf } from './visits';

/** Where the endpoints of the page begin. */
export const pagePath = '/page';

const sessions = '/{chatbotId}/sessions';
const messages = `${sessions}/{sessionId}/messages`;

export const pageRoutes = [
	route(post(sessions, sessionRequest.default({})), (call) => {
		const visit = beginVisit(call.chatbot, call.body.token, call);
		void call.response.code(201);
		return visit;
	}),

	route(post(messages, pageMessageRequest), async (call) => {
		const { chatbot, params, body } = call;
		return await ask(visitOf(chatbot, params.sessionId), body.message, call);
	}),

	route(post(`${messages}/{messageId}/feedback`, pageFeedbackRequest), (call) => {
		const { chatbot, params, body } = call;
		rate(visitOf(chatbot, params.sessionId), params.messageId, body.feedback);
		return { feedback: body.feedback };
	}),
];

function post<Body extends z.ZodType>(path: string, body: Body) {
	return { method: 'POST', path, query: z.looseObject({}), body } satisfies Endpoint;
}
