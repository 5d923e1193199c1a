/** A route of version 1 or of the simulated page: what it takes, and what it answers. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { z } from 'zod';

import type { Endpoint } from '../core/endpoint';
import { validated } from '../core/refusal';
import type { Chatbot } from '../core/store';
import { chatbotOf, type Context } from './context';

export interface Call<Of extends Endpoint> extends Context {
	/** The chatbot that the path names. Other requests name it in the query or in the body. */
	chatbot: Chatbot;
	params: Record<string, string>;
	query: z.output<Of['query']>;
	body: z.output<Of['body']>;
	/** The HTTP response; `reply` is what the chatbot says. */
	response: FastifyReply;
}

export interface Route {
	endpoint: Endpoint;
	handle: (call: Call<Endpoint>) => unknown;
	accepted?: z.ZodType;
}

/** @param accepted the schema of the body if the service takes more than the contract */
export function route<Of extends Endpoint>(
	endpoint: Of,
	handle: (call: Call<Of>) => unknown,
	accepted?: z.ZodType,
): Route {
	return { endpoint, handle: handle as Route['handle'], accepted };
}

/** @param prefix what stands before the path of each endpoint */
export function register(
	app: FastifyInstance,
	prefix: string,
	context: Context,
	routes: Route[],
): void {
	for (const { endpoint, handle, accepted } of routes) {
		app.route({
			method: endpoint.method,
			url: `${prefix}${endpoint.path}`.replace(/\{(\w+)\}/g, ':$1'),
			handler: (request, response) => {
				const params = request.params as Record<string, string>;
				const chatbot =
					params.chatbotId === undefined ? undefined : chatbotOf(context, params.chatbotId);

				return handle({
					...context,
					chatbot: chatbot as Chatbot,
					params,
					query: validated(endpoint.query, request.query),
					body: validated(accepted ?? endpoint.body, request.body ?? undefined),
					response,
				});
			},
		});
	}
}
