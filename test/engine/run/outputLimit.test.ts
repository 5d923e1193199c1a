import type { INodeParameters } from 'n8n-workflow';

import { chatbotId } from '../parameters';
import { useTestbed } from '../testbed';

const testbed = useTestbed();

/** One more than the maximum for one input item. */
const records = Array.from({ length: 100_001 }, (_, id) => ({ id, name: 'x' }));

/** Every list, and a response that holds all of them. */
const lists: Record<string, { parameters: INodeParameters; body: object }> = {
	chatbot: { parameters: { simplify: false }, body: { chatbots: records } },
	contact: {
		parameters: { chatbotId, filters: { name: 'x' } },
		body: { data: records, total: records.length, pages: { total_pages: 1 } },
	},
	conversation: { parameters: { chatbotId }, body: { data: records } },
	customAttribute: { parameters: { chatbotId }, body: { data: records } },
	lead: { parameters: { chatbotId }, body: { data: records } },
};

it.each(Object.entries(lists))(
	'%s: fails and says what to do when a list exceeds 100,000 items',
	async (resource, { parameters, body }) => {
		testbed.service.faults.add({ fault: { kind: 'otherShape', body } });
		const { error, items } = await testbed.run({
			resource,
			operation: 'getAll',
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
