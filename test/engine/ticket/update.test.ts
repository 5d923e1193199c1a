import type { INodeParameters } from 'n8n-workflow';

import { titleOf } from '../../errorTexts';
import { byId, succeeded } from '../testbed';
import { openHelpdesk } from './helpdesk';

const desk = openHelpdesk('update');

const ticketNumber = '1';
const first = () => desk.here.tickets[0];
const ada = () => desk.here.teams[0].members[0];
const run = async (updateFields: INodeParameters) =>
	await desk.runAtOnce({ ticketNumber, updateFields });

beforeEach(() => void desk.addTicket());

it('changes what was added, and returns the ticket', async () => {
	const team = desk.here.teams[1];
	const { items, error, hints } = await run({
		status: byId(desk.statusId('on_hold')),
		assignee: 'ADA@team.example',
		team: byId(team.id),
		priority: 'high',
	});
	expect(error).toBeUndefined();
	expect(hints).toEqual([]);
	expect(desk.sent).toEqual([
		[
			'PATCH /tickets/1',
			{
				statusId: desk.statusId('on_hold'),
				assigneeEmail: 'ADA@team.example',
				teamId: team.id,
				priority: 'high',
			},
		],
	]);
	expect(desk.testbed.illegal).toEqual([]);
	const changed = { statusCategory: 'on_hold', assigneeId: ada().id, teamId: team.id };
	expect(items).toMatchObject([{ json: { ...changed, priority: 'high' } }]);
});

it.each<[INodeParameters, object]>([
	[{ assignee: '' }, { assigneeId: null }],
	[{ assignee: ' ' }, { assigneeId: null }],
	[
		{ assignee: '={{ null }}', priority: 'low' },
		{ assigneeId: null, priority: 'low' },
	],
	[{ assignee: '={{ $json.nobody }}', priority: 'low' }, { priority: 'low' }],
	[{ team: byId('') }, { teamId: null }],
	[{ team: byId('={{ $json.none }}'), priority: 'low' }, { priority: 'low' }],
	[{ status: byId('closed') }, { statusCategory: 'closed' }],
])('%j is sent as %j', async (updateFields, body) => {
	Object.assign(first(), { assigneeId: ada().id, teamId: desk.here.teams[0].id });
	const { items } = succeeded(await run(updateFields));
	expect(desk.sent).toEqual([['PATCH /tickets/1', body]]);
	expect(items).toMatchObject([{ json: body }]);
	expect(desk.testbed.illegal).toEqual([]);
});

it.each<[INodeParameters, string]>([
	[{}, 'Nothing to update'],
	[{ assignee: '={{ $json.nobody }}' }, 'Nothing to update'],
	[{ status: byId('') }, 'Status is not a category or an ID'],
	[{ priority: '={{ null }}' }, 'Priority is not high, low, none, normal or urgent'],
])('%j is refused before any request', async (updateFields, message) => {
	const { error } = await run(updateFields);
	expect(error?.message).toBe(message);
	expect(desk.sent).toEqual([]);
});

const unknown = '00000000-0000-4000-8000-00000000000a';
it.each<[INodeParameters, string]>([
	[{ status: byId(unknown) }, titleOf('422')],
	[{ assignee: unknown }, titleOf('422')],
	[{ team: byId(unknown) }, titleOf('422')],
])('%j is refused by the service: %s', async (updateFields, message) => {
	const { error } = await run({ ...updateFields, priority: 'high' });
	expect(error).toMatchObject({ message, httpCode: '422' });
	expect(desk.methods).toBe('PATCH');
	expect(first().priority).toBe('none');
});

it('warns when the ticket comes back without a change', async () => {
	desk.set({ ticketPriority: 'absent' });
	const { items, hints } = await run({ priority: 'high', status: byId('closed') });
	expect(items).toHaveLength(1);
	expect(hints).toMatchObject([
		{ message: 'The service returned ticket 1 without the new Priority.' },
	]);
});

it('tells an agent, which sees no hints, in a last record', async () => {
	desk.set({ ticketPriority: 'absent' });
	const { records } = await desk.testbed.callTool(
		{
			chatbotId: byId('bot'),
			ticketNumber,
			updateFields: { priority: '={{ $fromAI("priority") }}' },
		},
		{ priority: 'high' },
	);
	expect(records).toEqual([
		expect.objectContaining({ ticketNumber: 1 }),
		{ message: 'The service returned ticket 1 without the new Priority.' },
	]);
});

