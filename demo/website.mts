import fastify, { type FastifyRequest } from 'fastify';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/** A customer who can sign in, and the order that this customer may ask for. */
export interface Shopper {
	id: string;
	name: string;
	order: string;
}

/** A simulated shop with the chatbot on its page. Its server knows who has signed in. */
export interface Website {
	address: string;
	close(): Promise<void>;
}

interface Surroundings {
	shoppers: Shopper[];
	/** Asks n8n for the token of a customer. */
	getToken: (customerId: string) => Promise<string | null>;
	/** Where the widget of the chatbot sends what a visitor types. */
	chatbot: string;
}

/** A webhook of n8n, and the header that it asks for. */
export interface Webhook {
	url: string;
	header: { name: string; value: string };
}

const pageFile = new URL('website.html', import.meta.url);

export async function startWebsite({
	shoppers,
	getToken,
	chatbot,
}: Surroundings): Promise<Website> {
	const server = fastify({ forceCloseConnections: true });
	/** The customer of each session that has begun, by the secret in its cookie. */
	const sessions = new Map<string, string>();
	const customerOf = (request: FastifyRequest) => sessions.get(cookieOf(request)) ?? null;

	const page = await readFile(pageFile, 'utf8');
	server.get('/', (_, reply) => reply.type('text/html; charset=utf-8').send(page));

	server.get('/account', (request) => ({ shoppers, signedInAs: customerOf(request) }));

	server.post<{ Body: { customer: string } }>('/sign-in', ({ body }, reply) => {
		const shopper = shoppers.find(({ id }) => id === body.customer);
		if (!shopper) return reply.code(400).send({ message: 'No such customer' });

		const session = randomUUID();
		sessions.set(session, shopper.id);
		return reply.header('set-cookie', `session=${session}; HttpOnly; SameSite=Strict`).send({});
	});

	server.post('/sign-out', (request) => {
		sessions.delete(cookieOf(request));
		return {};
	});

	// Only for the customer whose session was checked, never for one that the page names.
	server.get('/chat-token', async (request) => {
		const customer = customerOf(request);
		return { token: customer === null ? null : await getToken(customer) };
	});

	// Chatbase's own widget needs no such detour: it may ask another address than that of the page.
	server.post<{ Params: { '*': string } }>('/widget/*', async ({ params, body }, reply) => {
		const response = await fetch(`${chatbot}/${params['*']}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		return reply.code(response.status).send(await response.json());
	});

	const address = await server.listen({ host: '127.0.0.1', port: 0 });
	return { address, close: async () => await server.close() };
}

/** What the note in *Recognize the customer* asks of a web developer, on the server. */
export async function askForToken(
	{ url, header }: Webhook,
	customerId: string,
): Promise<string | null> {
	const response = await fetch(url, {
		method: 'POST',
		headers: { [header.name]: header.value },
		body: new URLSearchParams({ user_id: customerId }),
	});
	return response.ok ? await response.text() : null;
}

function cookieOf({ headers }: FastifyRequest): string {
	return /(?:^|; )session=([\w-]+)/.exec(headers.cookie ?? '')?.[1] ?? '';
}
