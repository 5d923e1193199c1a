import fc from 'fast-check';
import type { INodeParameters, INodePropertyOptions } from 'n8n-workflow';

import { Chatbase } from '../../../nodes/Chatbase/Chatbase.node';
import { propertyRuns } from '../../propertyRuns';
import { operations } from '../operations';
import { chatbotId, contactId, mapped } from '../parameters';
import { byId, useTestbed } from '../testbed';

/** An ID with dots or nothing in it would turn the request for one record into a request for all that has it. */
const testbed = useTestbed();

const continues = { onError: 'continueRegularOutput' } as const;

/** The ID from the input, in a parameter that operations have at one place of their path. */
const pathFields: Record<string, INodeParameters> = {
	chatbotId: { chatbotId: byId('={{ $json.id }}') },
	contactId: { contactId },
	conversationId: { conversationId: byId('={{ $json.id }}') },
	sourceId: { sourceId: byId('={{ $json.id }}') },
	attributeName: { attributeName: { __rl: true, mode: 'name', value: '={{ $json.id }}' } },
	ticketNumber: { ticketNumber: '={{ $json.id }}' },
	userId: { userId: '={{ $json.id }}' },
};

const byUser = { conversation: 'user', userId: 'user-1' };

const cases = Object.entries({
	...operations,
	'chat sendWithMemory of a user': {
		parameters: { ...operations['chat sendWithMemory'].parameters, ...byUser },
	},
}).flatMap(([name, { parameters }]) =>
	Object.keys(pathFields)
		.filter((field) => field in parameters)
		.map((field) => ({ name, field, parameters: { ...parameters, ...pathFields[field] } })),
);

/** The number of segments that writes of a resource have, by method, such as 4 for `DELETE` of a source. */
function lengthsOf(resource: string): Map<string, number[]> {
	const lengths = new Map<string, number[]>();
	const { properties } = new Chatbase().description;
	const menu = properties.find(
		({ name, displayOptions }) =>
			name === 'operation' && displayOptions?.show?.resource?.includes(resource),
	);
	for (const { routing } of menu!.options as INodePropertyOptions[]) {
		const { method = '', url = '' } = routing!.request!;
		lengths.set(method, [...(lengths.get(method) ?? []), segmentsOf(String(url)).length]);
	}
	return lengths;
}

const segmentsOf = (path: string) => path.replace(/\?.*$/, '').split('/').slice(1);

/** Everything that some reader of an address takes for a blank, a dot or a slash. */
const blanks = [
	' ',
	'\t',
	'\n',
	'\r',
	'\v',
	'\f',
	'\u00a0',
	'\ufeff',
	'\u2028',
	'\u0085',
	'\u200b',
];
const dots = ['.', '..', '%2e', '%2E.', '%2e%2e'];
const around = fc.array(fc.constantFrom(...blanks, '%20', '%0A', '%C2%A0', '/', '%2f', '\\', 'a'), {
	maxLength: 3,
});

const dotted = fc
	.tuple(around, fc.constantFrom('', ...dots), around)
	.map(([before, middle, after]) => [...before, middle, ...after].join(''));

/** What the last reader of a segment sees. */
function plain(segment: string): string {
	let text = segment;
	for (let times = 0; times < 2; times++) {
		try {
			text = decodeURIComponent(text);
		} catch {
			break;
		}
	}
	return text.replace(/[\s\u0085\u200b]/g, '');
}

it.each(cases)(
	'whatever $field of $name is, each request keeps to its path, or there is none',
	async ({ name, parameters }) => {
		const [resource, operation] = name.split(' ');
		const lengths = lengthsOf(resource);
		const ids = fc.array(dotted, { minLength: 5, maxLength: 20 });

		await fc.assert(
			fc.asyncProperty(ids, async (given) => {
				testbed.reset();
				const input = given.map((id) => ({ id, bot: 'bot' }));
				await testbed.run(
					{ resource, operation, ...parameters },
					{ input, nodeSettings: continues },
				);

				for (const { method, url } of testbed.service.requests) {
					const [, , ...segments] = segmentsOf(url);
					expect(segments.map(plain).filter((seen) => /^\.{0,2}$/.test(seen))).toEqual([]);
					if (method !== 'GET') expect(lengths.get(method)).toContain(segments.length);
				}
			}),
			propertyRuns(2),
		);
	},
	60_000,
);

describe('a source', () => {
	const writes = ['delete', 'update'] as const;

	it.each(
		writes.flatMap((operation) =>
			[' ..', '..\n', '\u00a0..', ' .', '%2e%2e'].map((id) => ({ operation, id })),
		),
	)('that is called $id is refused before any request: $operation', async ({ operation, id }) => {
		const refusal = await testbed.refusal({
			resource: 'source',
			operation,
			chatbotId,
			sourceId: byId(id),
			updateFields: { content: 'Words' },
		});
		expect(refusal).toBe('Source is not valid');
	});
});

describe('an External ID', () => {
	it.each([' ..', '..\n', '\u00a0.', '%2E%2e', '%20'])(
		'%j is refused, since no path can name it',
		async (id) => {
			const create = { resource: 'contact', operation: 'create', chatbotId };
			expect(await testbed.refusal({ ...create, ...mapped({ external_id: id }) })).toBe(
				'External ID is not valid',
			);
		},
	);

	it.each([' a ', 'a\n', '...', 'a..', '%2e%2e.'])('%j goes out as it is', async (id) => {
		await testbed.run({ resource: 'contact', operation: 'get', chatbotId, contactId: byId(id) });
		expect(testbed.sent).toEqual([[`GET /chatbots/bot/contacts/${encodeURIComponent(id)}`]]);
	});
});

it.each(['source', 'conversation'])(
	'blanks around the ID of a %s are not sent',
	async (resource) => {
		const id = byId('  known-1\n');
		await testbed.run({ resource, operation: 'get', chatbotId, sourceId: id, conversationId: id });
		expect(testbed.service.requests[0].url).toMatch(/known-1$/);
	},
);
