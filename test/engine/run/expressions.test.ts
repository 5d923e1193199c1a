/** An expression that fails is a failure of its item, in any field. */
import type { INodeParameters } from 'n8n-workflow';

import { byId, useTestbed } from '../testbed';
import { chatbotId, contactId, mapped } from '../parameters';

const testbed = useTestbed();

beforeEach(() => {
	for (const { id } of input) testbed.service.store.addContact('bot', { external_id: id });
});

const input = ['c0', 'c1', 'c2'].map((id) => ({ id }));

/** n8n reads most errors in an expression as an empty value, but not a node that does not exist. */
const failingAt = (id: string, otherwise: string) =>
	`={{ $json.id === "${id}" ? $("Nobody").item.json.x : ${otherwise} }}`;

/** Each field for an expression, with its value for the other items. */
const places: Record<string, (failing: string) => INodeParameters> = {
	'a resource locator': (failing) => ({
		resource: 'contact',
		operation: 'get',
		chatbotId,
		contactId: byId(failingAt(failing, '$json.id')),
	}),
	'a field of the mapper': (failing) => ({
		resource: 'contact',
		operation: 'update',
		chatbotId,
		contactId,
		...mapped({ name: failingAt(failing, '"New"') }),
	}),
	'a field of the mapper, in one batch': (failing) => ({
		resource: 'contact',
		operation: 'upsert',
		chatbotId,
		...mapped({ external_id: '={{ $json.id }}', name: failingAt(failing, '"New"') }),
	}),
	'an option': (failing) => ({
		resource: 'contact',
		operation: 'get',
		chatbotId,
		contactId,
		options: { onNotFound: failingAt(failing, '"error"') },
	}),
	'an option, in one batch': (failing) => ({
		resource: 'contact',
		operation: 'upsert',
		chatbotId,
		...mapped({ external_id: '={{ $json.id }}', name: 'New' }),
		options: { emptyValues: failingAt(failing, '"ignore"') },
	}),
	'a plain field': (failing) => ({
		resource: 'chat',
		operation: 'send',
		chatbotId,
		message: failingAt(failing, '"Hello"'),
	}),
};
const table = Object.entries(places).flatMap(([place, parametersOf]) =>
	[0, 1, 2].map((item) => [place, item, parametersOf(input[item].id)] as const),
);
const words = "Referenced node doesn't exist";

describe.each(table)('%s, item %d', (_, failing, parameters) => {
	it('ends the run before any request in Stop mode', async () => {
		const { error, items } = await testbed.run(parameters, { input });
		expect(error).toMatchObject({ message: words, context: { itemIndex: failing } });
		expect(items).toEqual([]);
		expect(testbed.sent).toEqual([]);
	});

	it('fails alone when the regular output is used', async () => {
		const { items } = await testbed.succeed(parameters, {
			input,
			nodeSettings: { onError: 'continueRegularOutput' },
		});
		expect(items.map(({ json, pairedItem }) => [typeof json.error, pairedItem])).toEqual(
			input.map((__, item) => [item === failing ? 'string' : 'undefined', { item }]),
		);
		expect(items[failing].json.error).toContain(words);
	});

	it('fails alone when the error output is used', async () => {
		const { outputs } = await testbed.succeed(parameters, {
			input,
			nodeSettings: { onError: 'continueErrorOutput' },
		});
		expect(outputs[0].map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2].filter((item) => item !== failing).map((item) => ({ item })),
		);
		expect(outputs[1]).toMatchObject([
			{
				json: { id: input[failing].id, error: expect.stringContaining(words) },
				pairedItem: { item: failing },
			},
		]);
	});
});
