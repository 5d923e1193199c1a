/** The probe changes no customer and names what is left, for any service and at any interruption. */
import { caseRuns, propertyRuns } from '../propertyRuns';
import fc from 'fast-check';

import type { Part } from '../../probe/answer';
import { attributePrefix, scratchPrefix } from '../../probe/ownership';
import type { ProbeResult } from '../../probe/run';
import { scratchName } from '../../probe/scratch';
import {
	illegalities,
	type Behaviour,
	type Fault,
	type RecordedRequest,
	type SimulatedService,
} from '../../service';
import {
	chatbotId,
	emptyScene,
	ownAttributes,
	probe,
	questionsWith,
	scratchContacts,
	scratchSources,
	watchCustomers,
} from './scene';

const parts: Part[] = ['read', 'write', 'attributes'];

/** A service whose internal IDs are the External IDs of customers, or are blank. */
async function strangeScene(
	behaviour: Partial<Behaviour> = {},
	ids: 'counted' | '' | '.' | '..' = 'counted',
): Promise<SimulatedService> {
	let last = 1000;
	const service = await emptyScene({
		behaviour,
		contactId: () => (ids === 'counted' ? `${++last}` : ids),
	});
	service.store.seedContacts(chatbotId, 5);
	const customers = Array.from({ length: 40 }, (_, index) => `${1001 + index}`);
	const alike = [
		`mine-${scratchPrefix}1`,
		'n8n-nodes-chatbase-probe',
		scratchPrefix.toUpperCase(),
		attributePrefix,
	];
	for (const name of ['Shipping', `mine-${scratchPrefix}1`, scratchPrefix.toUpperCase()]) {
		service.store.addSource(chatbotId, { name });
	}
	service.store.addSource(chatbotId, { name: `${scratchPrefix}mine`, type: 'qna' });
	for (const external_id of [...customers, ...alike, '', '', '.', '..', '%2e', 'null']) {
		service.store.addContact(chatbotId, { external_id });
	}
	return service;
}

const isWrite = ({ method }: RecordedRequest) => method !== 'GET';

/** Requests that could reach more than one contact or attribute. */
function reaching({ requests }: SimulatedService): string[] {
	const pathless = illegalities(requests.filter(isWrite)).filter((line) =>
		line.endsWith('no such endpoint'),
	);
	const blank = requests.filter(({ path }) => /\/(%20|\.)*(\/|$)/.test(path));
	return [...pathless, ...blank.map(({ url }) => url)];
}

/** What is left in the service and not named in the answer. */
function unnamed({ left }: ProbeResult, service: SimulatedService): string[] {
	const attributes = ownAttributes(service);
	const archived = attributes.filter((attribute) => attribute.archived).length;
	const held: Array<[what: string, count: number]> = [
		[`Contacts whose External ID begins with ${scratchPrefix}`, scratchContacts(service).length],
		[`Sources whose name begins with ${scratchPrefix}`, scratchSources(service).length],
		[`${attributePrefix}, archived`, archived],
		[`${attributePrefix}, not archived`, attributes.length - archived],
	];
	const isNamed = (words: string) => left.some((line) => line.includes(words));
	return held
		.filter(([, count]) => count > 0)
		.filter(([what, count]) => !isNamed(`${what}: ${count}.`))
		.filter(([what]) => !isNamed(`${what.split(',')[0]}: unknown`))
		.map(([what, count]) => `${what}: ${count}`);
}

/** Writes that happen although their response fails or is lost. */
const failure = fc.oneof(
	fc
		.constantFrom(500, 502, 503, 504)
		.map((status): Fault => ({ kind: 'status', status, handled: true })),
	fc.constantFrom<Fault>(
		{ kind: 'resetAfter' },
		{ kind: 'resetMidBody' },
		{ kind: 'cutJson' },
		{ kind: 'empty', handled: true },
		{ kind: 'otherShape', handled: true, body: { data: { id: 1005, external_id: null } } },
		{ kind: 'otherShape', handled: true, body: { data: [{ id: 1005, external_id: '' }] } },
	),
);

