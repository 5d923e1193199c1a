import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { automatic, chatbotId, contactId, mapped } from '../parameters';
import { useTestbed } from '../testbed';
import { messages } from './rows';

/** Values are compared by the attributes that the chatbot has now, and only those are sent. */
const testbed = useTestbed({ resource: 'contact', operation: 'upsert', chatbotId });

const attributesPath = 'GET /chatbots/bot/custom-attributes';

beforeEach(() => {
	const { store } = testbed.service;
	store.addAttributes('bot', { plan: 'text', seats: 'number', active: 'boolean', since: 'date' });
	store.addAttribute('bot', { name: 'old', type: 'text', archived: true });
});

/** The attributes, mapped one by one, from columns, and as JSON. */
const ways: Array<[string, (attributes: IDataObject) => INodeParameters]> = [
	[
		'mapped',
		(attributes) => {
			const entries = Object.entries(attributes);
			const values = entries.map(([name, value]) => [`custom_attributes.${name}`, value]);
			return mapped({ external_id: 'a', ...Object.fromEntries(values) });
		},
	],
	['mapped automatically', () => automatic()],
	[
		'given as JSON',
		(attributes) => ({
			...mapped({ external_id: 'a' }),
			additionalFields: { customAttributesJson: JSON.stringify(attributes) },
		}),
	],
];

const add = (custom_attributes = {}) =>
	testbed.service.store.addContact('bot', { external_id: 'a', custom_attributes });
const stored = () => testbed.service.store.contact('bot', 'a')?.custom_attributes;

describe.each(ways)('an attribute that is %s', (_, parametersFor) => {
	const run = async (attributes: IDataObject, options: IDataObject = {}) => {
		const { items } = await testbed.succeed(
			{ ...parametersFor(attributes), options } as INodeParameters,
			{ input: [{ external_id: 'a', custom_attributes: attributes }] },
		);
		return items[0].json;
	};

	it('is written when it differs by its type, and not again the next night', async () => {
		add({ plan: '2026-09-01T00:00:00.000Z' });
		const attributes = {
			plan: '2026-09-01',
			seats: 3,
			active: true,
			since: '2026-09-01T10:00:00.250+02:00',
		};
		const names = Object.keys(attributes).map((name) => `custom_attributes.${name}`);
		expect(await run(attributes)).toMatchObject({ _sync: { changed: names } });
		expect(await run(attributes)).toMatchObject({ _sync: { action: 'unchanged' } });
		expect(testbed.writes).toHaveLength(1);
	});

	it.each(['moon', 'old'])('is named as dropped, and not sent, when it is %s', async (name) => {
		add({ plan: 'free' });
		const attributes = { plan: 'free', [name]: 'Io' };
		const dropped = [`custom_attributes.${name}`];
		for (const options of [{ dryRun: true }, {}, {}]) {
			const { _sync } = await run(attributes, options);
			expect(_sync).toMatchObject({ action: 'unchanged', dropped });
		}
		expect(testbed.writes).toEqual([]);
		expect(await run({ ...attributes, plan: 'pro' })).toMatchObject({
			_sync: { action: 'updated', changed: ['custom_attributes.plan'], dropped },
		});
		expect(stored()).toEqual({ plan: 'pro' });
	});

	it('is named as archived when its value differs from that of the contact', async () => {
		add({ old: 'Io' });
		const { items, hints } = await testbed.succeed(parametersFor({ old: 'Io', plan: 'a' }), {
			input: [{ external_id: 'a', custom_attributes: { old: 'Io', plan: 'a' } }],
		});
		expect(items[0].json._sync).not.toHaveProperty('dropped');
		expect(messages({ hints }).join()).not.toContain('archived');

		const other = await testbed.succeed(parametersFor({ old: 'Europa' }), {
			input: [{ external_id: 'a', custom_attributes: { old: 'Europa' } }],
		});
		expect(other.items[0].json._sync).toMatchObject({ dropped: ['custom_attributes.old'] });
		expect(messages(other)).toContain(
			'Not sent: custom_attributes.old. This attribute is archived, so it takes no value.',
		);
		expect(stored()?.old).toBe('Io');
	});

	it('is sent when the attributes cannot be listed', async () => {
		testbed.service.behaviour.endpoints = 'withoutAttributeList';
		testbed.service.store.addAttribute('bot', { name: 'moon', type: 'text' });
		add();
		expect(await run({ moon: 'Io' })).toMatchObject({ _sync: { action: 'updated' } });
		expect(stored()).toEqual({ moon: 'Io' });
	});
});

it.each(['upsert', 'update', 'mirror'])(
	'an archived attribute is emptied by Clear Field Names (%s)',
	async (operation) => {
		add({ old: 'Io', plan: 'pro' });
		const additionalFields = { clearFields: ['custom_attributes.old'] };
		const parameters = { operation, contactId, manage: 'all', additionalFields };
		const { items } = await testbed.succeed(
			{ ...parameters, ...mapped({ external_id: 'a' }) },
			{ input: [{ id: 'a' }] },
		);
		expect(items[0].json._sync).toMatchObject({ changed: ['custom_attributes.old'] });
		expect(items[0].json._sync).not.toHaveProperty('dropped');
		expect(stored()?.old ?? null).toBeNull();
		expect(stored()?.plan).toBe('pro');
	},
);

it('a column of an archived attribute fails the item with If Fields Are Dropped: Fail', async () => {
	add();
	const { error } = await testbed.run(
		{ ...automatic(), options: { onDroppedFields: 'error' } },
		{ input: [{ external_id: 'a', Old: 'x' }] },
	);
	expect(error?.message).toBe('Fields were dropped');
	expect(error?.description).toContain('Archived: custom_attributes.old.');
	expect(testbed.writes).toEqual([]);
});

it('costs no read of the attributes when no item sets one', async () => {
	add({ plan: 'free' });
	await testbed.succeed(mapped({ external_id: 'a', name: 'A' }));
	expect(testbed.service.requests.map(({ method }) => method)).toEqual(['GET', 'PATCH']);
});

describe('Set Only If Empty', () => {
	const options = { setOnlyIfEmpty: 'custom_attributes.plan, custom_attributes.paln' };
	const parameters = { ...mapped({ external_id: 'a', name: 'New' }), options };

	it('is refused when it names an attribute that does not exist', async () => {
		const { error } = await testbed.run(parameters);
		expect(error?.message).toBe('Set Only If Empty has an unknown custom attribute');
		expect(error?.description).toContain('paln');
		expect(testbed.sent).toEqual([[attributesPath]]);
	});

	it('is accepted when attributes cannot be listed', async () => {
		testbed.service.behaviour.endpoints = 'withoutAttributeList';
		await testbed.succeed(parameters);
	});
});
