/** A run with failures never succeeds with fewer items than its input. */
import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';

import { propertyRuns } from '../../propertyRuns';
import type { Fault } from '../../../service';
import { skippedTime } from '../fastTime';
import { chatbotId, contactId, mapped } from '../parameters';
import { useTestbed } from '../testbed';

const testbed = useTestbed({ chatbotId });
let restore: () => void;

beforeAll(async () => {
	restore = skippedTime(testbed.service);
});

afterAll(async () => {
	restore();
});

const operations: Record<string, INodeParameters> = {
	'contact get': { contactId },
	'contact delete': { contactId },
	'contact update': { contactId, ...mapped({ name: '={{ $json.name }}' }) },
	'contact upsert': mapped({ external_id: '={{ $json.id }}', name: '={{ $json.name }}' }),
	'contact create': mapped({ external_id: '={{ $json.id }}', name: '={{ $json.name }}' }),
	'chat send': { message: '={{ $json.name }}', conversationId: '={{ $json.id }}' },
};

const faults: Record<string, Fault> = {
	'status 400': { kind: 'status', status: 400 },
	'status 401': { kind: 'status', status: 401 },
	'status 403': { kind: 'status', status: 403 },
	'status 404': { kind: 'status', status: 404, body: { message: 'Contact not found' } },
	'status 409': { kind: 'status', status: 409 },
	'status 429': { kind: 'status', status: 429, headers: { 'Retry-After': '3' } },
	'status 500': { kind: 'status', status: 500 },
	'a broken connection': { kind: 'resetBefore' },
	'a lost response': { kind: 'resetAfter' },
	'cut JSON': { kind: 'cutJson' },
	'another shape': { kind: 'otherShape', body: { status: 'ok' } },
};

const anyItem = fc.record({
	/** A contact that exists, one that does not, or none that can exist. */
	kind: fc.constantFrom('existing', 'existing', 'missing', 'blank'),
	name: fc.constantFrom('Ada', 'Bea'),
});
const anyFault = fc.record({
	fault: fc.constantFrom(...Object.keys(faults)),
	nth: fc.integer({ min: 1, max: 8 }),
	times: fc.integer({ min: 1, max: 5 }),
});

const onErrors = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;

describe.each(Object.keys(operations))('%s', (name) => {
	const [resource, operation] = name.split(' ');

	it.each(onErrors)(
		'answers each item once with its number: %s',
		async (onError) => {
			await fc.assert(
				fc.asyncProperty(
					fc.array(anyItem, { minLength: 1, maxLength: 8 }),
					fc.array(anyFault, { maxLength: 3 }),
					fc.integer({ min: 1, max: 5 }),
					async (items, planned, maxConcurrency) => {
						testbed.reset();
						const { store, faults: active } = testbed.service;
						store.addChatbot({ id: 'bot' });
						const input = items.map(({ kind, name: called }, index) => ({
							id: kind === 'blank' ? ' ' : `${kind}-${index}`,
							name: called,
							number: index,
						}));
						for (const { id } of input) {
							if (id.startsWith('existing')) store.addContact('bot', { external_id: id });
						}
						for (const { fault, nth, times } of planned) {
							const struck = Array.from({ length: times }, (_, index) => nth + index);
							active.add({ when: { nth: struck }, fault: faults[fault] });
						}
						const { options = {}, ...parameters } = operations[name];
						const { error, outputs } = await testbed.run(
							{
								resource,
								operation,
								...parameters,
								options: { ...(options as object), maxConcurrency },
								requestOptions: { timeout: 60_000 },
							},
							{ input, nodeSettings: { onError } },
						);
						if (error) {
							expect(onError).toBe('stopWorkflow');
							expect(outputs.flat()).toEqual([]);
							return;
						}
						const answered = outputs.flat();
						const numbers = answered.map(({ pairedItem }) => (pairedItem as { item: number }).item);
						expect([...numbers].sort()).toEqual(input.map((_, index) => index));
						answered.forEach(({ json }, place) => {
							const { id, number } = input[numbers[place]];
							const own = json.error
								? { number }
								: resource === 'chat'
									? { text: expect.any(String) as string, ...(id.trim() && { conversationId: id }) }
									: { external_id: id };
							if (!(operation === 'delete' && !json.error)) expect(json).toMatchObject(own);
						});
						if (onError === 'continueErrorOutput') {
							expect(outputs[0].filter(({ json }) => json.error)).toEqual([]);
							expect(outputs[1].filter(({ json }) => !json.error)).toEqual([]);
						}
					},
				),
				propertyRuns(6),
			);
		},
		120_000,
	);
});
