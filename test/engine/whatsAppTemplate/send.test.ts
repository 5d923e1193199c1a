import type { INodeParameters } from 'n8n-workflow';

import { titleOf } from '../../errorTexts';
import { chosen, mapped, openAccount, orderUpdate, orderValues } from './account';

const account = openAccount('send');

const order = {
	template: chosen(),
	to: '+1 (415) 555-2671',
	templateVariables: mapped(orderValues),
};
const typed = { __rl: true, mode: 'name', value: 'order_update' };
const variables = { header: { '1': '#1042' }, body: { '1': 'Jane', '2': 'Friday' } };
const sentOrder = {
	to: '14155552671',
	from: '14155552672',
	template: { name: 'order_update', language: 'en_US', variables },
};
const list = ['GET /templates'];
const post = 'POST /messages/template';
const people = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ json: { to: `1415555${1000 + index}` } }));
const toEach = { ...order, to: '={{ $json.to }}' };
const textOf = (error: { message: string; description?: string | null } | undefined) =>
	`${error?.message}: ${error?.description}`;

describe('a template from the list', () => {
	it('is sent with its language and the number of its account', async () => {
		const { items } = await account.testbed.succeed(order);
		expect(account.sent).toEqual([list, [post, sentOrder]]);
		const [message] = account.here.sent;
		expect(items).toEqual([
			{
				json: {
					status: 'accepted',
					messageId: message.messageId,
					conversationId: message.conversationId,
					to: '14155552671',
					template: 'order_update',
					language: 'en_US',
					text: 'Order #1042\nHi Jane, it arrives on Friday.\nAcme',
				},
				pairedItem: { item: 0 },
			},
		]);
	});

	it('is looked up once for all items, and sent in their order', async () => {
		const input = people(20);
		await account.testbed.run({ ...toEach, options: { maxConcurrency: 1 } }, { input });
		expect(account.sent.map(([address]) => address)).toEqual([
			'GET /templates',
			...input.map(() => post),
		]);
		expect(account.recipients).toEqual(input.map(({ json }) => json.to));
	});

	it.each<[string, object, string]>([
		['is gone', { name: 'other' }, 'The list has no template "order_update, en_US".'],
		['is no longer approved', { status: 'PAUSED' }, 'The template was not found'],
		[
			'has a variable more than the panel knew',
			{ variables: { ...orderUpdate.variables, body: ['1', '2', '3'] } },
			'"order_update, en_US" also needs Body 3',
		],
	])('stops the run before any message if it %s', async (_, change, expected) => {
		Object.assign(account.here.accounts[0].templates[0], change);
		const { error } = await account.testbed.run(toEach, { input: people(3) });
		expect(textOf(error)).toContain(expected);
		expect(account.sent).toEqual([list]);
	});

	it('says that nothing was sent', async () => {
		account.here.accounts[0].templates.length = 0;
		const { error } = await account.testbed.run(toEach, { input: people(3) });
		expect(textOf(error)).toMatch(/Nothing was sent\.$/);
	});
});

describe.each([
	['chosen', chosen()],
	['typed', typed],
])('a %s template that the list does not show', (_, template) => {
	const withoutText = {
		status: 'accepted',
		to: '14155552671',
		text: undefined,
		template: 'order_update',
	};
	it('is sent without its text if the service could not read its account', async () => {
		account.connect('waba_2', '14155552673', []);
		account.here.accounts.reverse();
		account.set({ partialTemplateLists: 1 });
		const options = { from: '14155552672' };
		const { items } = await account.testbed.run({ ...order, template, options });
		expect(account.recipients).toEqual(['14155552671']);
		expect(items[0].json).toMatchObject(withoutText);
	});

	it.each([
		['a 500', { kind: 'status', status: 500 }],
		['another shape', { kind: 'otherShape', body: { templates: null } }],
		['a body that is cut', { kind: 'cutJson' }],
	] as const)('is sent without its text if the list is %s', async (_name, fault) => {
		account.testbed.service.faults.add({ when: { method: 'GET' }, fault });
		const { items } = await account.runAtOnce({ ...order, template });
		expect(account.recipients).toEqual(['14155552671']);
		expect(items[0].json).toMatchObject(withoutText);
	});
});

