import type { INodeParameters } from 'n8n-workflow';

import { byId, useTestbed } from '../testbed';
import { chatbotId, mapped } from '../parameters';

/** A 404 is about the contact only in the words of the service. */
const testbed = useTestbed({ resource: 'contact' });

beforeEach(() => void testbed.service.store.addContact('bot', { external_id: 'a' }));

describe('a 404', () => {
	const operations: Array<[string, INodeParameters]> = [
		['get', {}],
		['update', mapped({ name: 'New' })],
		['delete', {}],
	];

	it.each(operations)(
		'marks no contact when it is not from the API (%s)',
		async (operation, parameters) => {
			for (const body of [
				'<h1>Not Found</h1>',
				'Not found',
				[],
				{ error: 'x' },
				{ message: 'Chatbot not found' },
			]) {
				testbed.service.faults.add({ fault: { kind: 'status', status: 404, body } });
				const { error } = await testbed.run({
					operation,
					chatbotId,
					contactId: byId('a'),
					...parameters,
					options: { onNotFound: 'mark' },
				});
				expect(error).toBeDefined();
				testbed.service.faults.clear();
			}
		},
	);

	it.each(['named', 'Resource not found'] as const)(
		'marks the contact when it is from the API (%s)',
		async (notFoundMessage) => {
			testbed.service.behaviour.notFoundMessage = notFoundMessage;
			for (const [operation, parameters] of operations) {
				const { items } = await testbed.run({
					operation,
					chatbotId,
					contactId: byId('nobody'),
					...parameters,
					options: { onNotFound: 'mark' },
				});
				expect(items[0].json).toMatchObject({ found: false, external_id: 'nobody' });
			}
		},
	);

	it('is no deletion when it is HTML', async () => {
		testbed.service.faults.add({ when: { nth: 1 }, fault: { kind: 'resetBefore' } });
		testbed.service.faults.add({
			when: { nth: 2 },
			fault: { kind: 'status', status: 404, body: '<h1>Not Found</h1>' },
		});
		const { error } = await testbed.run({
			operation: 'delete',
			chatbotId,
			contactId: byId('a'),
		});
		expect(error).toBeDefined();
		expect(testbed.service.store.contact('bot', 'a')).toBeDefined();
	});
});
