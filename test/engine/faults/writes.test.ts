import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { propertyRuns } from '../../propertyRuns';
import { illegalities, startService, type Fault, type SimulatedService } from '../../../service';
import { chatbotId, contactId, mapped } from '../parameters';
import { skippedTime } from '../fastTime';
import { createEngine, type Engine, type NodeSettings } from '../harness';
import { succeeded } from '../testbed';

/** Faults of every kind; those with an unknown outcome come in both ways. */
const faults: Fault[] = [
	{ kind: 'status', status: 429, headers: { 'Retry-After': '2' } },
	{ kind: 'status', status: 500 },
	{ kind: 'status', status: 502, body: '<html>Bad Gateway</html>', handled: true },
	{ kind: 'status', status: 403 },
	{ kind: 'resetBefore' },
	{ kind: 'resetAfter' },
	{ kind: 'resetMidBody' },
	{ kind: 'cutJson' },
	{ kind: 'otherShape', body: { ok: true } },
	{ kind: 'otherShape', body: 'Hello', handled: true },
	{ kind: 'empty', handled: true },
	{ kind: 'redirect', location: 'http://127.0.0.1:9/', handled: true },
	{ kind: 'stall' },
	{ kind: 'stall', handled: true },
];

let engine: Engine;
let service: SimulatedService;
let restore: () => void;

beforeAll(async () => {
	engine = await createEngine();
	service = await startService();
	restore = skippedTime(service);
});

afterAll(async () => {
	restore();
	engine.close();
	await service.close();
});

const ids = Array.from({ length: 8 }, (_, index) => `c${index}`);

function reset() {
	service.faults.clear();
	service.clearRequests();
	service.store.chatbots.clear();
	service.store.addChatbot({ id: 'bot' });
	service.store.addContact('bot', { external_id: 'bystander', name: 'Bystander' });
	for (const id of ids) service.store.addContact('bot', { external_id: id, name: `Old ${id}` });
}

const contacts = () => [...service.store.chatbot('bot').contacts];
const nameOf = (id: string) => service.store.contact('bot', id)?.name;

/** Which request of the run meets which fault. */
const schedules = fc.uniqueArray(
	fc.record({ nth: fc.integer({ min: 1, max: 20 }), fault: fc.constantFrom(...faults) }),
	{ minLength: 1, maxLength: 6, selector: ({ nth }) => nth },
);
type Schedule = Array<{ nth: number; fault: Fault }>;
type Mode = NonNullable<NodeSettings['onError']>;
const modes = fc.constantFrom<Mode>('stopWorkflow', 'continueRegularOutput');
async function run(
	parameters: INodeParameters,
	input: IDataObject[],
	onError: NodeSettings['onError'] = 'stopWorkflow',
) {
	const { apiKey, baseUrl } = service;
	return await engine.run({
		parameters: { ...parameters, requestOptions: { timeout: 15_000 } },
		input,
		nodeSettings: { onError },
		credentials: { chatbaseV1Api: { apiKey, baseUrl } },
	});
}

function plan(schedule: Schedule) {
	for (const { nth, fault } of schedule) service.faults.add({ when: { nth }, fault });
}

const upsert = {
	resource: 'contact',
	operation: 'upsert',
	chatbotId,
	...mapped({ external_id: '={{ $json.id }}', name: '=New {{ $json.id }}' }),
};
const remove = {
	resource: 'contact',
	operation: 'delete',
	chatbotId,
	contactId,
	options: { onNotFound: 'mark' },
};

it('delete leaves each contact there or gone, and a second run completes the job', async () => {
	const input = ids.map((id) => ({ id }));
	await fc.assert(
		fc.asyncProperty(schedules, modes, async (schedule, onError) => {
			reset();
			plan(schedule);
			const { items, error } = await run(remove, input, onError);
			expect(nameOf('bystander')).toBe('Bystander');
			const there = ids.filter((id) => nameOf(id) !== undefined);
			// A successful run has deleted all.
			if (!error && items.every(({ json }) => json.error === undefined)) expect(there).toEqual([]);

			service.faults.clear();
			succeeded(await run(remove, input));
			expect(contacts().map(({ external_id }) => external_id)).toEqual(['bystander']);
			expect(illegalities(service.requests)).toEqual([]);
		}),
		propertyRuns(10),
	);
}, 240_000);

it('chat sends no message twice', async () => {
	const input = ids.slice(0, 5).map((id) => ({ id }));
	const chat = {
		resource: 'chat',
		operation: 'send',
		chatbotId,
		message: '=Hello from {{ $json.id }}',
		conversationId: '={{ $json.id }}',
	};
	await fc.assert(
		fc.asyncProperty(schedules, modes, async (schedule, onError) => {
			reset();
			plan(schedule);
			const { items } = await run(chat, input, onError);
			for (const { id } of input) {
				const sent = service.requests.filter(
					({ body }) => (body as { conversationId: string }).conversationId === id,
				);
				// A request that the rate limit refused did not run; any other outcome is final.
				expect(sent.filter(({ status }) => status !== 429).length).toBeLessThanOrEqual(1);
				const answer = items.find(({ json }) => json.conversationId === id);
				const conversation = service.store
					.chatbot('bot')
					.conversations.find((entry) => entry.id === id);
				if (answer) expect(conversation?.messages).toHaveLength(2);
			}
		}),
		propertyRuns(10),
	);
}, 240_000);

it('an item that cannot be looked up fails alone', async () => {
	reset();
	// More pages than IDs that are missing, so that they are looked up one by one.
	for (let index = 0; index < 5000; index++) {
		service.store.addContact('bot', { external_id: `other-${index}` });
	}
	service.faults.add({
		when: { path: '/chatbots/bot/contacts/none-1' },
		fault: { kind: 'status', status: 403 },
	});
	const { items } = await run(
		upsert,
		[{ id: 'none-0' }, { id: 'none-1' }, { id: 'c5' }],
		'continueRegularOutput',
	);
	const outcomes = items.map(({ json }) => (json._sync as IDataObject)?.action ?? json.error);
	expect(outcomes).toEqual([
		'created',
		expect.stringMatching(/^Access denied or quota/),
		'updated',
	]);
});
