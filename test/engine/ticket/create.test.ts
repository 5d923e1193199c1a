import type { INodeParameters } from 'n8n-workflow';

import { byId, succeeded } from '../testbed';
import { openHelpdesk } from './helpdesk';

const desk = openHelpdesk('create');

const refund = {
	subject: 'Refund',
	description: 'I want a refund',
	customerEmail: 'jane@example.com',
};
const sentRefund = {
	subject: 'Refund',
	description: 'I want a refund',
	customer: { email: 'jane@example.com' },
};
const numbers = () => desk.here.tickets.map(({ ticketNumber }) => ticketNumber);
const afterWrite = { when: { method: 'POST', nth: 1 }, fault: { kind: 'resetAfter' } } as const;

it('creates a ticket, and returns it as the service does', async () => {
	const { items } = await desk.testbed.succeed(refund);
	expect(desk.sent).toEqual([['POST /tickets', sentRefund]]);
	expect(items).toMatchObject([
		{
			json: { ticketNumber: 1, description: 'I want a refund', channel: 'api' },
			pairedItem: { item: 0 },
		},
	]);
});

const status = '00000000-0000-4000-8000-00000000000a';
describe.each<[INodeParameters, object]>([
	[{ customerName: 'Jane' }, { customer: { email: 'jane@example.com', name: 'Jane' } }],
	[{ customerName: '' }, {}],
	[{ status: byId('on_you') }, { statusCategory: 'on_you' }],
	[{ status: byId(status) }, { statusId: status }],
	[{ assignee: ' ada@team.example ' }, { assigneeEmail: 'ada@team.example' }],
	[{ assignee: status }, { assigneeId: status }],
	[{ assignee: '' }, { assigneeId: null }],
	[{ assignee: '={{ null }}' }, { assigneeId: null }],
	[{ assignee: '={{ $json.nobody }}' }, {}],
	[{ team: byId(status) }, { teamId: status }],
	[{ team: byId('') }, {}],
	[{ priority: 'urgent' }, { priority: 'urgent' }],
])('with %j', (additionalFields, expected) => {
	it('sends what was added', async () => {
		await desk.testbed.run({ ...refund, additionalFields });
		expect(desk.sent).toEqual([['POST /tickets', { ...sentRefund, ...expected }]]);
		expect(desk.testbed.illegal).toEqual([]);
	});
});

it.each<[INodeParameters, string]>([
	[{ subject: ' ' }, 'Subject is not a text of 1 to 500 characters'],
	[{ subject: 'a'.repeat(501) }, 'Subject is not a text of 1 to 500 characters'],
	[{ description: ' ' }, 'Description is not a text of 1 to 10,000 characters'],
	[{ customerEmail: 'jane' }, 'Customer Email is not an email'],
	[{ additionalFields: { status: byId('open') } }, 'Status is not a category or an ID'],
	[{ additionalFields: { status: byId('') } }, 'Status is not a category or an ID'],
	[{ additionalFields: { assignee: 'Ada' } }, 'Assignee is not an email or an ID'],
	[{ additionalFields: { assignee: '={{ [] }}' } }, 'Assignee is not an email or an ID'],
	[{ additionalFields: { team: byId('Support') } }, 'Team is not an ID'],
	[
		{ additionalFields: { priority: '={{ "top" }}' } },
		'Priority is not high, low, none, normal or urgent',
	],
])('refuses %j before any request', async (fields, message) => {
	const { error } = await desk.testbed.run({ ...refund, ...fields });
	expect(error?.message).toBe(message);
	expect(desk.sent).toEqual([]);
});

it('says who is unknown', async () => {
	const unknown = async (additionalFields: INodeParameters) =>
		(await desk.testbed.run({ ...refund, additionalFields })).error?.message;
	expect(await unknown({ assignee: 'x@team.example' })).toBe('The team member was not found');
	expect(await unknown({ team: byId(status) })).toBe('The team was not found');
	expect(await unknown({ status: byId(status) })).toBe('The status cannot be set');
	expect(numbers()).toEqual([]);
});

