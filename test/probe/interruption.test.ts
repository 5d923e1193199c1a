/** Whenever it ends, the probe leaves nothing that it can take away; what it could not, the next run finds. */
import { statusOf, textOf } from '../../probe/report';
import { scratchName, scratchPrefix } from '../../probe/scratch';
import type { SimulatedService } from '../service';
import { chatbotId, command, everyPart, probe, scene, scratchContacts } from './scene';

let service: SimulatedService;
beforeEach(
	async () => (service = await scene({ behaviour: { createWithoutExternalId: 'generates' } })),
);
afterEach(async () => await service.close());

const about = { parts: everyPart, isDefaultBaseUrl: false };

/** Attributes of the probe that are in use. */
const activeAttributes = () =>
	[...service.store.chatbot(chatbotId).attributes.values()].filter(
		({ name, archived }) => /probe/i.test(name) && !archived,
	);

it('cleans up after an interruption at any request', async () => {
	const all = (await probe(service)).requests;
	for (let last = 1; last <= all; last += 1) {
		service.clearRequests();
		const controller = new AbortController();
		const stopListening = service.onRequest(({ number }) => {
			if (number === last) controller.abort();
		});
		const result = await probe(service, everyPart, { signal: controller.signal });
		stopListening();
		expect({ last, left: scratchContacts(service) }).toEqual({ last, left: [] });
		expect({ last, active: activeAttributes() }).toEqual({ last, active: [] });
		expect(statusOf(result)).toBe(130);
	}
});

it('says what it could not take away, and finds it in the next run', async () => {
	service.faults.add({ when: { method: 'DELETE' }, fault: { kind: 'status', status: 503 } });
	const first = await probe(service, ['read', 'write']);
	const left = scratchContacts(service);
	expect(left.length).toBeGreaterThan(1);
	expect(textOf(first, about)).toMatch(/Left behind: \d+ contacts, whose IDs begin with/);

	service.faults.clear();
	const second = await probe(service, ['read', 'write']);
	expect(second.leftovers).toBe(left.length);
	expect(textOf(second, about)).toMatch(`Found ${left.length} contacts`);
	expect(scratchContacts(service)).toEqual([]);
});

it('finds leftovers on every page, and nobody else', async () => {
	service.store.seedContacts(chatbotId, 0);
	for (let index = 0; index < 2500; index++) {
		service.store.addContact(chatbotId, { external_id: `other-${index}`, name: 'Scratch' });
	}
	service.store.addContact(chatbotId, { external_id: `${scratchPrefix}0-1` });
	service.store.addContact(chatbotId, { external_id: 'made-up', name: scratchName });
	service.store.addContact(chatbotId, { external_id: `mine-${scratchPrefix}` });
	const before = service.store.chatbot(chatbotId).contacts.size;
	const { leftovers } = await probe(service, ['read', 'write']);
	expect(leftovers).toBe(2);
	expect(service.store.chatbot(chatbotId).contacts.size).toBe(before - 2);
	expect(service.store.contact(chatbotId, `mine-${scratchPrefix}`)).toBeDefined();
});

it('finds a contact whose creation was never answered', async () => {
	service.faults.add({
		when: {
			method: 'POST',
			matches: ({ body }) => {
				const { users } = body as { users?: object[] };
				return users?.length === 1 && !('external_id' in users[0]);
			},
		},
		fault: { kind: 'resetAfter' },
	});
	await probe(service, ['read', 'write']);
	expect(scratchContacts(service)).toEqual([]);
});

it('ends by Ctrl+C with everything taken away and status 130', async () => {
	let interrupt = () => undefined as void;
	service.onRequest(({ method }) => {
		if (method === 'PATCH') interrupt();
	});
	const { status, printed, reported, exits } = await command(
		service,
		['--chatbot', chatbotId, '--write', '--make-attributes'],
		(listener) => (interrupt = listener),
	);
	expect(status).toBe(130);
	expect(exits).toEqual([]);
	expect(service.requests.filter(({ method }) => method === 'PATCH')).toHaveLength(1);
	expect(scratchContacts(service)).toEqual([]);
	expect(printed).toMatch('Interrupted');
	expect(reported).toMatch('Ending after this request.');
});

it('ends at once when Ctrl+C comes twice', async () => {
	let interrupt = () => undefined as void;
	service.onRequest(({ number }) => {
		if (number !== 5) return;
		interrupt();
		interrupt();
	});
	const { exits, reported } = await command(
		service,
		['--chatbot', chatbotId, '--write'],
		(listener) => (interrupt = listener),
	);
	expect(exits).toEqual([130]);
	expect(reported).toMatch('finds what is left');
});