const strange = fc.record({
	ids: fc.constantFrom('counted' as const, '' as const, '.' as const, '..' as const),
	behaviour: fc.record({
		createExisting: fc.constantFrom('conflict', 'upsert'),
		createReply: fc.constantFrom('data', 'created'),
		contactPathId: fc.constantFrom('external', 'externalOrInternal'),
		contactOrder: fc.constantFrom('oldestFirst', 'newestFirst'),
		deleteReply: fc.constantFrom('contact', 'empty'),
		emailUnique: fc.boolean(),
		phoneUnique: fc.boolean(),
		endpoints: fc.constantFrom('all', 'all', 'withoutAttributeList'),
		missingFields: fc.constantFrom('null', 'absent'),
	} satisfies Partial<Record<keyof Behaviour, unknown>>) as fc.Arbitrary<Partial<Behaviour>>,
	failures: fc.array(
		fc.record({
			method: fc.constantFrom('POST', 'PATCH', 'PUT', 'DELETE'),
			nth: fc.oneof(fc.constant('all' as const), fc.array(fc.integer({ min: 1, max: 12 }))),
			fault: failure,
		}),
		{ maxLength: 4 },
	),
	/** Where a write or the list is refused, so that something is left. */
	refused: fc.constantFrom('nothing', 'DELETE', 'PUT', 'lists'),
	/** The request with which the run is interrupted; most runs have fewer than 80. */
	last: fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 80 })),
});

it('changes no customer and names what is left when the service varies', async () => {
	await fc.assert(
		fc.asyncProperty(strange, async ({ ids, behaviour, failures, refused, last }) => {
			const service = await strangeScene(behaviour, ids);
			try {
				const harm = watchCustomers(service);
				for (const { method, nth, fault } of failures) {
					if (method !== refused) service.faults.add({ when: { method, nth }, fault });
				}
				let hasWritten = false;
				service.faults.add({
					when: {
						matches: (request) => {
							hasWritten ||= isWrite(request);
							const isList = /contacts$|attributes$|sources$/.test(request.path);
							if (refused === 'lists') return hasWritten && !isWrite(request) && isList;
							return request.method === refused;
						},
					},
					fault: { kind: 'status', status: refused === 'PUT' ? 404 : 503 },
				});
				const controller = new AbortController();
				service.onRequest(({ number }) => void (number === last && controller.abort()));
				const first = await probe(service, parts, { signal: controller.signal });
				expect(unnamed(first, service)).toEqual([]);
				if (first.left.length === 0) {
					expect([...scratchContacts(service), ...scratchSources(service)]).toEqual([]);
				}

				service.faults.clear();
				const second = await probe(service, parts);
				expect(scratchContacts(service)).toEqual([]);
				expect(scratchSources(service)).toEqual([]);
				expect(ownAttributes(service).filter(({ archived }) => !archived)).toEqual([]);
				expect(unnamed(second, service)).toEqual([]);
				expect(second.left.filter((line) => !line.includes(', archived'))).toEqual([]);
				expect(harm()).toEqual([]);
				expect(reaching(service)).toEqual([]);
			} finally {
				await service.close();
			}
		}),
		propertyRuns(2),
	);
}, 240_000);

const runsAndFails: Fault = { kind: 'status', status: 504, handled: true };

