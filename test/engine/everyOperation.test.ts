/** The behavior that all operations share: failures, On Error, and the tool path. */
import { Chatbase } from '../../nodes/Chatbase/Chatbase.node';
import { allErrorTexts } from '../errorTexts';
import { resources } from '../../nodes/Chatbase/resources';
import { version1 } from '../../nodes/Chatbase/api/versions';
import { operationsOf } from '../documents/operations';
import { caseRuns } from '../propertyRuns';
import { addChatbots, itemFor, operations } from './operations';
import { byId, useTestbed } from './testbed';

const testbed = useTestbed();

beforeEach(() => {
	addChatbots(testbed.service, ['bot-1', 'bot-2', 'bot-3']);
});

const three = ['bot-1', 'bot-2', 'bot-3'].map(itemFor);

it('are all operations of the node', () => {
	const named = operationsOf(new Chatbase().description.properties).map(
		({ resource, operation }) => `${resource} ${operation}`,
	);
	// Mirror takes items of one chatbot only; suites of its own test it.
	expect(named.filter((name) => !name.endsWith(' mirror')).sort()).toEqual(
		Object.keys(operations).sort(),
	);
});

/** Operations that work on all items together. */
const needsAllItems = new Set(
	resources.flatMap(({ option, operations: all }) =>
		all.flatMap(({ value, sendAll }) => (sendAll ? [`${option.value} ${value}`] : [])),
	),
);

/** The cases of one operation, in a sample that is spread over all operations. */
function sampleOf<Case>(operation: string, cases: Case[], oneIn: number): Case[] {
	const all = Object.keys(operations).flatMap((name) => cases.map((one) => ({ name, one })));
	return caseRuns(all, oneIn).flatMap(({ name, one }) => (name === operation ? [one] : []));
}

/** What users are told, by status and operation. The first that fits applies. */
const titles: Array<[RegExp, string]> = [
	[/^400 chat send$/, 'The service rejected the message'],
	[/^400 contact (create|update)$/, 'The service rejected the contact data'],
	[/^400 customAttribute update$/, 'The service rejected the custom attribute'],
	[/^(400|418) /, 'The service rejected the request'],
	[/^401 /, 'The service rejected the API key'],
	[/^403 chat send$/, 'Access denied or message credits used up'],
	[/^403 /, 'Access denied or quota used up'],
	[/^404 chatbot (create|get|getAll)$/, "The Base URL doesn't lead to the API"],
	[/^404 contact (delete|get|update)$/, 'Contact or chatbot not found'],
	[/^404 (conversation (pause|resume)|chat sendToolResult)$/, 'Conversation or chatbot not found'],
	[/^404 conversation rate$/, 'Message, conversation or chatbot not found'],
	[/^404 customAttribute (get|update)$/, 'Custom attribute or chatbot not found'],
	[/^404 source (delete|get|update)$/, 'Source or chatbot not found'],
	[/^404 ticket (get|reply|update)$/, 'Ticket or chatbot not found'],
	[/^404 /, 'Chatbot not found'],
	[/^409 contact /, 'A contact with one of these values exists'],
	[
		/^409 (conversation (pause|resume)|chat sendToolResult)/,
		'The conversation has ended or a person has taken it over',
	],
	[/^409 ticket (get|reply|update)$/, 'The conversation of the ticket is with the chatbot'],
	[
		/^409 (chat sendWithMemory|chatbot clone|conversation (export|get|rate|search)\b|source|ticket|whatsApp)/,
		'The request conflicts with what the chatbot has',
	],
	[/^409 /, 'It already exists'],
	[/^413 /, 'The data is too large for the service'],
];

const titleOf = (status: number, name: string) =>
	titles.find(([pattern]) => pattern.test(`${status} ${name}`))![1];

const statuses = [400, 401, 403, 404, 409, 413, 418];

