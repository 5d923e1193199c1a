/** Custom attributes of a chatbot. Contract; list and update: public pages. */
import type { FastifyInstance } from 'fastify';

import { chatbotOf, notFound, type ChatbotPath, type Context } from './context';
import {
	customAttributeCreateRequest,
	customAttributeUpdateRequest,
	lowercaseAttributeName,
} from './contract';
import { badRequest, Refusal, validated } from '../core/refusal';

interface AttributePath extends ChatbotPath {
	name: string;
}

export function customAttributeRoutes(app: FastifyInstance, context: Context): void {
	const { behaviour, store } = context;

	app.get<{ Params: ChatbotPath }>(
		'/api/v1/chatbots/:chatbotId/custom-attributes',
		({ params }) => ({
			message: 'Success',
			data: [...chatbotOf(context, params.chatbotId).attributes.values()],
		}),
	);

	app.post<{ Params: ChatbotPath }>(
		'/api/v1/chatbots/:chatbotId/custom-attributes',
		({ params, body }) => {
			const chatbot = chatbotOf(context, params.chatbotId);
			const fields = validated(createRequest(), body);
			if (behaviour.reservedAttributeNames.includes(fields.name)) {
				throw badRequest([{ field: 'name', message: 'The name is reserved' }]);
			}

			if (chatbot.attributes.has(fields.name)) {
				throw new Refusal(behaviour.existingAttribute, 'Custom attribute already exists', [
					{ field: 'name', message: 'Must be unique' },
				]);
			}

			return { message: 'Success', data: store.addAttribute(chatbot.id, fields) };
		},
	);

	app.put<{ Params: AttributePath }>(
		'/api/v1/chatbots/:chatbotId/custom-attributes/:name',
		({ params, body }) => {
			const attribute = chatbotOf(context, params.chatbotId).attributes.get(params.name);
			if (!attribute) throw notFound(context, 'Custom attribute');
			const changes = validated(customAttributeUpdateRequest, body);
			if (behaviour.putWithoutArchived === 'unarchives') attribute.archived = false;
			return { message: 'Success', data: Object.assign(attribute, changes) };
		},
	);

	function createRequest() {
		const { label, name } = customAttributeCreateRequest.shape;
		return customAttributeCreateRequest.extend({
			name: behaviour.attributeNameRule === 'lowercase' ? lowercaseAttributeName : name,
			label: behaviour.attributeLabel === 'required' ? label.nonoptional() : label,
		});
	}
}
