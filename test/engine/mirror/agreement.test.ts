/** What the items of a mirror must agree about: it deletes what is missing, once for all of them. */
import type { GenericValue, INodeParameters } from 'n8n-workflow';

import { byId } from '../testbed';
import { mirrors, rows, useMirror } from './mirrors';

/** Two values of each setting of a run. */
const settings: Record<string, [GenericValue, GenericValue]> = {
	'options.output': ['all', 'summary'],
	'options.onFailedItems': ['stop', 'finish'],
	'options.maxConcurrency': [5, 1],
	'options.maxMissing': [1, 2],
	dryRun: [false, true],
	onMissing: ['delete', 'report'],
};

function withSetting(name: string, value: unknown): INodeParameters {
	const [collection, field] = name.split('.');
	return (field ? { [collection]: { [field]: value } } : { [name]: value }) as INodeParameters;
}

describe.each(mirrors)('the settings of a mirror of %s', (_, kind) => {
	const world = useMirror(kind);
	const { testbed } = world;
	const different = /^Items use different settings/;
	const items = rows('a', 'b').map((row) => ({ ...row, value: 'new' }));

	// One of them is missing from the input.
	beforeEach(async () => await world.settle('a', 'b', 'gone'));

	describe.each(Object.entries(settings))('%s', (name, values) => {
		const parameters = withSetting(name, '={{ $json.setting }}');

		it.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
			'must not differ between items: %s',
			async (onError) => {
				const input = items.map((item, index) => ({ ...item, setting: values[index] }));
				const { error, outputs } = await world.run(input, parameters, {
					nodeSettings: { onError },
				});
				const said = [error?.message, ...outputs.flat().map(({ json }) => json.error)];
				const failures = said.filter((text) => text !== undefined);
				expect(failures.length).toBeGreaterThan(0);
				for (const text of failures) expect(text).toMatch(different);
				expect(testbed.writes).toEqual([]);
			},
		);

		it('may have another form', async () => {
			const [value] = values;
			const input = items.map((item, index) => ({
				...item,
				setting: index === 1 ? String(value) : value,
			}));
			const { error } = await world.run(input, parameters);
			expect(error).toBeUndefined();
			expect(testbed.writes.length).toBeGreaterThan(0);
		});
	});

	it('must name one chatbot', async () => {
		testbed.service.store.addChatbot({ id: 'second' });
		const input = items.map((item, index) => ({ ...item, bot: ['bot', 'second'][index] }));
		const { error } = await world.run(input, { chatbotId: byId('={{ $json.bot }}') });
		expect(error?.message).toMatch(different);
		expect(testbed.sent).toEqual([]);
	});

	it('must name one credential', async () => {
		const { apiKey, baseUrl } = testbed.service;
		const input = items.map((item, index) => ({ ...item, key: [apiKey, 'another'][index] }));
		const credentials = { chatbaseV1Api: { apiKey: '={{ $json.key }}', baseUrl } };
		const { error } = await world.run(input, {}, { credentials });
		expect(error?.message).toMatch(different);
		expect(testbed.sent).toEqual([]);
	});
});
