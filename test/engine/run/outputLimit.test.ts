import type { INodeParameters } from 'n8n-workflow';

import { chatbotId } from '../parameters';
import { useTestbed } from '../testbed';

const testbed = useTestbed();

/** More than the maximum for one input item, and more than a function call takes as arguments. */
const records = Array.from({ length: 150_000 }, (_, id) => ({
	id,
	ticketNumber: id,
	name: 'x',
	type: 'text',
	messages: [],
	createdAt: 1_800_000_000,
}));

/** As version 2 returns all of them. */
const whole = {
	data: records,
	pagination: { hasMore: false, cursor: null, total: records.length },
};

/** Every list, and a response that holds all of them. */
const lists: Record<string, { parameters: INodeParameters; body: object }> = {
	chatbot: { parameters: { simplify: false }, body: { chatbots: records } },
	contact: {
		parameters: { chatbotId, filters: { name: 'x' } },
		body: { data: records, total: records.length, pages: { total_pages: 1 } },
	},
	conversation: { parameters: { chatbotId }, body: { data: records } },
	customAttribute: { parameters: { chatbotId }, body: { data: records } },
	'conversation export': { parameters: { chatbotId }, body: whole },
	'conversation search': { parameters: { chatbotId, query: 'x' }, body: whole },
	lead: { parameters: { chatbotId }, body: { data: records } },
	source: { parameters: { chatbotId }, body: whole },
	ticket: { parameters: { chatbotId }, body: whole },
};

it.each(Object.entries(lists))(
	'%s: fails and says what to do when a list exceeds 100,000 items',
	async (name, { parameters, body }) => {
		const [resource, operation = 'getAll'] = name.split(' ');
		testbed.service.faults.add({ fault: { kind: 'otherShape', body } });
		const { error, items } = await testbed.run({
			resource,
			operation,
			returnAll: true,
			...parameters,
		});
		expect(error).toMatchObject({
			message: 'The list is too long for one input item',
			description: expect.stringMatching(/more than 100,000 records.*Filters or a Limit/),
			context: { itemIndex: 0 },
		});
		expect(items).toEqual([]);
		expect(testbed.service.requests).toHaveLength(1);
	},
);

it('a limit succeeds when the list exceeds 100,000 items', async () => {
	testbed.service.faults.add({ fault: { kind: 'otherShape', body: { data: records } } });
	const { items } = await testbed.succeed({
		resource: 'lead',
		operation: 'getAll',
		chatbotId,
		limit: 100_000,
	});
	expect(items).toHaveLength(100_000);
});
