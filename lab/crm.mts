import fastify, { type FastifyReply } from 'fastify';

import { type Contact } from '../service/index.js';

/** A customer as a CRM exports it: one flat row, its columns named as the fields they go to. */
export type Customer = Record<string, unknown> & { external_id: string };

/** An order as a shop knows it. */
export interface Order {
	number: string;
	/** ID of the customer. */
	customer: string;
	status?: string;
	/** A day such as `2026-11-27`. */
	arrives?: string;
}

/** The simulated CRM that the contacts come from. */
export interface Crm {
	baseUrl: string;
	/** The customers that it returns from now on. */
	customers: Customer[];
	/** The orders that it returns from now on. */
	orders: Order[];
	/** What is wrong with it: it answers with an error, or not at all. */
	trouble?: 'error' | 'silence';
	/** The leads that were posted to it. */
	leads: Array<Record<string, unknown>>;
	/** The messages to customers that were posted to it. */
	messages: Array<Record<string, unknown>>;
	close(): Promise<void>;
}

/**
 * Serves customers at `/customers`, as a CRM's export does, and one of them at `/customer`, or an order at `/order`.
 * Accepts leads at `/leads` and messages at `/messages`.
 */
export async function startCrm(customers: Customer[]): Promise<Crm> {
	const server = fastify({ forceCloseConnections: true });
	server.get('/customers', () => crm.customers);
	server.get<{ Querystring: { id?: string } }>('/customer', async ({ query }, reply) => {
		return await found(
			crm.customers.find(({ external_id }) => String(external_id) === query.id),
			reply,
		);
	});
	server.get<{ Querystring: { number?: string } }>('/order', async ({ query }, reply) => {
		return await found(
			crm.orders.find(({ number }) => number === query.number),
			reply,
		);
	});
	server.addHook('preHandler', async (_request, reply) => {
		if (crm.trouble === 'silence') await new Promise(() => {});
		if (crm.trouble === 'error') await reply.code(500).send({ message: 'Out of order' });
	});
	server.post<{ Body: Record<string, unknown> }>('/leads', ({ body }) => {
		crm.leads.push(body);
		return { added: true };
	});
	server.post<{ Body: Record<string, unknown> }>('/messages', ({ body }) => {
		crm.messages.push(body);
		return { added: true };
	});
	const baseUrl = await server.listen({ host: '127.0.0.1', port: 0 });
	const crm: Crm = {
		baseUrl,
		customers,
		orders: [],
		leads: [],
		messages: [],
		close: async () => await server.close(),
	};
	return crm;
}

async function found(record: object | undefined, reply: FastifyReply): Promise<FastifyReply> {
	return await (record ? reply.send(record) : reply.code(404).send({ message: 'Not found' }));
}

/**
 * Customers with the values of the contacts. Every `oneIn`th has a new phone number since
 * the last sync.
 */
export function customersFrom(contacts: Iterable<Contact>, oneIn: number): Customer[] {
	return Array.from(contacts, (contact, index) => ({
		external_id: contact.external_id,
		name: contact.name,
		email: contact.email,
		phonenumber: index % oneIn === 0 ? `+1555${1_000_000 + index}` : contact.phonenumber,
	}));
}
