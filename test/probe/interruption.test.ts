/** The probe deletes what it made at any end; the next run deletes the rest. */
import { scratchPrefix } from '../../probe/ownership';
import { textOf } from '../../probe/report';
import type { SimulatedService } from '../../service';
import { chatbotId, command, probe, scene, scratchContacts, scratchSources } from './scene';

let service: SimulatedService;
beforeEach(async () => (service = await scene()));
afterEach(async () => await service.close());

it('names what it could not delete, and deletes it in the next run', async () => {
	service.faults.add({ when: { method: 'DELETE' }, fault: { kind: 'status', status: 503 } });
	const first = await probe(service, ['read', 'write']);
	const left = scratchContacts(service);
	expect(left.length).toBeGreaterThan(1);
	expect(textOf(first, false)).toMatch(
		`Left behind:\n- Contacts whose External ID begins with ${scratchPrefix}: ${left.length}.`,
	);

	service.faults.clear();
	const second = await probe(service, ['read', 'write']);
	expect(second.leftovers).toBe(left.length + 2);
	expect(textOf(second, false)).toMatch(`Found ${left.length + 2} scratch contacts or sources`);
	expect([...scratchContacts(service), ...scratchSources(service)]).toEqual([]);
});

it('deletes leftovers on every page, and no customer', async () => {
	service.store.seedContacts(chatbotId, 0);
	for (let index = 0; index < 2500; index++) {
		service.store.addContact(chatbotId, { external_id: `other-${index}`, name: 'Scratch' });
	}
	service.store.addContact(chatbotId, { external_id: `${scratchPrefix}0-1` });
	service.store.addContact(chatbotId, { external_id: `mine-${scratchPrefix}` });
	const before = service.store.chatbot(chatbotId).contacts.size;
	const { leftovers } = await probe(service, ['read', 'write']);
	expect(leftovers).toBe(1);
	expect(service.store.chatbot(chatbotId).contacts.size).toBe(before - 1);
	expect(service.store.contact(chatbotId, `mine-${scratchPrefix}`)).toBeDefined();
});

it('names what is left when the run fails', async () => {
	service.faults.add({ when: { method: 'DELETE' }, fault: { kind: 'status', status: 503 } });
	const said: string[] = [];
	const report = (line: string) => {
		said.push(line);
		if (line.endsWith('Rate limit')) throw new Error('The terminal is gone');
	};
	await expect(probe(service, ['read', 'write'], { report })).rejects.toThrow('terminal');
	const { length } = scratchContacts(service);
	expect(said.at(-2)).toMatch(
		`Left behind: Contacts whose External ID begins with ${scratchPrefix}: ${length}.`,
	);
});

it('names a conversation that may have been saved', async () => {
	service.faults.add({
		when: { path: /\/agents\/[^/]+\/chat$/ },
		fault: { kind: 'status', status: 504, handled: true },
	});
	const { left } = await probe(service, ['read', 'chat']);
	const users = service.store.chatbot(chatbotId).conversations.map(({ userId }) => userId ?? '');
	expect(users.filter((id) => id.startsWith(scratchPrefix))).toHaveLength(1);
	expect(left[0]).toMatch(/^Perhaps a conversation whose user ID begins with/);
});

it('cleans up and ends with status 130 when Ctrl+C arrives once or several times', async () => {
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

it('ends at once when Ctrl+C is pressed again later', async () => {
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
	expect(reported).toMatch('deletes what is left');
});
