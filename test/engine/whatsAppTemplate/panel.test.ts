import type { INodePropertyOptions } from 'n8n-workflow';

import { Chatbase } from '../../../nodes/Chatbase/Chatbase.node';
import { byId } from '../testbed';
import { chosen, openAccount, orderUpdate } from './account';

/** What the panel of Send offers. */
const account = openAccount('send');

const parameters = {
	resource: 'whatsAppTemplate',
	operation: 'send',
	chatbotId: byId('bot'),
};
const templates = async (filter?: string) =>
	(await account.testbed.engine.listSearch('searchTemplates', { parameters, filter })).results;
const fieldsFor = async (template: object, options = {}) =>
	await account.testbed.engine.resourceMapping('mapTemplateVariables', {
		parameters: { ...parameters, template: { ...template }, options },
	});
const labels = async (template: object, options = {}) =>
	(await fieldsFor(template, options)).fields.map(({ id, displayName }) => [id, displayName]);

const named = {
	...orderUpdate,
	name: 'appointment',
	parameterFormat: 'NAMED' as const,
	variables: { body: ['first_name', 'day'] },
	components: [
		{ type: 'HEADER', format: 'IMAGE' },
		{
			type: 'BODY',
			text: 'Hello {{ first_name }},\nwe look forward to seeing you on {{day}} in our shop.',
		},
	],
};

it('opens with Get Many, which is the only operation of a tool', () => {
	const { properties } = new Chatbase().description;
	const operation = properties.find(
		({ name, displayOptions }) =>
			name === 'operation' && displayOptions?.show?.resource?.includes('whatsAppTemplate'),
	);
	const options = operation?.options as INodePropertyOptions[];
	expect(operation?.default).toBe('getAll');
	expect(
		options.filter(({ displayOptions }) => !displayOptions?.show).map(({ value }) => value),
	).toEqual(['getAll']);
});

describe('the list of templates', () => {
	it('names language and category, and stores the account', async () => {
		expect(await templates()).toEqual([
			{ name: 'order_update (en_US), utility', value: 'order_update|en_US|waba_1' },
		]);
	});

	it('tells accounts apart by name and number', async () => {
		account.connect('waba_2', '14155552673', [orderUpdate]);
		account.connect('waba_3', '', [orderUpdate]);
		account.here.accounts[2].senders.length = 0;
		for (const { senders } of account.here.accounts.slice(0, 2)) senders[0].verifiedName = 'Acme';
		expect((await templates()).map(({ name }) => name)).toEqual([
			'order_update (en_US), utility, Acme 14155552672',
			'order_update (en_US), utility, Acme 14155552673',
			'order_update (en_US), utility, waba_3',
		]);
		expect(await templates('2673')).toHaveLength(1);
	});

	it('says that it is partial, in a search too, with an entry that chooses nothing', async () => {
		account.connect('waba_2', '14155552673', [orderUpdate]);
		account.set({ partialTemplateLists: 2 });
		const said = {
			name: 'The service could not read all WhatsApp accounts. Try again later.',
			value: '',
		};
		expect((await templates()).map(({ value }) => value)).toEqual([
			'order_update|en_US|waba_1',
			'',
		]);
		expect(await templates('refund')).toEqual([said]);
		expect(await templates('refund')).toEqual([]);
	});

	it('has no template that can not be sent', async () => {
		account.connect('waba_2', '14155552673', [
			{ ...orderUpdate, name: 'pending', status: 'PENDING' },
			...['OTP', 'COPY_CODE'].map((type) => ({
				...orderUpdate,
				name: type.toLowerCase(),
				components: [{ type: 'BUTTONS', buttons: [{ type, text: 'Copy code' }] }],
			})),
			{
				...orderUpdate,
				name: 'tracking',
				components: [
					{ type: 'BUTTONS', buttons: [{ type: 'URL', url: 'https://acme.example/{{1}}' }] },
				],
			},
		]);
		expect(await templates()).toHaveLength(1);
	});
});

describe('the fields of Template Variables', () => {
	it('are the variables of the template, named as errors name them', async () => {
		expect(await labels(chosen())).toEqual([
			['header.1', 'Header 1'],
			['body.1', 'Body 1'],
			['body.2', 'Body 2'],
		]);
	});

	it('change with the template', async () => {
		account.here.accounts[0].templates.push(named);
		expect(await labels(chosen('appointment|en_US|waba_1'))).toEqual([
			['body.first_name', 'Body first_name'],
			['body.day', 'Body day'],
		]);
	});

	it('are those of a typed name and its language', async () => {
		account.here.accounts[0].templates.push({ ...named, name: 'order_update', language: 'de' });
		const typed = { ...chosen('order_update'), mode: 'name' };
		expect(await labels(typed, { language: 'de' })).toHaveLength(2);
		expect(await labels(typed, { language: 'en_US' })).toHaveLength(3);
	});

	it('are required by the node only, since n8n would demand them beside Variables JSON', async () => {
		const { fields } = await fieldsFor(chosen());
		expect(fields.map(({ required }) => required)).toEqual([false, false, false]);
	});

	it.each([
		['an expression', '={{ $json.template }}'],
		['nothing', ''],
	])('are none for %s, without a request', async (_, value) => {
		expect((await fieldsFor(chosen(value))).fields).toEqual([]);
		expect(account.sent).toEqual([]);
	});

	it('say why there are none', async () => {
		account.here.accounts[0].templates.push({ ...named, variables: {} });
		const { emptyFieldsNotice } = await fieldsFor(chosen('appointment|en_US|waba_1'));
		expect(emptyFieldsNotice).toBe('This template has no variables.');
		expect((await fieldsFor(chosen('gone|en_US|waba_1'))).emptyFieldsNotice).toBe(
			'The template was not found. Choose one From List.',
		);
	});

	it('say that the list is partial if the template is not in it', async () => {
		account.connect('waba_2', '14155552673', [named]);
		account.set({ partialTemplateLists: 1 });
		const { emptyFieldsNotice } = await fieldsFor(chosen('appointment|en_US|waba_2'));
		expect(emptyFieldsNotice).toContain('could not read all WhatsApp accounts');
	});
});
