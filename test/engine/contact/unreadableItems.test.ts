import { automatic, chatbotId, mapped } from '../parameters';
import { useTestbed } from '../testbed';
import { goOn } from './rows';

/** An item whose settings can't be read still means a contact: no other item gets it. */
const testbed = useTestbed({ resource: 'contact', operation: 'upsert', chatbotId });

const byHand = mapped({ external_id: '={{ $json.external_id }}', email: '={{ $json.email }}' });

it.each([
	['automatic', automatic()],
	['manual', byHand],
])('keeps its email from another item, with %s mapping', async (_, how) => {
	const { store } = testbed.service;
	store.addContact('bot', { external_id: 'old', email: 'ada@x.example' });
	const options = { setOnlyIfEmpty: '={{ $json.guard }}' };
	const input = [
		{ external_id: 'C-1', email: 'ada@x.example', guard: 'name' },
		{ email: 'Ada@x.example', guard: 'nothing that exists' },
	];
	const { items } = await testbed.run(
		{ ...how, options, matchBy: 'externalIdThenEmail' },
		{ input, ...goOn },
	);
	expect(items[1].json.error).toMatch(/^A field name is unknown/);
	expect(items[0].json.error).toMatch(/^Another item with this Email failed/);
	expect(store.contact('bot', 'old')).toBeDefined();
	expect(store.contact('bot', 'C-1')).toBeUndefined();
});

it('keeps its External ID, also one in Extra Fields JSON, from being missing in a mirror', async () => {
	const { store } = testbed.service;
	for (const external_id of ['C-1', 'C-2', 'C-3']) store.addContact('bot', { external_id });
	const { items } = await testbed.run(
		{
			operation: 'mirror',
			...mapped({ external_id: '={{ $json.id }}', name: 'Ada' }),
			additionalFields: {
				customAttributesJson: '={{ $json.attributes }}',
				extraFieldsJson: '={{ { external_id: $json.realId } }}',
			},
			manage: 'all',
			onMissing: 'report',
			dryRun: false,
		},
		{
			input: [
				{ id: 'C-1', attributes: '{}', realId: 'C-1' },
				{ id: 'C-2', attributes: 'no JSON', realId: 'C-3' },
			],
			...goOn,
		},
	);
	expect(items[1].json.error).toMatch(/^Custom Attributes JSON is not valid JSON/);
	const missing = items.slice(2).map(({ json }) => json.external_id);
	expect(missing).toEqual(['C-2']);
});