describe.each([
	['answers its writes', []],
	['runs every third write and says 504', [3, 6, 9, 12, 15, 18, 21, 24, 27, 30]],
])('a service that %s', (_name, nth) => {
	let service: SimulatedService;
	beforeEach(async () => {
		service = await strangeScene();
		if (nth.length > 0)
			service.faults.add({ when: { matches: isWrite, nth }, fault: runsAndFails });
	});
	afterEach(async () => await service.close());

	/** Numbers of requests of a whole run, from the first one that may write. */
	async function numbers(): Promise<number[]> {
		await probe(service, parts);
		const first = service.requests.findIndex(isWrite);
		return caseRuns(
			service.requests.slice(first).map(({ number }) => number),
			26,
		);
	}

	it('keeps only the customers when the run is interrupted at any request', async () => {
		const harm = watchCustomers(service);
		for (const last of await numbers()) {
			service.clearRequests();
			const controller = new AbortController();
			const stop = service.onRequest(({ number }) => void (number === last && controller.abort()));
			const result = await probe(service, parts, { signal: controller.signal });
			stop();
			const active = ownAttributes(service).filter(({ archived }) => !archived);
			expect({
				last,
				contacts: scratchContacts(service),
				sources: scratchSources(service),
				active,
				reach: reaching(service),
			}).toEqual({ last, contacts: [], sources: [], active: [], reach: [] });
			expect(unnamed(result, service)).toEqual([]);
		}
		expect(harm()).toEqual([]);
	}, 240_000);

	it('keeps every customer when no request succeeds, and the next run cleans up', async () => {
		const harm = watchCustomers(service);
		for (const last of await numbers()) {
			service.clearRequests();
			const silence = service.faults.add({
				when: { matches: ({ number }) => number > last },
				fault: { kind: 'resetBefore' },
			});
			const result = await probe(service, parts);
			expect(unnamed(result, service)).toEqual([]);
			service.faults.remove(silence);
		}
		service.faults.clear();
		await probe(service, parts);
		expect(scratchContacts(service)).toEqual([]);
		expect(harm()).toEqual([]);
	}, 240_000);
});

it('names attributes that cannot be archived', async () => {
	const service = await strangeScene();
	service.faults.add({
		when: { method: 'PUT' },
		fault: { kind: 'status', status: 404, body: { message: 'Not found' } },
	});
	const { left } = await probe(service, parts);
	await service.close();
	expect(ownAttributes(service)).toHaveLength(2);
	expect(left).toEqual([
		expect.stringMatching(
			/^Custom attributes .* begins with n8n_probe_, not archived: 2\. .*archive/,
		),
	]);
});

it('names contacts without changing them when they lost their External ID', async () => {
	const service = await strangeScene();
	service.store.addContact(chatbotId, { external_id: '', name: scratchName });
	service.store.addContact(chatbotId, { external_id: '', email: `${scratchPrefix}1@example.com` });
	const harm = watchCustomers(service);
	service.store.addContact(chatbotId, { external_id: `${scratchPrefix}/..` });
	const { left } = await probe(service, ['read', 'write']);
	await service.close();
	expect(left).toEqual([expect.stringMatching(/^Contacts that look like scratch contacts.*: 3\./)]);
	expect(harm()).toEqual([]);
});

it.each<[string, number, Fault]>([
	[
		'answers them',
		2,
		{ kind: 'otherShape', handled: true, body: { data: [{ external_id: 'own' }] } },
	],
	['answers without contacts', 6, { kind: 'otherShape', handled: true, body: {} }],
])(
	'names every contact when the service gives IDs of its own and %s',
	async (_name, made, fault) => {
		const service = await strangeScene();
		service.faults.add({ when: { method: 'POST', path: /contacts$/ }, fault });
		const { contacts } = service.store.chatbot(chatbotId);
		service.onRequest(() => {
			const made = [...contacts].filter(({ name }) => name === scratchName);
			for (const contact of made) contacts.change(contact, { external_id: `own-${contact.id}` });
		});
		const customers = contacts.size;
		const harm = watchCustomers(service);
		const { left } = await probe(service, ['read', 'write']);
		await service.close();
		expect(contacts.size - customers).toBe(made);
		expect(left).toEqual([
			expect.stringContaining(`but have another External ID or none: ${made}.`),
		]);
		expect(harm().filter((line) => !line.endsWith('something new'))).toEqual([]);
	},
);

it('reads the whole list when all internal IDs are the same', async () => {
	const service = await strangeScene({}, '');
	for (let index = 0; index < 2000; index++) {
		service.store.addContact(chatbotId, { external_id: `other-${index}` });
	}
	service.store.addContact(chatbotId, { external_id: `${scratchPrefix}1` });
	await probe(service, ['read', 'write']);
	await service.close();
	expect(scratchContacts(service)).toEqual([]);
});

it.each([500, 503, 504])('draws no conclusion when a write answers %d', async (status) => {
	const service = await strangeScene();
	service.faults.add({
		when: { matches: isWrite },
		fault: { kind: 'status', status, handled: true },
	});
	const result = await probe(service, parts);
	await service.close();
	expect(questionsWith(result, 'DIFFERS')).toEqual([]);
});
