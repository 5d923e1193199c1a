import { chatbotId, contactId, mapped } from '../parameters';
import { useTestbed } from '../testbed';

/** Updates of one contact in one run, and writes of others meanwhile. */
const testbed = useTestbed({ resource: 'contact', operation: 'update' });

beforeEach(() => {
	testbed.service.store.addAttributes('bot', { plan: 'text', city: 'text', team: 'text' });
});

const stored = (id: string) => testbed.service.store.contact('bot', id);
const attributes = { additionalFields: { customAttributesJson: '={{ $json.attributes }}' } };
const nothingMapped = mapped({});
const inTeamRed = { external_id: 'a', custom_attributes: { team: 'red' } };

describe.each(['merge', 'replace'] as const)('when the service means %s', (mode) => {
	beforeEach(() => {
		testbed.service.behaviour.attributesOnPatch = mode;
	});

	it('keeps the values of both items about one contact', async () => {
		testbed.service.store.addContact('bot', inTeamRed);
		const { items } = await testbed.succeed(
			{ chatbotId, contactId, ...nothingMapped, ...attributes },
			{
				input: [
					{ id: 'a', attributes: { plan: 'pro' } },
					{ id: 'a', attributes: { city: 'Bonn' } },
					{ id: 'a', attributes: { plan: 'free' } },
				],
			},
		);
		expect(stored('a')?.custom_attributes).toEqual({ team: 'red', plan: 'free', city: 'Bonn' });
		expect(items.map(({ json }) => json.custom_attributes)).toEqual([
			{ team: 'red', plan: 'pro' },
			{ team: 'red', plan: 'pro', city: 'Bonn' },
			{ team: 'red', plan: 'free', city: 'Bonn' },
		]);
	});

	it('uses the new ID when an earlier item has changed it', async () => {
		testbed.service.store.addContact('bot', inTeamRed);
		const { items } = await testbed.run(
			{
				chatbotId,
				contactId,
				...mapped({ external_id: '={{ $json.newId }}' }),
				...attributes,
			},
			{
				input: [
					{ id: 'a', newId: 'b', attributes: { plan: 'pro' } },
					{ id: 'b', attributes: { city: 'Bonn' } },
				],
			},
		);
		expect(items).toHaveLength(2);
		expect(stored('b')?.custom_attributes).toEqual({ team: 'red', plan: 'pro', city: 'Bonn' });
	});

	it('keeps values that somebody else writes during a long run', async () => {
		const count = 60;
		const { service } = testbed;
		for (let index = 0; index < count; index++) {
			service.store.addContact('bot', {
				external_id: `p-${index}`,
				custom_attributes: { team: 'red', plan: 'free' },
			});
		}
		// After the first update, somebody else changes the team of all contacts.
		testbed.meanwhile('PATCH', () => {
			for (let index = 10; index < count; index++) {
				const contact = stored(`p-${index}`)!;
				service.store.chatbot('bot').contacts.change(contact, {
					custom_attributes: { ...contact.custom_attributes, team: 'blue' },
				});
			}
		});
		await testbed.succeed(
			{ chatbotId, contactId, ...nothingMapped, ...attributes },
			{
				input: Array.from({ length: count }, (_, index) => ({
					id: `p-${index}`,
					attributes: { plan: 'pro' },
				})),
			},
		);
		expect(service.maxInFlight).toBeLessThanOrEqual(5);
		for (let index = 10; index < count; index++) {
			expect(stored(`p-${index}`)?.custom_attributes).toEqual({ team: 'blue', plan: 'pro' });
		}
	});
});
