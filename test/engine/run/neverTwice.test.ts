/** What must not be done twice: both retries of n8n run all items again. */
import { resources } from '../../../nodes/Chatbase/resources';
import { goOn } from '../contact/rows';
import { addChatbots, itemFor, operations } from '../operations';
import { useTestbed } from '../testbed';

const testbed = useTestbed();

const bots = ['bot-1', 'bot-2', 'bot-3'];

beforeEach(() => addChatbots(testbed.service, bots));

const flagged = resources.flatMap(({ option, operations: all }) =>
	all.flatMap(({ value, neverTwice }) => (neverTwice ? [`${option.value} ${value}`] : [])),
);

const parametersOf = (name: string) => {
	const [resource, operation] = name.split(' ');
	return { resource, operation, ...operations[name].parameters };
};

const input = bots.map(itemFor);

/** The two ways in which n8n runs all items again. */
const retries = {
	'Retry On Fail': { nodeSettings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 } },
	'the retry of an execution': { mode: 'retry' },
} as const;

const titles = {
	'Retry On Fail': 'Turn off Retry On Fail',
	'the retry of an execution': 'This operation refuses the retry of an execution',
};

/** How many records the service has, of whatever kind. */
function countRecords(value: unknown): number {
	if (typeof value !== 'object' || value === null) return 0;
	const parts = Symbol.iterator in value ? [...(value as Iterable<unknown>)] : Object.values(value);
	return parts.reduce<number>((count, part) => count + countRecords(part), 1);
}

it.each(Object.keys(operations).filter((name) => !flagged.includes(name)))(
	'%s makes and sends nothing more when it runs again',
	async (name) => {
		const { store } = testbed.service;
		await testbed.succeed(parametersOf(name), { input });
		const count = countRecords(store.chatbots);

		await testbed.run(parametersOf(name), { input });
		expect(testbed.sent).not.toEqual([]);
		expect(countRecords(store.chatbots)).toBe(count);
	},
);

describe.each(flagged)('%s', (name) => {
	it.each(Object.entries(retries))('refuses %s before any request', async (way, options) => {
		const { error, items } = await testbed.run(parametersOf(name), { input, ...options });
		expect(error?.message).toBe(titles[way as keyof typeof titles]);
		expect(error?.description).toMatch(/^n8n (w|c)ould .* again[.,]/);
		expect(testbed.sent).toEqual([]);
		expect(items).toEqual([]);
	});

	it('refuses every item, and passes none on, when On Error is Continue', async () => {
		const retryOnFail = { ...goOn.nodeSettings, ...retries['Retry On Fail'].nodeSettings };
		const { items } = await testbed.run(parametersOf(name), { input, nodeSettings: retryOnFail });
		expect(items.map(({ json }) => json.error)).toEqual(
			bots.map(() => expect.stringMatching(/^Turn off Retry On Fail\. /)),
		);
		expect(testbed.sent).toEqual([]);
	});

	it('says that a retry is refused also if it has not run yet', async () => {
		const { error } = await testbed.run(parametersOf(name), { input, mode: 'retry' });
		expect(error?.description).toContain('also if it has not run yet');
		expect(error?.description).not.toMatch(/items that are done/);
	});

	it('runs without both', async () => {
		const { items } = await testbed.succeed(parametersOf(name), { input, mode: 'trigger' });
		expect(items).toHaveLength(bots.length);
	});
});

it.each(Object.entries(retries))('what may be done twice runs with %s', async (_, options) => {
	const { items } = await testbed.succeed(parametersOf('contact upsert'), { input, ...options });
	expect(items).toHaveLength(bots.length);
});
