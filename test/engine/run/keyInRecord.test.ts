/** A record in which the service repeats the key stays as it is; an error that quotes the record hides the key. */
import { chatbotId, contactId, mapped } from '../parameters';
import { useTestbed } from '../testbed';

const testbed = useTestbed();

const upsert = {
	resource: 'contact',
	operation: 'upsert',
	chatbotId,
	...mapped({ external_id: '={{ $json.id }}', email: 'ada@example.com' }),
};

beforeEach(() => {
	const { store, apiKey } = testbed.service;
	store.addContact('bot', { external_id: 'known', email: 'ada@example.com' });
	store.addContact('bot', { external_id: apiKey, email: 'key@example.com' });
});

it.each(['stopWorkflow', 'continueRegularOutput'] as const)(
	'an error about the contact whose ID is the key hides it: %s',
	async (onError) => {
		const { apiKey } = testbed.service;
		const { error, items } = await testbed.run(upsert, {
			input: [{ id: apiKey }],
			nodeSettings: { onError },
		});
		const shown = [error?.message, error?.description, items[0]?.json.error].join(' ');
		expect(shown).toContain('Contact [API key]: ');
		expect(shown).not.toContain(apiKey);
	},
);

describe('a warning that quotes the key hides it', () => {
	const hidden = expect.stringContaining('"[API key]\ufffd"') as string;
	const cutName = () => `${testbed.service.apiKey}\ufffd`;

	it('in a hint', async () => {
		const named = mapped({ external_id: 'new', name: '={{ $json.name }}' });
		const input = [{ name: cutName() }];
		const { hints } = await testbed.succeed({ ...upsert, ...named }, { input });
		expect(hints.map(({ message }) => message)).toContainEqual(hidden);
	});

	it('in the last record for an agent', async () => {
		const named = mapped({ external_id: 'new', name: '={{ $fromAI("name") }}' });
		const { records } = await testbed.callTool({ ...upsert, ...named }, { name: cutName() });
		expect(records).toEqual([expect.anything(), { message: hidden }]);
	});
});

it('a contact whose ID is the key is in the output as the service returns it', async () => {
	const { apiKey } = testbed.service;
	const { items } = await testbed.succeed(
		{ resource: 'contact', operation: 'get', chatbotId, contactId },
		{ input: [{ id: apiKey }] },
	);
	expect(items[0].json.external_id).toBe(apiKey);
});