describe('when it is not known what the service did', () => {
	const fields = { status: byId('closed'), priority: 'high' };

	it.each([{ kind: 'resetAfter' }, { kind: 'cutJson' }] as const)(
		'reads the ticket and succeeds when it is as wanted: %j',
		async (fault) => {
			desk.faults.add({ when: { method: 'PATCH' }, fault });
			const { items } = succeeded(await run({ ...fields, assignee: '' }));
			expect(desk.methods).toBe('PATCH GET');
			expect(items).toMatchObject([
				{ json: { ticketNumber: 1, statusCategory: 'closed', priority: 'high' } },
			]);
		},
	);

	it('says by field what was done of it', async () => {
		desk.set({ ticketUpdate: 'half' });
		const { items, error } = await run({ ...fields, team: byId(desk.here.teams[0].id) });
		expect(items).toEqual([]);
		expect(error?.message).toBe(titleOf('5xx'));
		expect(error?.description).toMatch(
			/In ticket 1, changed: Status\. Not changed: Team, Priority\./,
		);
		// It is never sent again, and looked at after 0, 1, 3, 7, 15 and 31 seconds.
		expect(desk.methods).toBe(`PATCH${' GET'.repeat(6)}`);
	});

	it('says that nothing was done', async () => {
		desk.faults.add({ when: { method: 'PATCH' }, fault: { kind: 'resetBefore' } });
		const { error } = await run({ priority: 'high', assignee: 'ada@team.example' });
		expect(error?.description).toMatch(
			/In ticket 1, changed: nothing\. Not changed: Assignee, Priority\./,
		);
	});

	it('does not claim what a ticket does not show', async () => {
		desk.faults.add({ when: { method: 'PATCH' }, fault: { kind: 'resetAfter' } });
		const { error } = await run({ priority: 'high', assignee: 'ada@team.example' });
		expect(error?.description).toMatch(
			/In ticket 1, changed: Priority\. Not certain: Assignee, because a ticket does not show the email of its assignee\. Unknown: item 0\.$/,
		);
		expect(desk.methods).toBe('PATCH GET');
	});

	it('sees a change that is done late', async () => {
		desk.faults.add({ when: { method: 'PATCH' }, fault: { kind: 'status', status: 504 } });
		const stop = desk.testbed.service.onRequest(({ number }) => {
			if (number === 4) first().priority = 'high';
		});
		const { items } = await run({ priority: 'high' });
		stop();
		expect(items).toMatchObject([{ json: { priority: 'high' } }]);
		expect(desk.methods).toBe('PATCH GET GET GET');
	});

	it('says so when the ticket cannot be read', async () => {
		desk.faults.add({ when: { method: 'PATCH' }, fault: { kind: 'resetAfter' } });
		desk.faults.add({ when: { method: 'GET' }, fault: { kind: 'status', status: 403 } });
		const { error } = await run(fields);
		expect(error?.description).toContain('may have been done, as a whole or in part');
	});
});

it('keeps the order of items about one ticket', async () => {
	desk.faults.add({ when: { nth: 1 }, fault: { kind: 'delay', ms: 50 } });
	const priorities = ['high', 'low', 'urgent', 'normal'];
	await desk.testbed.run(
		{ ticketNumber, updateFields: { priority: '={{ $json.priority }}' } },
		{ input: priorities.map((priority) => ({ priority })) },
	);
	expect(desk.sent.map(([, body]) => body)).toEqual(priorities.map((priority) => ({ priority })));
	expect(first().priority).toBe('normal');
});

it('takes what a model leaves empty as nothing', async () => {
	const empty = '={{ $fromAI("none") }}';
	const { error } = await desk.testbed.callTool(
		{
			chatbotId: byId('bot'),
			ticketNumber,
			updateFields: {
				assignee: empty,
				team: byId(empty),
				status: byId('={{ $fromAI("status") }}'),
			},
		},
		{ none: '', status: 'closed' },
	);
	expect(error).toBeUndefined();
	expect(desk.sent).toEqual([['PATCH /tickets/1', { statusCategory: 'closed' }]]);
});
