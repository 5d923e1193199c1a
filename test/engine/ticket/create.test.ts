import type { INodeParameters } from 'n8n-workflow';

import { titleOf } from '../../errorTexts';
import { byId } from '../testbed';
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

it('creates a ticket, and returns it as the service does', async () => {
	const { items } = await desk.testbed.succeed({ ...refund, simplify: false });
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
	[{ subject: ' ' }, 'Subject is empty'],
	[{ subject: 'a'.repeat(501) }, 'Subject is not a text of 1 to 500 characters'],
	[{ description: ' ' }, 'Description is empty'],
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
	expect(await unknown({ assignee: 'x@team.example' })).toBe(titleOf('422'));
	expect(await unknown({ team: byId(status) })).toBe(titleOf('422'));
	expect(await unknown({ status: byId(status) })).toBe(titleOf('422'));
	expect(numbers()).toEqual([]);
});

describe('when it is not known whether the service created the ticket', () => {
	it('says that it may exist, and how to look', async () => {
		desk.faults.add({ when: { method: 'POST' }, fault: { kind: 'resetAfter' } });
		const { error } = await desk.runAtOnce(refund);
		expect(error?.description).toContain(
			'The ticket may exist. Before you run again, look for its subject and customer with Get Many or in the helpdesk.',
		);
	});

	it('says so for one of several items, and creates the others once', async () => {
		desk.faults.add({ when: { method: 'POST', nth: 2 }, fault: { kind: 'resetAfter' } });
		const { items } = await desk.runAtOnce(refund, {
			input: [{}, {}, {}],
			nodeSettings: { onError: 'continueRegularOutput' },
		});
		expect(items.map(({ json }) => json.ticketNumber)).toEqual([1, undefined, 3]);
		expect(items[1].json.error).toContain('The ticket may exist.');
		expect(numbers()).toEqual([1, 2, 3]);
	});
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
