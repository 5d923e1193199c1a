/** A request that must not be sent twice, whose answer is lost after the service has asked it to wait. */
import { unescapeHtml } from '../../../nodes/Chatbase/values/text';
import type { Fault } from '../../../service';
import { inSkippedTime } from '../fastTime';
import { addChatbots, itemFor, operations } from '../operations';
import { useTestbed } from '../testbed';

const testbed = useTestbed();

const rejections: Array<[name: string, fault: Fault]> = [
	['a 429', { kind: 'status', status: 429 }],
	[
		'maintenance',
		{ kind: 'status', status: 503, body: { error: { code: 'SERVICE_UNDER_MAINTENANCE' } } },
	],
];

const losses: Array<[name: string, fault: Fault]> = [
	['its connection is lost', { kind: 'resetAfter' }],
	['its answer never comes', { kind: 'stall', handled: true }],
	['it ends in 500', { kind: 'status', status: 500, handled: true }],
];

const table = ['chat sendWithMemory', 'source create', 'whatsAppTemplate send'].flatMap((name) =>
	rejections.flatMap(([rejection, first]) =>
		losses.map(([loss, last]) => ({ name, rejection, loss, first, last })),
	),
);

it.each(table)(
	'$name may have been done when $loss after $rejection, and is not told to try again',
	async ({ name, first, last }) => {
		const [resource, operation] = name.split(' ');
		addChatbots(testbed.service, ['unclear']);
		const { faults } = testbed.service;
		faults.add({ when: { method: 'POST', times: 1 }, fault: first });
		faults.add({ when: { method: 'POST' }, fault: last });

		const { error } = await inSkippedTime(
			testbed.service,
			async () =>
				await testbed.run(
					{ resource, operation, ...operations[name].parameters },
					{ input: [itemFor('unclear')] },
				),
		);

		expect(testbed.service.requests.filter(({ method }) => method === 'POST')).toHaveLength(2);
		const description = unescapeHtml(error?.description ?? '');
		expect(description).toContain(
			'The node sent the request 2 times, and the service may have done it. Check before you run again.',
		);
		expect(description).not.toMatch(/try again/i);
	},
);

it('a message that was sent once and is lost is not told to try again either', async () => {
	addChatbots(testbed.service, ['unclear']);
	testbed.service.faults.add({ when: { method: 'POST' }, fault: { kind: 'resetAfter' } });
	const { error } = await testbed.run(
		{ resource: 'chat', operation: 'send', ...operations['chat send'].parameters },
		{ input: [itemFor('unclear')] },
	);
	expect(error?.description).toContain('because the service may have done it.');
	expect(error?.description).not.toMatch(/try again/i);
});

const received = /the service may have done it|The message may have been received/;

/** What creates something, or sends it to somebody, and the words that it may be there. */
const creations: Array<[name: string, words: string | RegExp]> = [
	['chat send', received],
	['chat sendWithMemory', received],
	['chatbot clone', 'A clone may exist.'],
	['chatbot create', 'The chatbot may exist.'],
	['source create', 'The source "New" may exist.'],
	['ticket create', 'The ticket may exist.'],
	['ticket reply', 'The reply may have reached the customer.'],
	['whatsAppTemplate send', 'The message may have been sent.'],
];

const withoutAnswer: Array<[name: string, fault: Fault]> = [
	['a lost connection', { kind: 'resetAfter' }],
	['a 502', { kind: 'status', status: 502, body: '<html>Bad Gateway</html>', handled: true }],
	['a web page', { kind: 'status', status: 200, body: '<html>Hello</html>', handled: true }],
	['another shape', { kind: 'otherShape', body: { ok: true }, handled: true }],
	['nothing', { kind: 'empty', handled: true }],
];

/** What a proxy or another service answers to each request that follows. */
const pages: Array<[name: string, body: unknown]> = [
	['a web page', '<html>Not found</html>'],
	['an unknown route', { error: { code: 'NOT_FOUND', message: 'Route not found' } }],
	['something missing', { error: { code: 'RESOURCE_NOT_FOUND', message: 'Not found' } }],
	['the words of a proxy', { message: 'No such application' }],
];

/** Only a source is looked up afterwards, or rather its chatbot. */
const hidden = creations.flatMap(([name, words]) =>
	withoutAnswer.flatMap(([loss, fault]) =>
		pages
			.slice(0, name === 'source create' ? pages.length : 1)
			.map(([page, body]) => ({ name, words, loss, fault, page, body })),
	),
);

it.each(hidden)(
	'$name says what may be there when $loss answers it, and 404 with $page the next request',
	async ({ name, words, fault, body }) => {
		const [resource, operation] = name.split(' ');
		addChatbots(testbed.service, ['unclear']);
		const { faults } = testbed.service;
		faults.add({ when: { method: 'POST' }, fault });

		let posts = 0;
		const afterPost = { matches: () => posts > 0, method: 'GET' };
		faults.add({ when: afterPost, fault: { kind: 'status', status: 404, body } });
		const stop = testbed.service.onRequest(({ method }) => {
			if (method === 'POST') posts++;
		});
		const { error } = await testbed.run(
			{ resource, operation, ...operations[name].parameters },
			{ input: [itemFor('unclear')] },
		);
		stop();

		expect(posts).toBe(1);
		expect(unescapeHtml(error?.description ?? '')).toMatch(words);
		expect(error?.description).toMatch(/ Unknown: item 0\.$/);
	},
);
