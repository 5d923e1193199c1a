/** The contacts of a chatbot. Contract; the creation: public pages. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

import type { Behaviour } from './behaviour';
import type { Contact, ContactBook } from '../core/contactBook';
import { contactChanges, contactFieldsSchema, contactRecord } from './contactRecord';
import { ContactWrites } from './contactWrites';
import { chatbotOf, notFound, type ChatbotPath, type Context } from './context';
import { contactListQuery } from './contract';
import { badRequest, validated } from '../core/refusal';

interface ContactPath extends ChatbotPath {
	contactId: string;
}

interface ContactPage {
	page: number;
	perPage: number;
}

const updateEnvelope = z.strictObject({ data: z.looseObject({}) });
const createEnvelope = z.strictObject({ users: z.array(z.unknown()).min(1).max(1000) });

export function contactRoutes(app: FastifyInstance, context: Context): void {
	const { behaviour, store } = context;
	const writes = new ContactWrites(behaviour, store);
	const recordOf = (contact: Contact) => contactRecord(contact, behaviour);

	app.get<{ Params: ChatbotPath }>('/api/v1/chatbots/:chatbotId/contacts', ({ params, query }) => {
		const chatbot = chatbotOf(context, params.chatbotId);
		const { contacts } = chatbot;
		const { page, perPage, totalPages } = pageAsked(contacts, query);
		const lastPage = Math.max(totalPages, 1);
		if (page > lastPage && behaviour.pageBeyondEnd === 'badRequest') {
			throw badRequest([{ field: 'page', message: 'Page is out of range' }]);
		}

		const answered = behaviour.pageBeyondEnd === 'lastPage' ? Math.min(page, lastPage) : page;
		const shown = contactsOnPage(contacts, { page: answered, perPage }, behaviour.contactOrder);
		return {
			message: 'Success',
			data: shown.map(recordOf),
			total: contacts.size,
			pages: { page: answered, per_page: perPage, total_pages: totalPages },
		};
	});

	app.post<{ Params: ChatbotPath }>('/api/v1/chatbots/:chatbotId/contacts', ({ params, body }) => {
		const chatbot = chatbotOf(context, params.chatbotId);
		const contacts = writes.createAll(validatedUsers(body, behaviour), chatbot);
		const records = contacts.map(recordOf);
		return {
			message: 'Success',
			data: behaviour.createReply === 'data' ? records : { created: records },
		};
	});

	app.get<{ Params: ContactPath }>(
		'/api/v1/chatbots/:chatbotId/contacts/:contactId',
		({ params }) => ({
			message: 'Success',
			data: recordOf(contactOf(params)),
		}),
	);

	app.patch<{ Params: ContactPath }>(
		'/api/v1/chatbots/:chatbotId/contacts/:contactId',
		({ params, body }) => {
			const contact = contactOf(params);
			const chatbot = chatbotOf(context, params.chatbotId);
			const { data } = validated(updateEnvelope, body);
			// Issues name fields without the envelope, as in the guide's example `custom_attributes.age`.
			const sent = validated(contactFieldsSchema(behaviour), data);
			writes.update(contact, contactChanges(sent, { chatbot, behaviour }), chatbot.contacts);
			return { message: 'Success', data: recordOf(contact) };
		},
	);

	app.delete<{ Params: ContactPath }>(
		'/api/v1/chatbots/:chatbotId/contacts/:contactId',
		({ params }, reply) => {
			const contact = contactOf(params);
			const chatbot = chatbotOf(context, params.chatbotId);
			chatbot.contacts.remove(contact);
			if (behaviour.deleteReply === 'empty') return reply.code(204).send();
			return { message: 'Success', data: recordOf(contact) };
		},
	);

	function contactOf({ chatbotId, contactId }: ContactPath): Contact {
		const { contacts } = chatbotOf(context, chatbotId);
		const contact = contacts.find(contactId) ?? byInternalId(contacts, contactId);
		if (!contact) throw notFound(context, 'Contact');
		return contact;
	}

	/** Searched one by one, because few tests need it. */
	function byInternalId(contacts: ContactBook, contactId: string): Contact | undefined {
		if (behaviour.contactPathId === 'external') return undefined;
		return [...contacts].find(({ id }) => id === contactId);
	}
}

/** The contacts in the body of a creation. */
function validatedUsers(body: unknown, behaviour: Behaviour): object[] {
	const { users } = validated(createEnvelope, body);
	const list = validated(z.object({ users: z.array(contactFieldsSchema(behaviour)) }), { users });
	const withoutId = list.users.flatMap(({ external_id }, index) =>
		external_id === undefined ? [{ field: `users.${index}.external_id`, message: 'Required' }] : [],
	);
	if (withoutId.length > 0 && behaviour.createWithoutExternalId === 'badRequest') {
		throw badRequest(withoutId);
	}
	return list.users;
}

/** Whether a request asks for the last page of a contact list, as things stand now. */
export function isLastContactPage(context: Context, chatbotId: string, query: unknown): boolean {
	const contacts = context.store.chatbots.get(chatbotId)?.contacts;
	if (!contacts) return false;
	const { page, totalPages } = pageAsked(contacts, query);
	return page >= totalPages;
}

function pageAsked(contacts: ContactBook, query: unknown) {
	const { page = 1, per_page: perPage = 100 } = validated(contactListQuery, query);
	const totalPages = Math.ceil(contacts.size / perPage);
	return { page, perPage, totalPages };
}

function contactsOnPage(
	contacts: ContactBook,
	{ page, perPage }: ContactPage,
	order: Behaviour['contactOrder'],
): Contact[] {
	const start = (page - 1) * perPage;
	if (order === 'oldestFirst') return contacts.slice(start, perPage);

	const end = Math.max(contacts.size - start, 0);
	const first = Math.max(end - perPage, 0);
	return contacts.slice(first, end - first).reverse();
}