describe('two accounts with one template name', () => {
	const other = { ...orderUpdate, components: [{ type: 'BODY', text: 'Another text' }] };

	beforeEach(() => account.connect('waba_2', '14155552673', [other]));

	it('sends from the number of the chosen one', async () => {
		await account.testbed.run({ ...order, template: chosen('order_update|en_US|waba_2') });
		expect(account.here.sent).toMatchObject([{ from: '14155552673' }]);
	});

	it('refuses a number of the other one, which would send another text', async () => {
		const { error } = await account.testbed.run({ ...order, options: { from: '+1 415 555 2673' } });
		expect(textOf(error)).toContain(
			'From is not a number of the template: Item 0: Its account has 14155552672. Change From under Options.',
		);
		expect(account.recipients).toEqual([]);
	});

	it('refuses to send from the other one if the chosen one has no number', async () => {
		account.here.accounts[0].senders.length = 0;
		const { error } = await account.testbed.run(order);
		expect(error?.message).toBe("The template's account has no number");
		expect(account.recipients).toEqual([]);
	});

	it('leaves From to the service where its list of numbers is empty', async () => {
		account.here.accounts.forEach(({ senders }) => (senders.length = 0));
		await account.testbed.run({ ...order, options: { from: '+1 415 555 2672' } });
		expect(account.sent).toEqual([list, [post, sentOrder]]);
	});

	it('leaves From to the user where the service lists no numbers', async () => {
		account.set({ templateSenders: 'absent' });
		const { error } = await account.testbed.run(order);
		expect(textOf(error)).toContain('The chatbot has several WhatsApp numbers');
		await account.testbed.run({ ...order, options: { from: '+1 415 555 2672' } });
		expect(account.here.sent).toMatchObject([{ from: '14155552672' }]);
	});
});

describe('a template by name', () => {
	it('leaves From to the service if another account could not be read', async () => {
		account.connect('waba_2', '14155552673', [orderUpdate]);
		account.set({ partialTemplateLists: 1 });
		const { error } = await account.testbed.run({ ...order, template: typed });
		expect(error?.message).toBe('The chatbot has several WhatsApp numbers');
		expect(account.here.sent).toEqual([]);
	});

	it('is checked against the list, and sent like a chosen one', async () => {
		await account.testbed.run({ ...order, template: typed, options: { language: 'en_US' } });
		expect(account.sent).toEqual([list, [post, sentOrder]]);
	});

	it('reads the list once for all items', async () => {
		await account.testbed.run({ ...toEach, template: typed }, { input: people(9) });
		expect(account.sent.filter(([address]) => address === list[0])).toHaveLength(1);
		expect(account.recipients).toHaveLength(9);
	});

	it('needs Variables JSON if the name is an expression', async () => {
		const template = { ...typed, value: '={{ $json.name }}' };
		const input = [{ json: { name: 'order_update' } }];
		const { error } = await account.testbed.run({ ...order, template }, { input });
		expect(textOf(error)).toContain('Variables JSON is empty');
		expect(account.sent).toEqual([]);
		const options = { variablesJson: JSON.stringify(variables) };
		await account.testbed.run({ ...order, template, options }, { input });
		expect(account.here.sent).toMatchObject([{ to: '14155552671', template: { variables } }]);
	});
});

