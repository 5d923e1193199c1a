/** Errors of the trigger name only what the trigger has. */
import { caseRuns } from '../../propertyRuns';
import type { Fault } from '../../../service';
import { skippedTime } from '../fastTime';
import { chatbotId, events, useWatch } from './watch';

const watch = useWatch();
let timeAsUsual: () => void;

beforeEach(() => {
	timeAsUsual = skippedTime(watch.testbed.service);
});
afterEach(() => timeAsUsual());

/** Settings, fields and habits of the node that the trigger does not have. */
const foreign =
	/Max Concurrency|Request Options|Ignore SSL|raise Timeout|\bLimit\b|Return All|fields of this node|run the node|contact data|Item \d|External ID/i;

const faults: Array<[string, Fault]> = [
	...[400, 401, 403, 404, 413, 418, 429, 500].map((status): [string, Fault] => [
		`status ${status}`,
		{ kind: 'status', status },
	]),
	['a missing chatbot', { kind: 'status', status: 404, body: { message: 'Chatbot not found' } }],
	['a redirect', { kind: 'redirect', location: 'https://example.com' }],
	['a broken connection', { kind: 'resetBefore' }],
	['another shape', { kind: 'otherShape', body: { data: 'none' } }],
	['a web page', { kind: 'status', status: 200, body: '<html>' }],
];

const cells = events.flatMap((event) => faults.map(([title, fault]) => ({ event, title, fault })));

it.each(caseRuns(cells, 5))(
	'$event names only what the trigger has when the service answers with $title',
	async ({ event, fault }) => {
		watch.testbed.service.store.addContact(chatbotId, { external_id: 'a' });
		watch.testbed.service.faults.add({ fault });
		const failure = (await watch
			.poller({ event })
			.poll()
			.catch((error: Error) => error)) as Error & { description: string };
		expect(failure).toBeInstanceOf(Error);
		expect(`${failure.message} ${failure.description}`).not.toMatch(foreign);
	},
);
