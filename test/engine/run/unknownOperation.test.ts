/** Without a refusal, n8n's routing engine would send the key to the default address. */
import { chatbotId, contactId } from '../parameters';
import { succeeded, useTestbed } from '../testbed';

const testbed = useTestbed();

beforeEach(() => void testbed.service.store.addContact('bot', { external_id: 'c0' }));

const unknown = [
	['contact', 'send'],
	['contact', 'Get'],
	['contact', 'hasOwnProperty'],
	['Contact', 'get'],
	['nobody', 'get'],
	['contact', '={{ "get" }}'],
	['={{ "contact" }}', 'get'],
	['={{ $json.resource }}', '={{ $json.operation }}'],
];
const input = [
	{ id: 'c0', resource: 'contact', operation: 'get' },
	{ id: 'c0', resource: 'contact', operation: 'delete' },
];
const message = 'The operation is unknown';
const parametersOf = (resource: string, operation: string) => ({
	resource,
	operation,
	chatbotId,
	contactId,
});

describe.each(unknown)('resource %s, operation %s', (resource, operation) => {
	const parameters = parametersOf(resource, operation);

	it('sends nothing and names it when On Error is Stop', async () => {
		const { error, items } = await testbed.run(parameters, { input });
		expect(error).toMatchObject({
			message,
			description: expect.stringMatching(/from their lists.* Nothing was sent\.$/),
		});
		expect(items).toEqual([]);
		expect(testbed.sent).toEqual([]);
	});

	it.each([
		['continueRegularOutput', 0],
		['continueErrorOutput', 1],
	] as const)('sends nothing and names it when On Error is %s', async (onError, output) => {
		const { outputs } = await testbed.succeed(parameters, { input, nodeSettings: { onError } });
		expect(outputs.flat()).toHaveLength(2);
		expect(outputs[output].map(({ json, pairedItem }) => [json.error, pairedItem])).toEqual(
			[0, 1].map((item) => [expect.stringContaining(`${message}. `), { item }]),
		);
		expect(testbed.sent).toEqual([]);
	});

	it('sends nothing and names it in a tool', async () => {
		const { records } = succeeded(await testbed.callTool(parameters, {}));
		expect(records).toEqual([{ error: expect.stringContaining(`${message}. `) }]);
		expect(testbed.sent).toEqual([]);
	});
});

it.each([
	['__CUSTOM_API_CALL__', 'get'],
	['contact', '__CUSTOM_API_CALL__'],
])('tells a Custom API Call what to use instead: %s, %s', async (resource, operation) => {
	const { error } = await testbed.run(parametersOf(resource, operation), { input });
	expect(error?.description).toContain('Use an HTTP Request node with this credential');
	expect(testbed.sent).toEqual([]);
});
