/** The service as a whole: its start, its log, a reset, its rate limit, and what it makes up. */
import {
	defaultBehaviour,
	seededContact,
	startService,
	type SimulatedService,
} from '../../../service';
import { sentenceOf, startFromCommandLine } from '../../../service/commandLine';
import { RateLimiter } from '../../../service/core/rateLimit';
import { agent, ask, file, form, furnish, sources } from './client';

let service: SimulatedService | undefined;
afterEach(async () => await service?.close());

it('starts from the command line as its options say, or says why it does not', async () => {
	let printed = '';
	const start = async (...options: string[]) =>
		await startFromCommandLine(options, (text) => (printed += text));
	service = (await start('--port', '0', '--contacts', '12', '--rate-limit', '1'))!;
	expect(printed).toMatch(`Base URL  ${service.baseUrl}\n  API Key   ${service.apiKey}\n`);
	const contacts = 'GET /chatbots/support-bot/contacts';
	expect((await ask(service, contacts)).body).toMatchObject({ total: 12 });
	expect((await ask(service, contacts)).answer).toMatch(/^429/);

	const whyNot = async (...options: string[]) => await start(...options).catch(sentenceOf);
	const { port } = new URL(service.origin);
	expect(await whyNot('--port', port)).toMatch(`Port ${port} is in use.`);
	expect(await whyNot('--contacts', 'many')).toMatch('takes a whole number, not "many".');
	expect(await whyNot('--unknown')).toMatch("Unknown option '--unknown'");
});

it('has a rate limit that slides, and counts neither other keys nor refused requests', () => {
	let now = 0;
	const limit = { requests: 2, windowMs: 1_000, retryAfter: 'seconds' } as const;
	const limiter = new RateLimiter(
		() => limit,
		() => now,
	);
	const waits = (key: string, ...times: number[]) =>
		times.map((time) => {
			now = time;
			return limiter.refusalFor(key)?.['retry-after'] ?? '';
		});
	expect(waits('a', 0, 600, 700, 999)).toEqual(['', '', '1', '1']);
	expect(waits('b', 999)).toEqual(['']);
	expect(waits('a', 1_000, 1_001, 1_600)).toEqual(['', '1', '']);
});

it('makes up contacts that differ, the same ones each time', () => {
	const contacts = Array.from({ length: 1_000 }, (_, index) => seededContact(1, index));
	expect(seededContact(1, 7)).toEqual(contacts[7]);
	for (const field of ['id', 'external_id', 'email'] as const) {
		const values = contacts.flatMap((contact) => contact[field] ?? []);
		expect(new Set(values).size).toBe(values.length);
	}
});

it('records what left it: the status, and none if the connection broke before', async () => {
	service = await startService();
	service.faults.add({ when: { path: '/get-leads' }, fault: { kind: 'resetAfter' } });
	await ask(service, 'GET /get-chatbots');
	await ask(service, 'GET /get-leads').catch(() => undefined);

	expect(service.requests.map(({ status }) => status)).toEqual([200, undefined]);
	expect(service.inFlight).toBe(0);
	expect(service.maxInFlight).toBe(1);
});

it('is as at the start after a reset', async () => {
	service = await startService({ behaviour: { createReply: 'created' }, delayMs: 1 });
	service.behaviour.createReply = 'data';
	service.behaviour.leadSize.maximum = 5;
	service.delayMs = 2;
	service.store.addChatbot();
	service.faults.add({ fault: { kind: 'status', status: 500 } });
	await ask(service, 'GET /get-chatbots');

	service.reset();
	service.behaviour.leadSize.maximum = 6;
	service.reset();
	expect(service.behaviour).toEqual({ ...defaultBehaviour, createReply: 'created' });
	expect(service.delayMs).toBe(1);
	expect(service.requests).toEqual([]);
	expect((await ask(service, 'GET /get-chatbots')).answer).toMatch(/^200 .*\[\]/);
});

it('notes in a ticket that its status was changed, and to what', async () => {
	service = await startService();
	furnish(service);
	const ticket = `${agent}/helpdesk/tickets/1`;
	const update = async (change: object) => await ask(service!, `PATCH ${ticket}`, change);
	await update({ priority: 'low' });
	await update({ statusCategory: 'closed' });
	await update({ statusCategory: 'closed' });

	const { body } = await ask(service, `GET ${ticket}/messages?types=event`);
	const metadata = { eventType: 'status_change', statusFrom: 'new', statusTo: 'closed' };
	expect(body.data).toMatchObject([{ type: 'event', metadata }]);
});

it('says how many bytes the file of a source had, also after another one took its place', async () => {
	service = await startService();
	furnish(service);
	const sizeOf = async (request: string, bytes: number) => {
		const { body } = await ask(service!, request, form({ name: 'A', file: file('a.pdf', bytes) }));
		return body as { id: string; metadata: unknown };
	};
	const { id, metadata } = await sizeOf(`POST ${sources}`, 7);
	expect(metadata).toEqual({ originalSize: 7 });
	service.store.chatbot('bot').agent.sources.forEach((source) => (source.status = 'trained'));
	expect((await sizeOf(`PUT ${sources}/${id}`, 9)).metadata).toEqual({ originalSize: 9 });
	const { body } = await ask(service, `GET ${sources}/${id}`);
	expect(body).toMatchObject({ metadata: { originalSize: 9 } });
});
