import { chatbotId, mapped } from '../parameters';
import { succeeded, useTestbed } from '../testbed';

/** Values from Extra Fields JSON. */
const testbed = useTestbed({ resource: 'contact', operation: 'upsert', chatbotId });

beforeEach(() => {
	testbed.service.store.addContact('bot', { external_id: 'a', name: 'Ada', email: 'a@x.example' });
});

const stored = () => testbed.service.store.contact('bot', 'a');
/** Contact Fields have only the ID. */
const extra = (extraFieldsJson: string) => ({
	...mapped({ external_id: 'a' }),
	additionalFields: { extraFieldsJson },
});

describe('an empty list in Extra Fields JSON', () => {
	const run = async (tags: string) => {
		const result = await testbed.run(extra(`{ "tags": ${tags} }`));
		return succeeded(result).items[0].json;
	};

	it('is neither written nor called dropped when the contact has none', async () => {
		for (const tags of ['[]', '[]']) {
			const { _sync } = await run(tags);
			expect(_sync).toEqual({ action: 'unchanged' });
		}
		expect(testbed.writes).toEqual([]);
	});

	it('is sent when the contact has entries, and named as dropped when the service keeps them', async () => {
		Object.assign(stored()!, { tags: ['vip'] });
		expect((await run('[]'))._sync).toMatchObject({ changed: ['tags'], dropped: ['tags'] });
		expect(testbed.writes.map(({ body }) => body)).toEqual([{ data: { tags: [] } }]);
	});
});

it.each([
	['a list', '={{ ["b"] }}'],
	['no part of a path', '..'],
])('uses the External ID of Extra Fields JSON when the mapped one is %s', async (_, id) => {
	const { items } = await testbed.succeed({
		...extra('{ "external_id": "a" }'),
		...mapped({ external_id: id, name: 'New' }),
	});
	expect(items[0].json).toMatchObject({ external_id: 'a', name: 'New' });
	expect(stored()?.name).toBe('New');
});

it('sends nothing when JSON has only undefined', async () => {
	const { items } = await testbed.run(extra('={{ { name: $json.none, email: $json.none } }}'));
	expect(items[0].json._sync).toMatchObject({ action: 'unchanged' });
	expect(testbed.writes).toEqual([]);
});

it('refuses null for all custom attributes', async () => {
	const { error } = await testbed.run(extra('{ "custom_attributes": null }'));
	expect(error?.message).toBe('custom_attributes in Extra Fields JSON is not an object');
	expect(testbed.service.requests).toEqual([]);
});
