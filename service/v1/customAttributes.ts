/** Custom attributes of a chatbot. Contract; list and update: public pages. */
import { Refusal } from '../core/refusal';
import { notFound } from './context';
import { endpoints } from './endpoints';
import { route } from './route';

export const customAttributeRoutes = [
	route(endpoints.attributes, ({ chatbot }) => ({
		message: 'Success',
		data: [...chatbot.attributes.values()],
	})),

	route(endpoints.createAttribute, ({ chatbot, body, behaviour, store }) => {
		if (chatbot.attributes.has(body.name)) {
			throw new Refusal(behaviour.existingAttribute, 'Custom attribute already exists', [
				{ field: 'name', message: 'Must be unique' },
			]);
		}
		return { message: 'Success', data: store.addAttribute(chatbot.id, body) };
	}),

	route(endpoints.updateAttribute, (call) => {
		const { chatbot, params, body } = call;
		const attribute = chatbot.attributes.get(params.name);
		if (!attribute) throw notFound(call, 'Custom attribute');

		// The guides print the default false.
		const changes = { archived: false, ...body };
		return { message: 'Success', data: Object.assign(attribute, changes) };
	}),
];
