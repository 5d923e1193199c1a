/** A list in which one template is odd: the others stay as they are. */
import type { INodeParameters } from 'n8n-workflow';

import type { WhatsAppTemplate } from '../../../service';
import { byId } from '../testbed';
import { chosen, mapped, openAccount, orderUpdate, orderValues } from './account';

const account = openAccount('send');

const order = { template: chosen(), to: '14155552671', templateVariables: mapped(orderValues) };
const all = { operation: 'getAll', returnAll: true, simplify: false };
const fixed = { resource: 'whatsAppTemplate', operation: 'send', chatbotId: byId('bot') };

const parts = orderUpdate.components;
const oddities: Array<[string, object]> = [
	['components', { components: null }],
	['component', { components: [null, ...parts] }],
	['text', { components: [{ type: 'BODY', text: null }] }],
	['type of a component', { components: [{ type: null, text: 'Hi' }] }],
	['buttons', { components: [{ type: 'BUTTONS', buttons: null }] }],
	['button', { components: [{ type: 'BUTTONS', buttons: [null] }] }],
	[
		'address and type of a button',
		{ components: [{ type: 'BUTTONS', buttons: [{ url: null, type: null }] }] },
	],
	['variables', { variables: null }],
	['variables of the header', { variables: { header: null, body: ['1'] } }],
	['key of a variable', { variables: { body: [null] } }],
	['category', { category: null }],
	['language', { language: null }],
	['name', { name: null }],
];

describe.each(oddities)('null as %s of another template', (_, oddity) => {
	beforeEach(() => {
		const odd = { ...orderUpdate, name: 'odd', ...oddity } as unknown as WhatsAppTemplate;
		account.here.accounts[0].templates.unshift(odd);
	});

	it('leaves Send as it is', async () => {
		await account.testbed.succeed(order);
		expect(account.recipients).toEqual(['14155552671']);
	});

	it('leaves Get Many complete', async () => {
		const { items } = await account.testbed.succeed(all);
		expect(items).toHaveLength(2);
		expect(items[0].json).toMatchObject(oddity);
		expect(items[1].json).toMatchObject({ name: 'order_update', isSendable: true });
	});

	it('leaves the list in the panel and the fields of the template', async () => {
		const parameters: INodeParameters = { ...fixed, template: chosen() };
		const { results } = await account.testbed.engine.listSearch('searchTemplates', { parameters });
		expect(results).toContainEqual({
			name: expect.stringMatching(/^order_update \(en_US\), utility/) as string,
			value: 'order_update|en_US|waba_1',
		});
		const mapper = await account.testbed.engine.resourceMapping('mapTemplateVariables', {
			parameters,
		});
		expect(mapper.fields).toHaveLength(3);
	});
});

it('a template without readable variables leaves them to the service', async () => {
	const [template] = account.here.accounts[0].templates;
	const { service } = account.testbed;
	const listed = { ...template, variables: null, wabaId: 'waba_1' };
	service.faults.add({
		when: { method: 'GET' },
		fault: { kind: 'otherShape', body: { templates: [listed], complete: true } },
	});
	await account.testbed.run(order);
	expect(account.recipients).toEqual(['14155552671']);
});

it('an entry that is no template makes the list partial', async () => {
	account.testbed.service.faults.add({
		when: { method: 'GET' },
		fault: { kind: 'otherShape', body: { templates: [null], complete: true } },
	});
	const { error } = await account.runAtOnce(all);
	expect(error?.message).toBe('The list of templates is not complete');
	await account.testbed.succeed(order);
	expect(account.recipients).toEqual(['14155552671']);
});
