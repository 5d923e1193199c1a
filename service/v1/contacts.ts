/** The contacts of a chatbot. Contract; the creation: public pages. */
import { z } from 'zod';

import type { Contact, ContactBook } from '../core/contactBook';
import type { Endpoint } from '../core/endpoint';
import { badRequest, validated } from '../core/refusal';
import type { Behaviour } from './behaviour';
import { contactChanges, contactFieldsSchema, contactRecord } from './contactRecord';
import { ContactWrites } from './contactWrites';
import { notFound, type Context } from './context';
import { contactListQuery } from './contract';
import { endpoints } from './endpoints';
import { route, type Call } from './route';

interface ContactPage {
	page: number;
	perPage: number;
}

const updateEnvelope = z.strictObject({ data: z.looseObject({}) });
const createEnvelope = z.strictObject({ users: z.array(z.unknown()).min(1).max(1000) });

export const contactRoutes = [
	route(endpoints.contacts, ({ chatbot, query, behaviour }) => {
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
			data: shown.map((contact) => contactRecord(contact, behaviour)),
			total: contacts.size,
			pages: { page: answered, per_page: perPage, total_pages: totalPages },
		};
	}),

	route(
		endpoints.createContacts,
		(call) => {
			const { chatbot, body, behaviour } = call;
			const contacts = new ContactWrites(call).createAll(validatedUsers(body, behaviour), chatbot);
			const records = contacts.map((contact) => contactRecord(contact, behaviour));
			return {
				message: 'Success',
				data: behaviour.createReply === 'data' ? records : { created: records },
			};
		},
		createEnvelope,
	),

	route(endpoints.contact, (call) => ({
		message: 'Success',
		data: contactRecord(contactOf(call), call.behaviour),
	})),

	route(
		endpoints.updateContact,
		(call) => {
			const { chatbot, body, behaviour } = call;
			const contact = contactOf(call);
			// Issues name fields without the envelope, as in the guide's example `custom_attributes.age`.
			const sent = validated(contactFieldsSchema(behaviour), body.data);
			const changes = contactChanges(sent, { chatbot, behaviour });
			new ContactWrites(call).update(contact, changes, chatbot.contacts);
			return { message: 'Success', data: contactRecord(contact, behaviour) };
		},
		updateEnvelope,
	),

	route(endpoints.deleteContact, (call) => {
		const { chatbot, behaviour, response } = call;
		const contact = contactOf(call);
		chatbot.contacts.remove(contact);
		if (behaviour.deleteReply === 'empty') return response.code(204).send();
		return { message: 'Success', data: contactRecord(contact, behaviour) };
	}),
];

function contactOf(call: Omit<Call<Endpoint>, 'body' | 'query'>): Contact {
	const { chatbot, params, behaviour } = call;
	const { contacts } = chatbot;
	const contact =
		contacts.find(params.contactId) ?? byInternalId(contacts, params.contactId, behaviour);
	if (!contact) throw notFound(call, 'Contact');
	return contact;
}

/** Searched one by one, because few tests need it. */
function byInternalId(
	contacts: ContactBook,
	contactId: string,
	{ contactPathId }: Behaviour,
): Contact | undefined {
	if (contactPathId === 'external') return undefined;
	return [...contacts].find(({ id }) => id === contactId);
}

/** The contacts in the body of a creation. */
function validatedUsers(body: unknown, behaviour: Behaviour): object[] {
	const schema = z.object({ users: z.array(contactFieldsSchema(behaviour)) });
	const { users } = validated(schema, body);
	const withoutId = users.flatMap(({ external_id }, index) =>
		external_id === undefined ? [{ field: `users.${index}.external_id`, message: 'Required' }] : [],
	);
	if (withoutId.length > 0) throw badRequest(withoutId);
	return users;
}

/** Whether a request asks for the last page of a contact list, as things stand now. */
export function isLastContactPage(context: Context, chatbotId: string, query: unknown): boolean {
	const contacts = context.store.chatbots.get(chatbotId)?.contacts;
	if (!contacts) return false;
	const { page, totalPages } = pageAsked(contacts, validated(contactListQuery, query));
	return page >= totalPages;
}

function pageAsked(contacts: ContactBook, query: z.output<typeof contactListQuery>) {
	const { page = 1, per_page: perPage = 100 } = query;
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
