import type { INodeParameters } from 'n8n-workflow';

import { chatbotId, mapped } from '../parameters';
import { useTestbed } from '../testbed';
import { goOn } from './rows';

/** External IDs that no path can name, and numbers whose digits have changed. */
const testbed = useTestbed({ resource: 'contact' });

beforeEach(() => {
	testbed.service.store.addAttribute('bot', { name: 'plan', type: 'text' });
	testbed.service.store.addContact('bot', { external_id: 'a' });
});

describe('an External ID', () => {
	it.each(['create', 'upsert'])(
		'is refused by %s when it is blank or a path, in any field',
		async (operation) => {
			const input = [' ', '\t', '.', '..', null, {}].flatMap((id) => [
				{ id, cell: 1 },
				{ extra: { external_id: id } },
			]);
			const { items } = await testbed.run(
				{
					operation,
					chatbotId,
					...mapped({ external_id: '={{ $json.id }}', name: 'New' }),
					additionalFields: { extraFieldsJson: '={{ $json.extra }}' },
				},
				{ input: input as never, ...goOn },
			);
			for (const { json } of items) expect(json.error).toMatch(/^External ID is/);
			expect(testbed.service.requests).toEqual([]);
		},
	);

	it.each([' ', '..'])('is refused as a new ID when it is %p', async (id) => {
		for (const parameters of [
			mapped({ external_id: id }),
			{ ...mapped({}), additionalFields: { extraFieldsJson: JSON.stringify({ external_id: id }) } },
		]) {
			const { error } = await testbed.run({
				operation: 'update',
				chatbotId,
				contactId: { __rl: true, mode: 'id', value: 'a' },
				...parameters,
			} as INodeParameters);
			expect(error?.message).toMatch(/^External ID is/);
		}
		expect(testbed.service.requests).toEqual([]);
	});
});

it.each<[string, INodeParameters]>([
	['an ID', mapped({ external_id: '={{ 12345678901234567 }}' })],
	[
		'JSON',
		{
			...mapped({ external_id: 'a' }),
			additionalFields: { customAttributesJson: '{ "plan": 12345678901234567 }' },
		},
	],
	[
		'nested JSON',
		{
			...mapped({ external_id: 'a' }),
			additionalFields: {
				extraFieldsJson: '{ "custom_attributes": { "plan": 12345678901234567 } }',
			},
		},
	],
	[
		'an attribute of unknown type',
		mapped({ external_id: 'a', custom_attributes: '{ "plan": 12345678901234567 }' }),
	],
])(
	'a number of 17 digits is refused in %s, because its digits have changed',
	async (_, parameters) => {
		for (const endpoints of ['all', 'withoutAttributeList'] as const) {
			testbed.service.behaviour.endpoints = endpoints;
			const { error } = await testbed.run({ operation: 'upsert', chatbotId, ...parameters });
			expect(error?.message).toMatch(/is not text|too many digits|doesn't fit/);
		}
		expect(testbed.writes).toEqual([]);
	},
);
