/** Whenever it ends, the probe leaves nothing that it can take away; what it could not, the next run finds. */
import type { Part } from '../../probe/answer';
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

it('cleans up after an interruption at any request that may write', async () => {
	const parts: Part[] = ['read', 'write', 'attributes'];
	const { requests: all } = await probe(service, parts);
	const firstWrite = service.requests.findIndex(({ method }) => method !== 'GET');
	for (let last = firstWrite; last <= all; last++) {
		service.clearRequests();
		const controller = new AbortController();
		const stopListening = service.onRequest(({ number }) => {
			if (number === last) controller.abort();
		});
		const result = await probe(service, parts, { signal: controller.signal });
		stopListening();
		expect({ last, left: scratchContacts(service), active: activeAttributes() }).toEqual({
			last,
			left: [],
			active: [],
		});
		expect(statusOf(result)).toBe(130);
	}
}, 120_000);

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

it('ends by Ctrl+C with everything taken away and status 130, however often that arrives', async () => {
	let interrupt = () => undefined as void;
	service.onRequest(({ method }) => {
		if (method !== 'PATCH') return;
		interrupt();
		interrupt();
	});
	const { status, printed, reported, exits } = await command(
		service,
		['--chatbot', chatbotId, '--write', '--make-attributes'],
		{ onInterruption: (listener) => (interrupt = listener) },
	);
	expect(status).toBe(130);
	expect(exits).toEqual([]);
	expect(service.requests.filter(({ method }) => method === 'PATCH')).toHaveLength(1);
	expect(scratchContacts(service)).toEqual([]);
	expect(printed).toMatch('Interrupted');
	expect(reported.match(/Ending after this request/g)).toHaveLength(1);
});

it('ends at once when Ctrl+C comes again later', async () => {
	let present = 0;
	let interrupt = () => undefined as void;
	service.onRequest(({ number }) => {
		if (number !== 5) return;
		interrupt();
		present += 1001;
		interrupt();
	});
	const { exits, reported } = await command(service, ['--chatbot', chatbotId, '--write'], {
		onInterruption: (listener) => (interrupt = listener),
		now: () => present,
	});
	expect(exits).toEqual([130]);
	expect(reported).toMatch('finds what is left');
});