describe.each(Object.entries(operations))('%s', (name, entry) => {
	const { version = version1, parameters, isShared } = entry;
	const [resource, operation] = name.split(' ');
	const all = { resource, operation, ...parameters };
	const failing = isShared ? [0, 1, 2] : [1];
	const secondItem = isShared
		? { nth: 1 }
		: {
				matches: ({ url, body }: { url: string; body: unknown }) =>
					`${url} ${JSON.stringify(body)}`.includes('bot-2'),
			};
	const says = (message: string) => (version === version1 ? { message } : { error: { message } });
	const forbidden = { kind: 'status', status: 403, body: says('No <more> credits') } as const;

	it('sends valid requests and pairs its items', async () => {
		const { items } = await testbed.succeed(all, { input: three });
		expect(testbed.service.requests.every(({ headers }) => headers.authorization)).toBe(true);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
	});

	it('ignores spaces around the ID of the chatbot, as a copied one may have', async () => {
		await testbed.succeed(all, { input: [itemFor(' bot-1\n')] });
		expect(testbed.service.requests).not.toEqual([]);
	});

	it.each(sampleOf(name, statuses, 5))('says what a status %d means', async (status) => {
		const message = status === 404 ? 'Resource not found' : `Reason ${status}`;
		const body = says(message);
		testbed.service.faults.add({ fault: { kind: 'status', status, body } });
		const { error, items } = await testbed.run(all, { input: [itemFor('bot-1')] });
		const title = titleOf(status, name);
		expect(error).toMatchObject({ message: title, httpCode: String(status) });
		expect(error?.description).toContain(`The service says: "${message}"`);
		const nextSteps = allErrorTexts
			.filter(([, text]) => text.title === title)
			.map(([, text]) => text.nextStep ?? text.advice ?? '');
		expect(nextSteps.filter((step) => error?.description?.includes(step))).not.toEqual([]);
		expect(items).toEqual([]);
	});

	it('fails when the response is something else', async () => {
		testbed.service.faults.add({
			fault: { kind: 'status', status: 200, body: '<html>Sign in</html>' },
		});
		const { error, items } = await testbed.run(all, { input: [itemFor('bot-1')] });
		expect(error?.message).toBe('The service returned an unexpected response');
		expect(items).toEqual([]);
	});

	const endings: Record<string, () => Promise<void>> = {
		'stops at the first item that fails': async () => {
			testbed.service.faults.add({ when: secondItem, fault: forbidden });
			const { error, items } = await testbed.run(all, { input: three });
			expect(error).toMatchObject({ httpCode: '403' });
			expect(error).toMatchObject({ context: { itemIndex: failing[0] } });
			expect(error?.description).toContain('No &lt;more&gt; credits');
			expect(items).toEqual([]);
		},

		'continues on the regular output beside the failed item': async () => {
			testbed.service.faults.add({ when: secondItem, fault: forbidden });
			const { outputs } = await testbed.succeed(all, {
				input: three,
				nodeSettings: { onError: 'continueRegularOutput' },
			});
			expect(outputs).toHaveLength(1);
			expect(outputs[0].map(({ pairedItem }) => pairedItem)).toEqual([
				{ item: 0 },
				{ item: 1 },
				{ item: 2 },
			]);
			const failed = outputs[0].filter(({ json }) => json.error);
			expect(failed).toMatchObject(
				failing.map((item) => ({
					json: {
						bot: `bot-${item + 1}`,
						error: expect.stringContaining('No <more> credits'),
					},
					pairedItem: { item },
				})),
			);
		},

		'continues on the error output, with the fields of the failed item': async () => {
			testbed.service.faults.add({ when: secondItem, fault: forbidden });
			const { outputs } = await testbed.succeed(all, {
				input: three,
				nodeSettings: { onError: 'continueErrorOutput' },
			});
			expect(outputs.map((items) => items.length)).toEqual([3 - failing.length, failing.length]);
			for (const [place, { json, pairedItem }] of outputs[1].entries()) {
				expect(pairedItem).toEqual({ item: failing[place] });
				expect(json.bot).toBe(`bot-${failing[place] + 1}`);
				expect(json.error).toMatch(`${titleOf(403, name)}. `);
				expect(json.error).toContain('No <more> credits');
			}
		},
	};

	it.each(sampleOf(name, Object.keys(endings), 2))('%s', async (ending) => await endings[ending]());

	it('refuses all items before any request when one has no chatbot', async () => {
		if (!('chatbotId' in parameters)) return;
		const { error } = await testbed.run(all, { input: [...three, itemFor('')] });
		expect(error).toMatchObject({ message: 'Chatbot is empty', context: { itemIndex: 3 } });
		expect(testbed.sent).toEqual([]);
	});

	describe("in n8n's Engine 2.0, which calls the node once for each item", () => {
		const itemByItem = true;

		it('does a single item', async () => {
			const { items } = await testbed.succeed(all, { input: [itemFor('bot-1')], itemByItem });
			expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }]);
			expect(items[0].json).not.toHaveProperty('error');
		});

		if (needsAllItems.has(name)) {
			it('refuses several items before any request', async () => {
				const { error, items } = await testbed.run(all, { input: three, itemByItem });
				expect(error?.message).toBe('This n8n runs the node once for each item');
				expect(testbed.sent).toEqual([]);
				expect(items).toEqual([]);
			});
			return;
		}

		it('does several items, and pairs them', async () => {
			const { items } = await testbed.succeed(all, { input: three, itemByItem });
			expect(items.map(({ pairedItem }) => pairedItem)).toEqual(three.map((_, item) => ({ item })));
		});

		it('continues beside a failed item', async () => {
			if (isShared) return;
			testbed.service.faults.add({ when: secondItem, fault: forbidden });
			const { items } = await testbed.succeed(all, {
				input: three,
				itemByItem,
				nodeSettings: { onError: 'continueRegularOutput' },
			});
			expect(items.map(({ json, pairedItem }) => [json.error, pairedItem])).toEqual([
				[undefined, { item: 0 }],
				[expect.stringContaining('No <more> credits'), { item: 1 }],
				[undefined, { item: 2 }],
			]);
		});
	});

	it('answers an agent', async () => {
		if (operation.startsWith('upload') || name === 'whatsAppTemplate send') return;
		const value = '={{ $fromAI("bot") }}';
		const { error, records } = await testbed.callTool(
			{
				...all,
				...('chatbotId' in parameters && { chatbotId: byId(value) }),
				...('name' in parameters && { name: value }),
			},
			// What a tool leaves to the model: Query is filled in.
			{ bot: 'bot-1', Query: 'refund' },
		);
		expect(error).toBeUndefined();
		const [record] = records as object[];
		expect(record).toEqual(expect.not.objectContaining({ error: expect.anything() as unknown }));
		expect(testbed.illegal).toEqual([]);
	});
});
