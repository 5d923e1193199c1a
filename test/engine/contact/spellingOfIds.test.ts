import type { INodeParameters } from 'n8n-workflow';

import { chatbotId, contactId, mapped } from '../parameters';
import { succeeded, useTestbed } from '../testbed';
import { byColumns, goOn, idsIn, outcomes, type Row } from './rows';

/** An External ID is compared by its cleaned form, and stays as the service has it. */
const testbed = useTestbed({ resource: 'contact' });

const store = () => testbed.service.store;
const held = () => idsIn(testbed);
const add = (...ids: string[]) =>
	ids.forEach((external_id) => store().addContact('bot', { external_id }));

const wholeList: INodeParameters = {
	manage: 'all',
	onMissing: 'delete',
	options: { maxMissing: 5 },
};
const run = async (operation: string, input: Row[], parameters: INodeParameters = {}) =>
	await testbed.run(
		{ ...byColumns, operation, dryRun: false, ...wholeList, ...parameters },
		{ input, ...goOn },
	);

const composed = 'Jos\u00e9';
const decomposed = 'Jose\u0301';

describe.each(['upsert', 'mirror'])('%s', (operation) => {
	it.each([
		['7001', '7001 '],
		['7001', "'7001"],
		['7001', '\u200e7001'],
		['7001', '="7001"'],
		[composed, decomposed],
	])('finds the contact %j by the ID %j', async (known, id) => {
		add(known);
		const { items } = await run(operation, [{ id, name: 'New' }]);
		expect(outcomes(items)).toEqual(['updated']);
		expect(items[0].json._sync).toMatchObject({ changed: ['name'] });
		expect(held()).toEqual([known]);
	});

	it('finds a contact that the service has in another spelling, and leaves its ID as it is', async () => {
		add('7001 ', 'other');
		const parameters = {
			...mapped({ external_id: '={{ $json.id }}', name: '={{ $json.name }}' }),
			matchBy: 'externalIdThenEmail',
		};
		const { items } = await run(
			operation,
			[{ id: '7001 ', name: 'New' }, { id: 'other' }],
			parameters,
		);
		expect(outcomes(items)).toEqual(['updated', 'unchanged']);
		expect(held()).toEqual(['7001 ', 'other']);
	});

	it('takes the contact of exactly this spelling, if there is one', async () => {
		add('7001', '7001 ');
		const { items } = await run(
			operation,
			[
				{ id: '7001 ', name: 'New' },
				{ id: '7001', name: 'Other' },
			].slice(0, 1),
		);
		expect(outcomes(items)[0]).toBe('updated');
		expect(store().contact('bot', '7001 ')?.name).toBe('New');
	});

	it('makes one contact of items that spell one ID differently, with the cleaned ID', async () => {
		add('other');
		const { items } = await run(operation, [{ id: 'new ' }, { id: 'n\u200bew' }, { id: 'other' }]);
		expect(outcomes(items)).toEqual(['created', 'created', 'unchanged']);
		expect(held()).toEqual(['new', 'other']);
	});

	it('changes nothing the second time', async () => {
		const input = [{ id: ' new', name: 'New' }, { id: decomposed }];
		await run(operation, input);
		expect(held()).toEqual([composed, 'new'].sort());
		const { items } = await run(operation, input);
		expect(outcomes(items)).toEqual(['unchanged', 'unchanged']);
	});
});

it('creates a contact with the cleaned ID in Create', async () => {
	succeeded(await run('create', [{ id: ` ${decomposed}` }]));
	expect(held()).toEqual([composed]);
});

it('refuses several contacts that it could mean, and quotes them, so that a space is seen', async () => {
	add('7001 ', "'7001", 'other');
	const { items } = await run('mirror', [{ id: '7001' }, { id: 'other' }]);
	expect(outcomes(items)).toEqual(
		['Several contacts have this External ID', 'unchanged', 'kept', 'kept'].slice(0, items.length),
	);
	expect(items[0].json.error).toContain('"7001 "');
	expect(held()).toEqual(['7001 ', "'7001", 'other'].sort());
});

it('gives the cleaned ID to a contact that is found by its email', async () => {
	store().addContact('bot', { external_id: 'old', email: 'a@x.example' });
	const parameters = {
		matchBy: 'externalIdThenEmail',
		options: { matchBy: 'externalIdThenEmail' },
	};
	const { items } = await run('upsert', [{ id: ' new', email: 'a@x.example' }], parameters);
	expect(outcomes(items)).toEqual(['updated']);
	expect(held()).toEqual(['new']);
});

it('is mended by New External ID of Update, which is sent cleaned', async () => {
	add('7001 ');
	const parameters = { contactId, chatbotId, ...mapped({ external_id: '={{ $json.to }}' }) };
	const { items } = await run('update', [{ id: '7001 ', to: ' 7001' }], parameters);
	expect(outcomes(items)).toEqual(['updated']);
	expect(held()).toEqual(['7001']);
});

it.each([
	['get', {}],
	['update', mapped({ name: 'New' })],
	['delete', {}],
])(
	'%s names the cleaned ID if the contact of exactly this ID is not found',
	async (operation, fields) => {
		add('7001');
		const { items } = await run(operation, [{ id: '7001 ' }], { contactId, chatbotId, ...fields });
		expect(items[0].json.error).toContain('"7001 "');
		expect(items[0].json.error).toContain('Create or Update stores this ID as "7001".');
	},
);

it('found: false comes with a hint that names the cleaned ID', async () => {
	add('7001');
	const { items, hints } = await run('get', [{ id: '7001 ' }], {
		contactId,
		chatbotId,
		options: { onNotFound: 'mark' },
	});
	expect(items[0].json).toEqual({ found: false, external_id: '7001 ' });
	expect(hints[0]?.message).toContain('stores this ID as "7001".');
});
