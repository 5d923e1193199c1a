import { name, version } from '../../../package.json';
import { addChatbots, itemFor, operations } from '../operations';
import { chatbotId } from '../parameters';
import { useTestbed } from '../testbed';
import { events, trigger } from '../trigger/watch';

const testbed = useTestbed();

beforeEach(() => {
	addChatbots(testbed.service, ['bot']);
});

afterEach(() => {
	const sent = testbed.service.requests.map(({ headers }) => headers['user-agent']);
	expect(sent.length).toBeGreaterThan(0);
	expect(new Set(sent)).toEqual(new Set([`${name}/${version}`]));
});

it.each(Object.entries(operations))(
	'%s names the package in User-Agent',
	async (which, { parameters }) => {
		const [resource, operation] = which.split(' ');
		await testbed.run({ resource, operation, ...parameters }, { input: [itemFor('bot')] });
	},
);

it('lists of the panel name the package in User-Agent', async () => {
	const parameters = { chatbotId };
	await testbed.engine.listSearch('searchChatbots', { parameters });
	await testbed.engine.listSearch('searchContacts', { parameters });
	await testbed.engine.resourceMapping('mapContactFields', { parameters });
});

it.each(events)('a poll for %s names the package in User-Agent', async (event) => {
	await testbed.engine.poller({ node: trigger, parameters: { chatbotId, event } }).poll();
});