describe('when it is not known whether the service created the ticket', () => {
	it('finds it by subject and customer, and creates no second one', async () => {
		desk.faults.add(afterWrite);
		const { items, error } = await desk.runAtOnce({
			...refund,
			customerEmail: 'Jane@Example.com',
		});
		expect(error).toBeUndefined();
		expect(items).toMatchObject([{ json: { ticketNumber: 1, description: 'I want a refund' } }]);
		expect(desk.methods).toBe('POST GET GET');
		expect(numbers()).toEqual([1]);
		expect(desk.testbed.illegal).toEqual([]);
	});

	it.each(['cutJson', 'resetMidBody'] as const)('finds it after a response %s', async (kind) => {
		desk.faults.add({ when: { method: 'POST' }, fault: { kind } });
		const { items } = await desk.runAtOnce(refund);
		expect(items).toMatchObject([{ json: { ticketNumber: 1 } }]);
		expect(numbers()).toEqual([1]);
	});

	it('finds it when it appears late', async () => {
		desk.faults.add({
			when: { method: 'POST' },
			fault: { kind: 'status', status: 504, body: '<html>Gateway</html>' },
		});
		const { service } = desk.testbed;
		const stop = service.onRequest(({ number }) => {
			if (number !== 4) return;
			desk.addTicket({
				...refund,
				customer: { id: 'c', name: null, email: refund.customerEmail, phoneNumber: null },
			});
		});
		const { items } = succeeded(await desk.runAtOnce(refund));
		stop();
		expect(items).toMatchObject([{ json: { ticketNumber: 1 } }]);
		expect(desk.methods).toBe('POST GET GET GET GET');
	});

	it('says that it may exist, and how to look, when it does not appear', async () => {
		desk.faults.add({ when: { method: 'POST' }, fault: { kind: 'status', status: 500 } });
		const { items, error } = await desk.runAtOnce(refund);
		expect(items).toEqual([]);
		expect(error?.message).toBe("The service can't respond at the moment");
		expect(error?.description).toContain('did not send the request again');
		expect(error?.description).toContain(
			'The ticket may exist. Before you run again, look for its subject and customer',
		);
		// One POST, then a look after 0, 1, 3, 7, 15 and 31 seconds.
		expect(desk.methods).toBe(`POST${' GET'.repeat(6)}`);
	});

	it('says so when it cannot look', async () => {
		desk.faults.add(afterWrite);
		desk.faults.add({ when: { method: 'GET' }, fault: { kind: 'status', status: 403 } });
		const { error } = await desk.runAtOnce(refund);
		expect(error).toMatchObject({ httpCode: '403' });
		expect(error?.description).toContain('The ticket may exist.');
		expect(numbers()).toEqual([1]);
	});

	const customer = { id: 'c', name: null, email: refund.customerEmail, phoneNumber: null };
	it.each([
		['an earlier one', { ...refund, customer, createdAt: '2026-01-01T00:00:00.000Z' }],
		['one with another description', { ...refund, customer, description: 'Another' }],
		['one of another customer', { ...refund, customer: { ...customer, email: 'x@example.com' } }],
		['one with another subject', { ...refund, customer, subject: 'Other' }],
	])('takes no other ticket for it: %s', async (_, other) => {
		desk.faults.add({ when: { method: 'POST' }, fault: { kind: 'resetBefore' } });
		const stop = desk.testbed.service.onRequest(({ number }) => {
			if (number === 2) desk.addTicket(other);
		});
		const { items, error } = await desk.runAtOnce(refund);
		stop();
		expect(items).toEqual([]);
		expect(error?.description).toContain('The ticket may exist.');
	});

	it.each([
		['ahead', 3_600_000],
		['behind', -3_600_000],
	])('finds it when the clock of the service is an hour %s', async (_, shift) => {
		const { clock } = desk.testbed.service;
		clock.set(Date.now() + shift);
		// An equal ticket of half an hour before.
		desk.addTicket({
			...refund,
			customer,
			createdAt: new Date(clock.now() - 1_800_000).toISOString(),
		});
		desk.faults.add(afterWrite);
		const { items } = await desk.runAtOnce(refund);
		clock.release();
		expect(items).toMatchObject([{ json: { ticketNumber: 2 } }]);
	});

	it('gives each of several equal items a ticket of its own', async () => {
		desk.faults.add({ when: { method: 'POST', nth: [1, 2, 3] }, fault: { kind: 'resetAfter' } });
		const { items } = succeeded(await desk.runAtOnce(refund, { input: [{}, {}, {}] }));
		expect(items.map(({ json }) => json.ticketNumber)).toEqual([1, 2, 3]);
		expect(numbers()).toEqual([1, 2, 3]);
	});

	it('does not give an item the ticket of an equal one before it', async () => {
		desk.faults.add({ when: { method: 'POST', nth: 2 }, fault: { kind: 'resetBefore' } });
		const { items } = await desk.runAtOnce(refund, {
			input: [{}, {}],
			nodeSettings: { onError: 'continueRegularOutput' },
		});
		expect(items).toMatchObject([
			{ json: { ticketNumber: 1 } },
			{ json: { error: expect.stringContaining('The ticket may exist.') as string } },
		]);
		expect(numbers()).toEqual([1]);
	});
});

it('creates one ticket after a 429 and a maintenance', async () => {
	desk.set({ maintenance: 1 });
	desk.faults.add({ when: { nth: 1 }, fault: { kind: 'status', status: 429 } });
	const { items } = succeeded(await desk.runAtOnce(refund));
	expect(items).toMatchObject([{ json: { ticketNumber: 1 } }]);
	expect(desk.methods).toBe('POST POST POST');
	expect(numbers()).toEqual([1]);
});

it('takes what a model leaves empty as nothing', async () => {
	const empty = '={{ $fromAI("none") }}';
	const { records, error } = await desk.testbed.callTool(
		{
			chatbotId: byId('bot'),
			...refund,
			subject: '={{ $fromAI("subject") }}',
			additionalFields: {
				assignee: empty,
				team: byId(empty),
				priority: empty,
				status: byId(empty),
			},
		},
		{ none: '', subject: 'Help' },
	);
	expect(error).toBeUndefined();
	expect(records).toMatchObject([{ ticketNumber: 1, subject: 'Help' }]);
	expect(desk.sent).toEqual([['POST /tickets', { ...sentRefund, subject: 'Help' }]]);
});
