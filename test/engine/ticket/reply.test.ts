import { titleOf } from '../../errorTexts';
import { openHelpdesk } from './helpdesk';

const desk = openHelpdesk('reply');

const said = { ticketNumber: '1', message: 'Sent **today**', author: 'ada@team.example' };
const sentBody = { type: 'reply', content: 'Sent **today**', authorEmail: 'ada@team.example' };
const recorded = () => desk.here.tickets[0].messages.map(({ contentText }) => contentText);

beforeEach(() => void desk.addTicket());

it('sends a message, and returns it', async () => {
	const { items } = await desk.testbed.succeed(said);
	expect(desk.sent).toEqual([['POST /tickets/1/messages', sentBody]]);
	expect(items).toMatchObject([
		{ json: { type: 'reply', contentText: 'Sent **today**', sender: { name: 'Ada' } } },
	]);
});

it('takes the ID of the author too', async () => {
	const { id } = desk.here.teams[0].members[0];
	await desk.testbed.succeed({ ...said, author: ` ${id} ` });
	expect(desk.sent).toEqual([
		['POST /tickets/1/messages', { type: 'reply', content: 'Sent **today**', authorId: id }],
	]);
});

it.each([
	[{ message: ' ' }, 'Message is empty'],
	[{ message: 'a'.repeat(10_001) }, 'Message is not a text of 1 to 10,000 characters'],
	[{ author: 'Ada' }, 'Author is not an email or an ID'],
	[{ author: '={{ "" }}' }, 'Author is not an email or an ID'],
])('refuses %j before any request', async (fields, message) => {
	const { error } = await desk.testbed.run({ ...said, ...fields });
	expect(error?.message).toBe(message);
	expect(desk.sent).toEqual([]);
});

describe('is refused in words', () => {
	it.each([
		[{ author: 'x@team.example' }, titleOf('422'), 'team member could not be found'],
		[{ message: '<br>' }, titleOf('422'), 'could not be rendered'],
		[{ ticketNumber: '7' }, 'Ticket or chatbot not found', 'Check Ticket Number'],
	])('for %j', async (fields, title, step) => {
		const { error } = await desk.testbed.run({ ...said, ...fields });
		expect(error?.message).toBe(title);
		expect(error?.description).toContain(step);
		expect(recorded()).toEqual([]);
	});

	it.each(['envelope', 'unknownCode'] as const)(
		'while the chatbot has the conversation, with the body %s',
		async (errorBody) => {
			desk.set({ ticketReply: 'notTakenOver', errorBody });
			const { error } = await desk.testbed.run(said);
			expect(error?.message).toBe('The conversation of the ticket is with the chatbot');
			expect(error?.description).toContain('Take it over in the helpdesk');
		},
	);
});

it('says how to look when its answer is lost', async () => {
	desk.faults.add({ fault: { kind: 'resetAfter' } });
	const { error } = await desk.runAtOnce(said);
	expect(error?.description).toContain(
		'The reply may have reached the customer. Look for it with Get and Include Messages in ticket 1.',
	);
});

it('is a message of its own for each of two equal items', async () => {
	const { items } = await desk.testbed.succeed(said, { input: [{}, {}] });
	expect(new Set(items.map(({ json }) => json.id)).size).toBe(2);
	expect(recorded()).toHaveLength(2);
});

it('does not say that it may exist when it surely does not', async () => {
	desk.testbed.service.behaviourV2.disabledEndpoints = [
		'POST /agents/{agentId}/helpdesk/tickets/{ticketNumber}/messages',
	];
	const { error } = await desk.testbed.run(said);
	expect(error?.message).toBe(titleOf('disabled'));
	expect(error?.description).not.toContain('may have');
});

it('keeps the order of replies to one ticket', async () => {
	desk.faults.add({ when: { nth: 1 }, fault: { kind: 'delay', ms: 50 } });
	const input = ['1', '2', '3', '4'].map((text) => ({ text }));
	await desk.testbed.run({ ...said, message: '={{ $json.text }}' }, { input });
	expect(recorded()).toEqual(['1', '2', '3', '4']);
});
