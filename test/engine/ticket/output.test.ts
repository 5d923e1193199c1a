/** How much of a ticket the operations return: Simplify in a workflow, Output in a tool. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Ticket } from '../../../service';
import { byId } from '../testbed';
import { openHelpdesk } from './helpdesk';

const desk = openHelpdesk('get');
const chatbotId = byId('bot');

const simplified = {
	ticketNumber: 1,
	subject: 'Refund',
	description: 'I want a refund',
	statusCategory: 'new',
	priority: 'none',
	assigneeId: null,
	teamId: null,
	customer_name: 'Jane',
	customer_email: 'jane@example.com',
	updatedAt: expect.stringMatching(/^20/) as string,
};
const listed: IDataObject = { ...simplified };
delete listed.description;

const customer = { id: 'c_1', name: 'Jane', email: 'jane@example.com', phoneNumber: null };
const fields = {
	subject: 'Refund',
	description: 'I want a refund',
	customer,
	createdAt: '2026-07-20T12:00:00.000Z',
} as Partial<Ticket>;

/** Each operation that returns tickets, with what it returns of one. */
const cases: Array<[operation: string, INodeParameters, IDataObject]> = [
	['get', { ticketNumber: '1' }, simplified],
	['getAll', { returnAll: true }, listed],
	['search', { query: 'refund' }, listed],
	[
		'update',
		{ ticketNumber: '1', updateFields: { priority: 'high' } },
		{ ...simplified, priority: 'high' },
	],
];

beforeEach(() => {
	const { messages } = desk.addTicket(fields);
	messages.push({
		id: 'm1',
		type: 'reply',
		sender: { type: 'customer', ...customer },
		content: '<p>I want a refund</p>',
		contentText: 'I want a refund',
		attachments: [],
		createdAt: '2026-07-20T12:00:00.000Z',
	});
});

describe.each(cases)('%s', (operation, parameters, expected) => {
	it('returns up to ten fields, without nested values', async () => {
		const { items } = await desk.testbed.succeed({ operation, ...parameters });
		expect(items.map(({ json }) => Object.entries(json))).toEqual([Object.entries(expected)]);
		expect(Object.keys(expected).length).toBeLessThanOrEqual(10);
	});

	it('returns the ticket as the service does when Simplify is off', async () => {
		const { items } = await desk.testbed.succeed({ operation, ...parameters, simplify: false });
		expect(items).toMatchObject([{ json: { customer, channel: 'api', metadata: {} } }].map(raw));
		expect(items[0].json).toHaveProperty('lastMessageAt');

		// Lists have no metadata.
		function raw(record: { json: IDataObject }) {
			if ('description' in expected) return record;
			return { json: { customer, channel: 'api' } };
		}
	});

	const callTool = async (output: INodeParameters) => {
		const fixed = { operation, chatbotId, limit: 10, ...parameters, ...output };
		const { records } = await desk.testbed.callTool(fixed, {});
		return records as IDataObject[];
	};

	it('gives an agent the simplified ticket', async () => {
		expect(await callTool({})).toEqual([
			{ ...expected, ...(operation === 'get' && { transcript: expect.anything() as unknown }) },
		]);
	});

	it('gives an agent the number of the ticket, and the fields that were named', async () => {
		const [ticket] = await callTool({
			output: 'selectedFields',
			outputFields: ['channel', 'nothing'],
		});
		expect(Object.entries(ticket)).toEqual([
			['ticketNumber', 1],
			['channel', 'api'],
		]);
	});

	it('gives an agent the whole ticket when Output is Raw', async () => {
		expect(await callTool({ output: 'raw' })).toMatchObject([{ customer, channel: 'api' }]);
	});
});

it('create returns up to ten fields, or the ticket as the service does', async () => {
	const create = {
		operation: 'create',
		subject: 'Refund',
		description: 'I want a refund',
		customerEmail: 'jane@example.com',
		simplify: '={{ $json.simple }}',
	};
	const { items } = await desk.testbed.succeed(create, {
		input: [{ simple: true }, { simple: false }],
	});
	expect(Object.keys(items[0].json)).toEqual(Object.keys(simplified));
	expect(items[1].json).toMatchObject({
		customer: { email: 'jane@example.com' },
		metadata: {},
		channel: 'api',
	});
});

it('get adds messages and transcript when they were asked for', async () => {
	const options = { messages: true };
	const { items } = await desk.testbed.succeed({ ticketNumber: '1', options });
	expect(Object.keys(items[0].json)).toEqual([
		...Object.keys(simplified),
		'messages',
		'transcript',
	]);
});

it.each([
	['null', null, { customer: null }],
	['without a name', { email: 'jane@example.com' }, { customer_email: 'jane@example.com' }],
	['a text', 'Jane', { customer: 'Jane' }],
])('takes a customer that is %s as it is', async (_, odd, expected) => {
	desk.faults.add({ fault: { kind: 'otherShape', body: { ticketNumber: 1, customer: odd } } });
	const { items } = await desk.testbed.succeed({ ticketNumber: '1' });
	expect(items[0].json).toEqual({ ticketNumber: 1, ...expected });
});
