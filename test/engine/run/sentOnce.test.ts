/** A request that must not be sent twice, whose answer is lost after the service has asked it to wait. */
import { unescapeHtml } from '../../../nodes/Chatbase/api/errors';
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
