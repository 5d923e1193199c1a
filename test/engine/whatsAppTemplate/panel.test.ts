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

describe('the list of templates', () => {
	it('names language and category, and stores the account', async () => {
		expect(await templates()).toEqual([
			{ name: 'order_update (en_US), utility', value: 'order_update|en_US|waba_1' },
		]);
	});

	it('tells accounts apart by their name', async () => {
		account.connect('waba_2', '14155552673', [orderUpdate]);
		expect((await templates('WABA_2')).map(({ name }) => name)).toEqual([
			'order_update (en_US), utility, Acme waba_2',
		]);
	});

	it('has no template that can not be sent', async () => {
		account.connect('waba_2', '14155552673', [
			{ ...orderUpdate, name: 'pending', status: 'PENDING' },
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
	it('are the variables of the template, with the words around them', async () => {
		expect(await labels(chosen())).toEqual([
			['header.1', 'Header 1: Order …'],
			['body.1', 'Body 1: Hi …'],
			['body.2', 'Body 2: it arrives on …'],
		]);
	});

	it('change with the template', async () => {
		account.here.accounts[0].templates.push(named);
		expect(await labels(chosen('appointment|en_US|waba_1'))).toEqual([
			['body.first_name', 'Body first_name: Hello …'],
			['body.day', 'Body day: seeing you on …'],
		]);
	});

	it('show the words after a variable that stands first', async () => {
		const components = [{ type: 'BODY', text: '{{1}}, {{2}} is ready' }];
		Object.assign(account.here.accounts[0].templates[0], { components });
		expect((await labels(chosen())).slice(1)).toEqual([
			['body.1', 'Body 1: …, … is ready'],
			['body.2', 'Body 2: … is ready'],
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
});
