import type { INodeProperties } from 'n8n-workflow';

import { Chatbase } from '../../../nodes/Chatbase/Chatbase.node';
import { byId, useTestbed } from '../testbed';

/** Filters by time, in each operation that has some. */
const testbed = useTestbed();
const chatbotId = byId('bot');

const filters = new Chatbase().description.properties
	.filter(({ name }) => name === 'filters')
	.flatMap(({ displayOptions, options = [] }) => {
		const { resource: [resource] = [], operation = [] } = displayOptions!.show!;
		const times = (options as INodeProperties[]).filter(({ type }) => type === 'dateTime');
		return operation.flatMap((each) =>
			times.map(({ name, displayName }) => [`${resource} ${each}`, displayName, name]),
		);
	}) as Array<[operation: string, label: string, name: string]>;

async function refusalOf(operationName: string, name: string, value: number | string) {
	const [resource, operation] = operationName.split(' ');
	const parameters = { resource, operation, chatbotId, filters: { [name]: '={{ $json.time }}' } };
	const { error } = await testbed.run(parameters, { input: [{ json: { time: value } }] });
	return error as { message: string; description?: string } | undefined;
}

it('are in conversations, leads, contacts and tickets', () => {
	expect([...new Set(filters.map(([operation]) => operation))]).toEqual([
		'contact getAll',
		'conversation export',
		'conversation getAll',
		'conversation search',
		'lead getAll',
		'ticket getAll',
	]);
});

describe.each(filters)('%s: %s', (operation, label, name) => {
	it.each([
		["Excel's number for a day", 46_205],
		['a day without hyphens', 20_260_701],
		['0', 0],
		['a day and a time without separators', '202607011200'],
		['the same with seconds', 20_260_701_120_000],
		['microseconds', 1_782_864_000_000_000],
		['a time before 2000', 946_684_799],
	])('refuses %s before any request', async (_, value) => {
		const error = await refusalOf(operation, name, value);
		expect(error?.message).toMatch(new RegExp(`^${label} is not a date`));
		expect(error?.description).toContain(String(value));
		expect(error?.description).toContain('A number counts as Unix time');
		expect(testbed.sent).toEqual([]);
	});

	it.each([
		['seconds', 1_782_864_000],
		['milliseconds', 1_782_864_000_000],
		['digits of seconds', '1782864000'],
		['the first second of 2000', 946_684_800],
		['a day before 2000', '1970-01-01'],
	])('takes %s', async (_, value) => {
		const error = await refusalOf(operation, name, value);
		// The service may search the last months only.
		expect(error?.message ?? '').not.toContain(label);
	});
});
