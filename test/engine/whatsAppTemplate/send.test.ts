import type { INodeParameters } from 'n8n-workflow';

import { harmless } from '../faults/harmless';
import { byId, succeeded } from '../testbed';
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
					messageId: message.messageId,
					conversationId: message.conversationId,
					to: '14155552671',
					template: 'order_update',
					language: 'en_US',
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
		[
			'has a button that needs a value',
			{
				components: [
					{ type: 'BUTTONS', buttons: [{ type: 'URL', url: 'https://acme.example/{{1}}' }] },
				],
			},
			'The template has a button that needs a value',
		],
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

	it('may be in an account that the service could not read', async () => {
		account.connect('waba_2', '14155552673', []);
		account.here.accounts.reverse();
		account.set({ partialTemplateLists: 1 });
		const { error } = await account.testbed.run(order);
		expect(textOf(error)).toContain('could not read all WhatsApp accounts');
		expect(account.recipients).toEqual([]);
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
			"From is not a number of the template: Item 0: Numbers of the template's account: 14155552672.",
		);
		expect(account.recipients).toEqual([]);
	});

	it('refuses to send from the other one if the chosen one has no number', async () => {
		account.here.accounts[0].senders.length = 0;
		const { error } = await account.testbed.run(order);
		expect(textOf(error)).toContain("Numbers of the template's account: none.");
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
	it('needs no look at the list', async () => {
		await account.testbed.run({ ...order, template: typed, options: { language: 'en_US' } });
		expect(account.sent).toEqual([[post, { ...sentOrder, from: undefined }]]);
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
		['a number with letters', { to: '+1 415 ACME' }, 'To is not a phone number'],
		['a short number', { to: '555267' }, 'To is not a phone number'],
		['an empty number', { to: ' ' }, 'To is not a phone number'],
		['a From with letters', { options: { from: 'Acme' } }, 'From is not a phone number'],
		['no template', { template: chosen('={{ $json.nothing }}') }, 'Template is empty'],
		...(
			[
				['an empty variable', '', 'Body 1 is empty'],
				['a variable of spaces', '  ', 'Body 1 is empty'],
				['an expression without a value', '={{ $json.nothing }}', 'Body 1 is empty'],
				['a line break', 'Jane\nDoe', 'Body 1 contains a line break'],
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
		[
			'JSON of another form',
			{ options: { variablesJson: '{"body": "Jane"}' } },
			'Variables JSON: body is not valid JSON',
		],
		['broken JSON', { options: { variablesJson: '{' } }, 'Variables JSON is not valid JSON'],
	])('refuses %s', async (_, change, expected) => {
		const { error } = await account.testbed.run({ ...order, ...change });
		expect(error?.message).toContain(expected);
		expect(account.sent).toEqual([]);
	});

	it('takes four spaces and numbers', async () => {
		const value = { ...orderValues, 'body.1': 'Jane    Doe', 'body.2': 7 };
		await account.testbed.run({ ...order, templateVariables: mapped(value) });
		expect(account.here.sent).toMatchObject([
			{ template: { variables: { body: { '1': 'Jane    Doe', '2': '7' } } } },
		]);
	});

	it("refuses n8n's Retry On Fail, which would send all messages again", async () => {
		const { error } = await account.testbed.run(order, {
			nodeSettings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
		});
		expect(error?.message).toContain('Turn off Retry On Fail');
		expect(account.sent).toEqual([]);
	});
});

describe('nobody gets a message twice', () => {
	const afterWrite = { method: 'POST', nth: 1 } as const;

	it.each([
		['a lost response', { kind: 'resetAfter' }],
		['a 500 after the message', { kind: 'status', status: 500, handled: true }],
		['a 502 of a proxy', { kind: 'status', status: 502, body: '<html></html>', handled: true }],
		['a 503', { kind: 'status', status: 503, body: '', handled: true }],
		['a timeout', { kind: 'stall', handled: true }],
		['another shape', { kind: 'otherShape', body: { ok: true }, handled: true }],
	] as const)('after %s, and the error says that it may have been sent', async (_, fault) => {
		account.testbed.service.faults.add({ when: afterWrite, fault });
		const { error } = await account.runAtOnce(order);
		expect(account.recipients).toEqual(['14155552671']);
		expect(textOf(error)).toContain('The message may have been sent.');
	});

	it.each(harmless)('but is sent again after %s, which did nothing', async (_, fault) => {
		account.testbed.service.faults.add({ when: afterWrite, fault });
		succeeded(await account.runAtOnce(order));
		expect(account.recipients).toEqual(['14155552671']);
	});

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
			expect(textOf(error)).toContain('Done before the run stopped: item 0.');
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
			'The execution was canceled: A request was on its way, and the service may have done it.',
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
		['TEMPLATE_PARAMS_REJECTED', 'Meta rejected the variables', ''],
		['RECIPIENT_NOT_REACHABLE', 'cannot receive WhatsApp messages', ''],
		['WHATSAPP_SEND_FAILED', 'WhatsApp rejected the message', 'was not sent'],
		['MEDIA_UPLOAD_FAILED', 'header of the template', 'was not sent'],
	] as const)('%s', async (templateSend, title, nextStep) => {
		account.set({ templateSend });
		const { error } = await account.runAtOnce(order);
		expect(error?.message).toContain(title);
		expect(error?.description).toContain(nextStep);
		expect(textOf(error)).not.toContain('may have');
		expect(account.sent).toHaveLength(2);
	});

	it('names variables as the panel does', async () => {
		const options = { variablesJson: '{"header": {"1": "#1"}, "body": {"1": "Jane"}}' };
		const { error } = await account.testbed.run({ ...order, template: typed, options });
		expect(textOf(error)).toContain('The template needs more variables');
		expect(textOf(error)).toContain('(missing: body 2)');
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
					to: '14155552671',
					from: '14155552672',
					template: 'order_update',
					text: 'Order #1042\nHi Jane, it arrives on Friday.\nAcme',
				},
			},
		]);
	});

	it('fails for a typed template that is not in the list', async () => {
		const template = { ...typed, value: 'order' };
		const { error } = await account.testbed.run({ ...order, template, options: { dryRun: true } });
		expect(textOf(error)).toContain('The list has no template "order".');
	});

	it('fails for a typed template of several languages', async () => {
		account.here.accounts[0].templates.push({ ...orderUpdate, language: 'de' });
		const { error } = await account.testbed.run({
			...order,
			template: typed,
			options: { dryRun: true },
		});
		expect(textOf(error)).toContain('There are several templates "order_update".');
	});
});

it('is refused as a tool, in words', async () => {
	const { records } = await account.testbed.callTool({ chatbotId: byId('bot'), ...order }, {});
	expect(JSON.stringify(records)).toContain('Send does not work as a tool');
	expect(account.sent).toEqual([]);
});
