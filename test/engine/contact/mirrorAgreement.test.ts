/** What the items of a mirror, of contacts or sources, must agree about: it deletes what is missing, once for all of them. */
import type { INodeParameters } from 'n8n-workflow';

import { automatic, chatbotId, inputOf, mapped } from '../parameters';
import { useTestbed } from '../testbed';

const testbed = useTestbed();

const mirrors: Record<string, INodeParameters> = {
	contact: {
		resource: 'contact',
		operation: 'mirror',
		chatbotId,
		manage: 'all',
		onMissing: 'delete',
		...mapped({ external_id: '={{ $json.id }}', name: 'New' }),
	},
	source: {
		resource: 'source',
		operation: 'mirror',
		chatbotId,
		name: '={{ $json.id }}',
		content: 'Words',
		namePrefix: 'c',
		onMissing: 'delete',
	},
};

/** Two values of each setting of a run. */
const settings: Record<string, [unknown, unknown]> = {
	'options.output': ['all', 'summary'],
	'options.onFailedItems': ['stop', 'finish'],
	'options.maxConcurrency': [5, 1],
	dryRun: [false, true],
	onMissing: ['delete', 'report'],
};

beforeEach(() => {
	const { store } = testbed.service;
	// One of them is missing from the input.
	for (const { id } of inputOf(3)) {
		store.addContact('bot', { external_id: id });
		store.addSource('bot', { id, name: id });
	}
});

function withSetting(name: string, value: unknown): INodeParameters {
	const [collection, field] = name.split('.');
	return (field ? { [collection]: { [field]: value } } : { [name]: value }) as INodeParameters;
}

const table = Object.keys(mirrors).flatMap((resource) =>
	Object.entries(settings).map(([name, values]) => ({ resource, name, values })),
);

describe.each(table)('a mirror of a $resource list, by its $name', ({ resource, name, values }) => {
	const input = inputOf(2).map((item, index) => ({ ...item, value: values[index] }));
	const parameters = { ...mirrors[resource], ...withSetting(name, '={{ $json.value }}') };

	it.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
		'writes and deletes nothing if it differs between items: %s',
		async (onError) => {
			const { error, outputs } = await testbed.run(parameters, {
				input: input as never,
				nodeSettings: { onError },
			});
			const said = [error?.message, ...outputs.flat().map(({ json }) => String(json.error))].filter(
				(text) => text !== undefined,
			);
			expect(said).not.toEqual([]);
			expect(said.filter((text) => !text.startsWith('Items use different settings'))).toEqual([]);
			expect(testbed.writes).toEqual([]);
		},
	);

	it('runs if it is the same in another form', async () => {
		const same = input.map((item) => ({ ...item, value: values[0] }));
		same[1].value = typeof values[0] === 'string' ? values[0] : String(values[0]);
		const { error } = await testbed.run(parameters, { input: same as never });
		expect(error).toBeUndefined();
		expect(testbed.writes.length).toBeGreaterThan(0);
	});
});

describe('an item without an External ID', () => {
	const parameters = { ...mirrors.contact, ...automatic() };

	it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'says to the other items why nothing was written: %s',
		async (onError) => {
			const { outputs } = await testbed.run(parameters, {
				input: [{ external_id: 'c0' }, { external_id: '' }],
				nodeSettings: { onError },
			});
			const said = outputs.flat().map(({ json }) => String(json.error));
			expect(said).toHaveLength(2);
			for (const text of said) expect(text).toContain('Nothing was written');
			expect(said[0].split('Nothing was written')).toHaveLength(2);
			expect(testbed.writes).toEqual([]);
		},
	);
});