describe('before any request', () => {
	it.each<[string, INodeParameters, string]>([
		['no template', { template: chosen('={{ $json.nothing }}') }, 'Template is empty'],
		...(
			[
				['an empty variable', '', 'Body 1 is empty'],
				['a variable of spaces', '  ', 'Body 1 is empty'],
				['an expression without a value', '={{ $json.nothing }}', 'Body 1 is empty'],
				['a line break', 'Jane\nDoe', 'Body 1 contains a line break'],
				['a carriage return', 'Jane\rDoe', 'Body 1 contains a line break'],
				['a line separator', 'Jane\u2028Doe', 'Body 1 contains a line break'],
				['a paragraph separator', 'Jane\u2029Doe', 'Body 1 contains a line break'],
				['a tab', 'Jane\tDoe', 'Body 1 contains a tab'],
				['five spaces', 'Jane     Doe', 'Body 1 contains more than four spaces in a row'],
			] as const
		).map(([name, value, expected]): [string, INodeParameters, string] => [
			name,
			{ templateVariables: mapped({ ...orderValues, 'body.1': value }) },
			expected,
		]),
		[
			'a variable of the panel that was left out',
			{
				template: typed,
				templateVariables: {
					...mapped(orderValues),
					value: { 'header.1': '#1', 'body.1': 'Jane' },
				},
			},
			'Body 2 is empty',
		],
		['broken JSON', { options: { variablesJson: '{' } }, 'Variables JSON is not valid JSON'],
	])('refuses %s', async (_, change, expected) => {
		const { error } = await account.testbed.run({ ...order, ...change });
		expect(error?.message).toContain(expected);
		expect(error?.description).toMatch(/Nothing was sent\.$/);
		expect(account.sent).toEqual([]);
	});

	it.each([undefined, null, '', '  '])(
		'refuses an item whose Variables JSON is %j, and does not send the values of Template Variables',
		async (values) => {
			const input = [{ json: { values: variables } }, { json: { values } }];
			const options = { variablesJson: '={{ $json.values }}' };
			const { error } = await account.testbed.run({ ...order, options }, { input });
			expect(textOf(error)).toBe(
				'Variables JSON has no value: Item 1: Its expression has no value for this item. It must give the variables, {} if the template has none. Nothing was sent.',
			);
			expect(account.sent).toEqual([]);
		},
	);

	it.each([
		['{"body": "Jane"}', 'body', 'It is the text "Jane".'],
		['{"body": ["Jane"]}', 'body', 'It is a list.'],
		['{"header": {"1": "#1"}, "body": 7}', 'body', 'It is the number 7.'],
	])('shows the form of Variables JSON for %s', async (variablesJson, component, fact) => {
		const { error } = await account.testbed.run({ ...order, options: { variablesJson } });
		expect(error?.message).toBe(`Variables JSON: ${component} is not a JSON object`);
		expect(error?.description).toContain(fact);
		expect(error?.description).toContain('such as {"body": {"1": "Jane"}}');
		expect(account.sent).toEqual([]);
	});

	it.each(['null', '""', '{}'])('takes %s for a component without variables', async (footer) => {
		const variablesJson = `{"header": {"1": "#1"}, "body": {"1": "Jane", "2": "today"}, "footer": ${footer}}`;
		const { error } = await account.testbed.run({ ...order, options: { variablesJson } });
		expect(error).toBeUndefined();
		expect(account.here.sent).toHaveLength(1);
	});

	it('says that nothing was sent if one of three items is invalid', async () => {
		const input = [...people(2), { json: { to: '555' } }];
		const { error } = await account.testbed.run(toEach, { input });
		expect(textOf(error)).toMatch(/^Recipient's Phone Number is not .*Item 2.*Nothing was sent\.$/);
		expect(account.sent).toEqual([]);
	});

	it.each([
		['items that differ in Dry Run', { options: { dryRun: '={{ $itemIndex === 0 }}' } }],
		['an invalid Max Concurrency', { options: { maxConcurrency: 0 } }],
	])('says that nothing was sent for %s', async (_, change) => {
		const { error } = await account.testbed.run({ ...order, ...change }, { input: people(2) });
		expect(textOf(error)).toMatch(/Nothing was sent\./);
		expect(account.sent).toEqual([]);
	});

	it('takes four spaces and numbers', async () => {
		const value = { ...orderValues, 'body.1': 'Jane    Doe', 'body.2': 7 };
		await account.testbed.run({ ...order, templateVariables: mapped(value) });
		expect(account.here.sent).toMatchObject([
			{ template: { variables: { body: { '1': 'Jane    Doe', '2': '7' } } } },
		]);
	});
});

describe('the result of a run', () => {
	const invalid = { json: { to: '555' } };
	const continuing = { nodeSettings: { onError: 'continueRegularOutput' } } as const;

	it('is its output, without a hint', async () => {
		const { items, hints } = await account.testbed.run(toEach, {
			input: [...people(2), invalid],
			...continuing,
		});
		expect(items).toHaveLength(3);
		expect(hints).toEqual([]);
	});

	it.each([
		['2 messages', people(2)],
		['1 message', [...people(1), invalid]],
	])('of a Dry Run names what a real run would send: %s', async (expected, input) => {
		const parameters = { ...toEach, options: { dryRun: true } };
		const { hints } = await account.testbed.run(parameters, { input, ...continuing });
		const message = `Nothing was sent. A real run would send ${expected}. Meta charges for each one.`;
		expect(hints).toEqual([expect.objectContaining({ type: 'warning', message })]);
		expect(account.recipients).toEqual([]);
	});
});

describe('nobody gets a message twice', () => {
	const afterWrite = { method: 'POST', nth: 1 } as const;

	it.each([false, true])('Continue: %s', async (continues) => {
		account.testbed.service.faults.add({
			when: { method: 'POST', nth: 2 },
			fault: { kind: 'resetAfter' },
		});
		const { items, error } = await account.runAtOnce(
			{ ...toEach, options: { maxConcurrency: 1 } },
			{
				input: people(4),
				...(continues && { nodeSettings: { onError: 'continueRegularOutput' } }),
			},
		);
		const sent = people(4).map(({ json }) => json.to);
		expect(account.recipients).toEqual(continues ? sent : sent.slice(0, 2));
		if (continues) {
			expect(items?.map(({ json }) => 'error' in json)).toEqual([false, true, false, false]);
		} else {
			expect(textOf(error)).toContain('The message may have been sent.');
			expect(textOf(error)).toContain('Done: item 0.');
		}
	});

	it('starts no message after the execution was canceled, and says what may have been sent', async () => {
		const cancel = new AbortController();
		account.testbed.service.faults.add({
			when: afterWrite,
			fault: { kind: 'stall', handled: true },
		});
		const stopListening = account.testbed.service.onRequest(({ body }) => {
			if (body !== undefined) cancel.abort();
		});
		const { run, items, error } = await account.runAtOnce(
			{ ...toEach, options: { maxConcurrency: 1 } },
			{ input: people(3), signal: cancel.signal },
		);
		stopListening();
		expect(run?.status).toBe('canceled');
		expect(items).toEqual([]);
		expect(account.recipients).toEqual(['14155551000']);
		expect(textOf(error)).toBe(
			'The execution was canceled: A request was on its way, and the service may have done it. Unknown: item 0.',
		);
	});

	it('sends two equal items as two messages, one after the other, and says so', async () => {
		account.testbed.service.faults.add({
			when: { method: 'POST' },
			fault: { kind: 'delay', ms: 20 },
		});
		const { items, hints } = await account.testbed.run(order, {
			input: [{ json: {} }, { json: {} }],
		});
		expect(items).toHaveLength(2);
		expect(account.testbed.service.maxInFlight).toBe(1);
		expect(account.recipients).toEqual(['14155552671', '14155552671']);
		expect(JSON.stringify(hints)).toContain('1 of 2 messages repeat another one');
	});
});

describe('a refusal says what to do', () => {
	it.each([
		['SEND_BLOCKED', 'Meta does not let this account start conversations', 'Payment issue'],
		['TEMPLATE_PARAMS_REJECTED', 'cannot use the values', 'Meta rejected the template parameters'],
		['RECIPIENT_NOT_REACHABLE', 'cannot use the values', 'cannot receive WhatsApp messages'],
		['WHATSAPP_SEND_FAILED', titleOf('422'), 'rejected the message'],
		['MEDIA_UPLOAD_FAILED', 'cannot use the values', 'header media'],
	] as const)('%s', async (templateSend, title, nextStep) => {
		account.set({ templateSend });
		const { error } = await account.runAtOnce(order);
		expect(error?.message).toContain(title);
		expect(error?.description).toContain(nextStep);
		expect(textOf(error)).not.toContain('may have');
		expect(account.sent).toHaveLength(2);
	});

	it('names a variable as the panel does if only the service knows the template', async () => {
		const when = { method: 'GET' };
		account.testbed.service.faults.add({ when, fault: { kind: 'status', status: 500 } });
		const variablesJson = '{"header": {"1": "#1"}, "body": {"1": "Jane"}}';
		const { error } = await account.runAtOnce({ ...order, options: { variablesJson } });
		expect(textOf(error)).toContain('(missing: body 2)');
	});

	it('names a button that needs a value', async () => {
		const buttons = [{ type: 'OTP', text: 'Copy code' }];
		account.here.accounts[0].templates[0].components.push({ type: 'BUTTONS', buttons });
		const { error } = await account.testbed.run(order);
		expect(error?.message).toBe('The template has a button that needs a value');
		expect(account.recipients).toEqual([]);
	});

	it('names variables that are missing', async () => {
		const options = { variablesJson: '{"header": {"1": "#1"}, "body": {"1": "Jane"}}' };
		const { error } = await account.testbed.run({ ...order, template: typed, options });
		expect(textOf(error)).toContain('The template needs more variables');
		expect(textOf(error)).toContain('also needs Body 2.');
	});

	it('without a connection to WhatsApp', async () => {
		account.here.accounts.length = 0;
		const { error } = await account.testbed.run(order);
		expect(textOf(error)).toContain('The chatbot is not connected to WhatsApp');
	});
});

describe('Dry Run', () => {
	it('returns the text as the customer would read it, and sends nothing', async () => {
		const { items } = await account.testbed.run({ ...order, options: { dryRun: true } });
		expect(account.sent).toEqual([list]);
		expect(items).toMatchObject([
			{
				json: {
					status: 'wouldSend',
					to: '14155552671',
					from: '14155552672',
					template: 'order_update',
					language: 'en_US',
					variables,
					text: 'Order #1042\nHi Jane, it arrives on Friday.\nAcme',
				},
			},
		]);
	});
});
