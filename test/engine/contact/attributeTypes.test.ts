import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { automatic, chatbotId, mapped } from '../parameters';
import { useTestbed } from '../testbed';
import { attributeField } from './people';

/** Values are compared by the types that the attributes of the chatbot have now. */
const testbed = useTestbed({ resource: 'contact' });

beforeEach(() => {
	const { store } = testbed.service;
	store.addAttributes('bot', { plan: 'text', seats: 'number', active: 'boolean', since: 'date' });
	store.addAttribute('bot', { name: 'old', type: 'text', archived: true });
});

const schema = [
	attributeField('plan', 'string'),
	attributeField('seats', 'number'),
	attributeField('active', 'boolean'),
	attributeField('since', 'dateTime'),
	attributeField('old', 'string'),
	attributeField('moon', 'string'),
];
/** The attributes, mapped one by one, from columns, and as JSON. */
const ways: Array<[string, (attributes: IDataObject) => INodeParameters]> = [
	[
		'mapped',
		(attributes) => {
			const entries = Object.entries(attributes);
			const values = entries.map(([name, value]) => [`custom_attributes.${name}`, value]);
			return mapped({ external_id: 'a', ...Object.fromEntries(values) }, schema);
		},
	],
	['mapped automatically', () => automatic(schema)],
	[
		'given as JSON',
		(attributes) => ({
			...mapped({ external_id: 'a' }),
			additionalFields: { customAttributesJson: JSON.stringify(attributes) },
		}),
	],
];

function add(custom_attributes: IDataObject) {
	testbed.service.store.addContact('bot', {
		external_id: 'a',
		custom_attributes: custom_attributes as never,
	});
}

const stored = () => testbed.service.store.contact('bot', 'a')?.custom_attributes;
const writes = () => testbed.service.requests.filter(({ method }) => method !== 'GET');

describe.each(ways)('an attribute that is %s', (_, parametersFor) => {
	const run = async (attributes: IDataObject, options: IDataObject = {}) => {
		const result = await testbed.run(
			{ operation: 'upsert', chatbotId, ...parametersFor(attributes), options } as INodeParameters,
			{ input: [{ external_id: 'a', custom_attributes: attributes }] },
		);
		expect(result.error).toBeUndefined();
		return result.items[0].json;
	};

	it.each([
		['2026-09-01', '2026-09-01T00:00:00Z'],
		['2026-09-01T00:00:00.000Z', '2026-09-01'],
		['42', '42.0'],
		['pro', 'Pro'],
	])('is written when a text changes from %s to %s', async (before, after) => {
		add({ plan: before });
		expect(await run({ plan: after })).toMatchObject({ _sync: { action: 'updated' } });
		expect(stored()).toEqual({ plan: after });
		expect(await run({ plan: after })).toMatchObject({ _sync: { action: 'unchanged' } });
	});

	it('is not written again the next night', async () => {
		add({});
		const attributes = { seats: 3, active: true, since: '2026-09-01T10:00:00.250+02:00' };
		expect(await run(attributes)).toMatchObject({ _sync: { action: 'updated' } });
		expect(await run(attributes)).toMatchObject({ _sync: { action: 'unchanged' } });
		expect(writes()).toHaveLength(1);
	});

	it.each(['moon', 'old'])('is named as dropped, and not sent, when it is %s', async (name) => {
		add({ plan: 'free' });
		const attributes = { plan: 'free', [name]: 'Io' };
		const dropped = [`custom_attributes.${name}`];
		for (const options of [{ dryRun: true }, {}, {}]) {
			const { _sync } = await run(attributes, options);
			expect(_sync).toMatchObject({ action: 'unchanged', dropped });
		}
		expect(writes()).toEqual([]);
		expect(await run({ ...attributes, plan: 'pro' })).toMatchObject({
			_sync: { action: 'updated', changed: ['custom_attributes.plan'], dropped },
		});
		expect(stored()).toEqual({ plan: 'pro' });
	});

	it('is sent when the attributes cannot be listed', async () => {
		testbed.service.behaviour.endpoints = 'withoutAttributeList';
		testbed.service.store.addAttribute('bot', { name: 'moon', type: 'text' });
		add({});
		expect(await run({ moon: 'Io' })).toMatchObject({ _sync: { action: 'updated' } });
		expect(stored()).toEqual({ moon: 'Io' });
	});
});

it.each(['merge', 'replace'])(
	'names the archived values that a replacing service drops when unmapped ones mean %s',
	async (customAttributesMode) => {
		Object.assign(testbed.service.behaviour, { attributesOnPatch: 'replace' });
		add({ plan: 'free', seats: 3, old: 'Io' });
		const { items } = await testbed.run({
			operation: 'upsert',
			chatbotId,
			...mapped({ external_id: 'a', 'custom_attributes.plan': 'pro' }, schema),
			options: { customAttributesMode },
		});
		expect(items[0].json._sync).toMatchObject({ dropped: ['custom_attributes.old'] });
	},
);

it('costs no read of the attributes when no item sets one', async () => {
	add({ plan: 'free' });
	await testbed.run({ operation: 'upsert', chatbotId, ...mapped({ external_id: 'a', name: 'A' }) });
	expect(testbed.service.requests.map(({ method }) => method)).toEqual(['GET', 'PATCH']);
});
