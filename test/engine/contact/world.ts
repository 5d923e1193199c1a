/* eslint-disable @n8n/community-nodes/no-restricted-globals */
/** The world of contacts: a chatbot, an input, other writers and a network that fails, as fast-check draws them. */
import * as fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';

import type { Behaviour, Fault, RecordedRequest, SimulatedService } from '../../../service';
import { brokenConnections } from '../faults/brokenConnections';
import { automatic, chatbotId, contactId, mapped } from '../parameters';
import { byName, type Testbed } from '../testbed';
import { attributeField, settle } from './people';

const either = fc.constantFrom;
type Drawn<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;

const switches: fc.Arbitrary<Partial<Behaviour>> = fc.record({
	attributesOnPatch: either('merge', 'replace'),
	clearedText: either('null', 'empty'),
	contactOrder: either('oldestFirst', 'newestFirst'),
	contactPathId: either('external', 'externalOrInternal'),
	createExisting: either('conflict', 'upsert'),
	createReply: either('data', 'created'),
	deleteReply: either('contact', 'empty'),
	emailCase: either('asSent', 'lower'),
	emailUnique: fc.boolean(),
	endpoints: either('all', 'all', 'all', 'all', 'all', 'withoutAttributeList'),
	issues: either('contactsFamily', 'everywhere', 'never'),
	missingFields: either('null', 'absent'),
	notFoundMessage: either('named', 'Resource not found'),
	nullInWrite: either('clears', 'clears', 'badRequest'),
	pageBeyondEnd: either('badRequest', 'empty', 'lastPage'),
	phoneForm: either('asSent', 'e164'),
	phoneUnique: fc.boolean(),
});

/** `A` differs from `a` in case alone. Those with a prefix belong to a mirror of IDs. */
const ids = ['a', 'b', 'c', 'A', '1', 'x/y', 'crm-1', 'crm-2', 'crm-3'];
const emails = ['a@x.example', 'b@x.example', 'c@x.example', 'd@x.example'];
/** Three numbers, in forms that people write. */
const phones = [
	'+4930901820',
	'+49 (0)30 90-1820',
	'0049 30.901820',
	'030/901820',
	'+45 20 55 01 88',
	'20550188 (after 5 pm)',
	'+1 (415) 555\u20112671',
];
const dates = ['2026-09-01', '2026-09-01T08:30:00Z'];

const person = fc.record({
	name: fc.option(either('Ada', 'Bea', '42')),
	email: fc.option(either(...emails)),
	phonenumber: fc.option(either(...phones)),
	plan: fc.option(either('free', 'pro')),
	seats: fc.option(either(0, 5)),
	active: fc.option(fc.boolean()),
	since: fc.option(either(...dates)),
	team: fc.option(either('red', 'blue')),
	/** The attribute is archived, so its value can't be sent. */
	old: fc.option(either('kept')),
	/** The tag of a mirror. */
	source: fc.option(either('crm', 'crm', 'crm', 'shop')),
	/** Since when a mirror misses the contact. */
	gone: fc.option(either('2026-09-01T00:00:00.000Z'), { freq: 1 }),
});

const row = fc.record(
	{
		id: either(...ids, ...ids, 'd', 'e', 'crm-4', 'crm-5', undefined),
		/** The ID that an update gives to the contact. */
		newId: either('', '', '', '', 'n', 'b'),
		name: either('Ada', 'Bea', '42', '<b>Zoë</b>\n', '', null),
		email: either(...emails, 'e@x.example', 'f@x.example', 'A@X.example', '', '', '', '', null),
		phonenumber: either(...phones, '', '', '', '', '', null),
		plan: either('free', 'pro', '', null),
		// Text that isn't a number fails the item before any request.
		seats: either(0, 5, 7, '5', '7', 0, 5, 7, 0, 5, 7, 9, null, 'many'),
		active: either(true, 'false', null),
		since: either(...dates, '', null),
	},
	{ requiredKeys: ['id', 'newId'] },
);
export type Row = Drawn<typeof row>;

/** Lists in which no item fails before it is sent, so that a mirror does its work. */
const wellFormed = fc
	.uniqueArray(row, { selector: ({ id }) => id, minLength: 1, maxLength: 10 })
	.map((rows): Row[] =>
		rows.map((one, index) => ({
			...one,
			email: '',
			phonenumber: one.phonenumber && `+45 30 00 00 ${10 + index}`,
			seats: one.seats === 'many' ? 5 : one.seats,
		})),
	);

const gatewayPage = '<h1>Gateway Timeout</h1>';
const fault: fc.Arbitrary<Fault> = fc.oneof(
	fc.record({
		kind: fc.constant('status' as const),
		status: either(500, 502, 503, 504),
		body: either(gatewayPage, undefined),
		handled: fc.boolean(),
	}),
	fc.record({
		kind: fc.constant('status' as const),
		status: fc.constant(429),
		headers: either<Array<Record<string, string>>>(
			{ 'Retry-After': '2' },
			{ 'Retry-After': '40' },
			{},
		),
	}),
	either(...brokenConnections),
	// What the service may have done is as unknown as it is after a status of 500.
	either<Fault[]>(
		{ kind: 'status', status: 403 },
		{ kind: 'otherShape', body: { ok: true } },
		{ kind: 'otherShape', body: 'Hello', handled: true },
		{ kind: 'empty', handled: true },
		{ kind: 'redirect', location: 'http://127.0.0.1:9/' },
	),
);

/** Requests of one method that meet a fault. */
const trouble = fc.record({
	method: either('POST', 'POST', 'PATCH', 'PATCH', 'GET', 'DELETE'),
	first: either(1, 1, 1, 2, 3, 4),
	count: either(1, 1, 1, 1, 1, 1, 1, 2, 4, 9),
	fault,
});

/** A creation that the service carries out after its gateway has failed. (A late update could undo later ones.) */
const late = fc.record({
	nth: either(1, 1, 2),
	isSilent: fc.boolean(),
	after: fc.integer({ min: 100, max: 90_000 }),
});

const weather = fc.record({
	troubles: fc.array(trouble, { minLength: 1, maxLength: 3 }),
	lates: fc.array(late, { maxLength: 1 }),
});
const calm: Drawn<typeof weather> = { troubles: [], lates: [] };

/** What another writer does at the request with this number. */
const meddling = fc.record({
	atRequest: fc.integer({ min: 1, max: 8 }),
	what: either('addStranger', 'addStranger', 'add', 'remove', 'takeOver'),
	id: either(...ids),
});

type Meddling = Drawn<typeof meddling>;

const options = fc.record({
	emptyValues: either('ignore', 'clear'),
	setOnlyIfEmpty: fc.oneof(
		fc.constant([] as string[]),
		fc.subarray([
			'name',
			'email',
			'phonenumber',
			'custom_attributes.plan',
			'custom_attributes.seats',
		]),
	),
	maxConcurrency: either(1, 5),
});

const mirror = fc.record({
	manage: either('tag', 'idPrefix', 'all'),
	onMissing: either('report', 'mark', 'mark', 'delete', 'delete'),
	/** Without it, the usual limit refuses most lists as small as these. */
	maxMissing: either(undefined, 0, 2, 30, 30, 30, 30, 30),
	onFailedItems: either('stop', 'finish'),
});

export const scene = fc.record({
	behaviour: switches,
	operation: either('create', 'upsert', 'upsert', 'update', 'mirror', 'mirror', 'mirror', 'mirror'),
	before: fc.uniqueArray(fc.tuple(either(...ids), person), {
		selector: ([id]) => id,
		maxLength: 9,
	}),
	input: fc.oneof(
		fc.array(row, { minLength: 1, maxLength: 6 }),
		fc.uniqueArray(row, { selector: ({ id }) => id, minLength: 1, maxLength: 10 }),
		wellFormed,
		wellFormed,
	),
	options,
	mirror,
	matchBy: either('externalId', 'externalIdThenEmail'),
	isMappedByHand: fc.boolean(),
	timeout: either(30_000, 2000),
	goesOn: either(true, true, false),
	weather: fc.oneof(fc.constant(calm), fc.constant(calm), weather),
	others: fc.oneof(
		fc.constant([] as Meddling[]),
		fc.array(meddling, { minLength: 1, maxLength: 2 }),
	),
});
export type Scene = Drawn<typeof scene>;

/** A scene in which a contact is missing for certain, and another changes: few others have that. */
export function certainlyMissing(onMissing: 'mark' | 'delete'): [Scene] {
	const names = ['email', 'phonenumber', 'plan', 'seats', 'active', 'since', 'team', 'old', 'gone'];
	const empty = Object.fromEntries(names.map((name) => [name, null]));
	const nobody = { ...empty, name: 'Ada', source: 'crm' } as Drawn<typeof person>;
	return [
		{
			behaviour: {},
			operation: 'mirror',
			before: [
				['a', nobody],
				['b', nobody],
			],
			input: [{ id: 'a', newId: '', name: 'Bea' }],
			options: {
				emptyValues: 'ignore',
				setOnlyIfEmpty: [],
				maxConcurrency: 5,
			},
			mirror: {
				manage: 'tag',
				onMissing,
				maxMissing: 2,
				onFailedItems: 'stop',
			},
			matchBy: 'externalId',
			isMappedByHand: true,
			timeout: 30_000,
			goesOn: false,
			weather: calm,
			others: [],
		},
	];
}

/** The items that an operation accepts: others end the run, as suites of their own show. */
export function acceptedRows({ operation, mirror, input }: Scene): Row[] {
	const isPrefixed = operation === 'mirror' && mirror.manage === 'idPrefix';
	return input
		.filter((row) => !isBlank(row))
		.filter(({ id }) => id !== undefined || operation === 'create' || operation === 'upsert')
		.filter(({ id }) => !isPrefixed || id!.startsWith('crm-'));
}

/** Whether no cell of a row has a value. Such rows have tests of their own. */
export function isBlank(row: Row): boolean {
	return Object.entries(row)
		.filter(([name]) => name !== 'newId')
		.every(([, cell]) => cell === '' || cell === null || cell === undefined);
}

export const isCalm = ({ weather }: Scene): boolean => weather.troubles.length === 0;

/** Whether no request meets more faults than it is sent again for. */
export function isBearable({ weather: { troubles, lates } }: Scene): boolean {
	const countOf = (hit: typeof troubles) => hit.reduce((sum, { count }) => sum + count, 0);
	const creations = troubles.filter(({ method }) => method === 'POST');
	// The others are responses, but not those that the API promises.
	const passing = ['resetBefore', 'resetAfter', 'resetMidBody', 'stall'];
	const passes = ({ fault }: (typeof troubles)[number]) =>
		passing.includes(fault.kind) || (fault.kind === 'status' && fault.status !== 403);
	return countOf(troubles) <= 3 && countOf(creations) + lates.length <= 1 && troubles.every(passes);
}

export function furnish(testbed: Testbed, { behaviour, before }: Scene): void {
	testbed.reset();
	const { service } = testbed;
	Object.assign(service.behaviour, behaviour);
	const { store } = service;
	const attributes = { plan: 'text', seats: 'number', active: 'boolean', since: 'date' } as const;
	store.addAttributes('bot', { ...attributes, team: 'text', source: 'text', gone: 'date' });
	store.addAttribute('bot', { name: 'old', type: 'text', archived: true });
	// A contact as new as a request could be from that request.
	service.clock.set(Date.now() - 3_600_000);
	settle(service, before);
	service.clock.release();
}

const attributes = [
	attributeField('plan', 'string'),
	attributeField('seats', 'number'),
	attributeField('active', 'options', [{ name: 'True', value: 'true' }]),
	attributeField('since', 'dateTime'),
];
const columns = [
	'email',
	'name',
	'phonenumber',
	'custom_attributes.plan',
	'custom_attributes.seats',
];
const byHand = mapped(
	Object.fromEntries(
		['external_id', ...columns, 'custom_attributes.active', 'custom_attributes.since'].map(
			(name) => [name, `={{ $json.${name.replace('custom_attributes.', '')} }}`],
		),
	),
	attributes,
);

/** Automatic mapping needs the list of attributes. For an update, the column with the ID would be a field. */
export const isMappedByHand = ({ isMappedByHand, operation, behaviour }: Scene): boolean =>
	isMappedByHand || operation === 'update' || behaviour.endpoints === 'withoutAttributeList';

/** Runs the operation of a scene, without its weather. */
export async function run(
	testbed: Testbed,
	drawn: Scene,
	{ input = drawn.input, goesOn = drawn.goesOn, dryRun = false } = {},
) {
	const { operation, options, mirror, matchBy, timeout } = drawn;
	const isUpdate = operation === 'update';
	const { onFailedItems, maxMissing } = mirror;
	const mirrorOptions = { onFailedItems, maxMissing };
	const parameters = {
		operation,
		chatbotId,
		contactId,
		...(isMappedByHand(drawn) ? byHand : automatic()),
		matchBy,
		...mirror,
		tagValue: 'crm',
		idPrefix: 'crm-',
		missingSinceAttribute: byName('gone'),
		dryRun,
		options: {
			...options,
			...(operation === 'mirror' && { ...mirrorOptions, matchBy, tagAttribute: byName('source') }),
			...(dryRun && operation !== 'mirror' && { dryRun }),
		},
		requestOptions: { timeout },
	} as unknown as INodeParameters;
	const items = input.map(({ id, newId, ...values }) =>
		isUpdate ? { id, external_id: newId, ...values } : { external_id: id, ...values },
	);
	return await testbed.run(parameters, {
		input: items as never,
		nodeSettings: { onError: goesOn ? 'continueRegularOutput' : 'stopWorkflow' },
	});
}

/** A request of the node, with the External IDs in the service at that time. */
export interface Seen {
	request: RecordedRequest;
	ids: Set<string>;
	/** What it met. */
	fault?: Fault;
}

/** Other writers, and the faults of a scene. One request meets at most one fault. */
export class Weather {
	readonly seen: Seen[] = [];

	/** Internal and External IDs of contacts that others have changed, added or removed. */
	private readonly touched = new Set<unknown>();

	private readonly late: Array<Promise<unknown>> = [];

	private readonly stopListening: () => void;

	constructor(
		private readonly service: SimulatedService,
		private readonly drawn: Scene,
	) {
		this.stopListening = service.onRequest((request) => this.note(request));
	}

	/** An item may give another External ID to a contact that others then change, or have changed. */
	hasTouched({ id, external_id }: { id?: unknown; external_id?: unknown }): boolean {
		return this.touched.has(id ?? external_id) || this.touched.has(external_id);
	}

	/** Ends it, after all late work of the service. */
	async pass(): Promise<void> {
		await Promise.all(this.late);
		this.stopListening();
		this.service.faults.clear();
	}

	private note(request: RecordedRequest) {
		if (request.headers['x-late'] !== undefined) return;
		this.meddle(request.number);
		const { contacts } = this.service.store.chatbot('bot');
		this.seen.push({ request, ids: new Set([...contacts].map(({ external_id: id }) => id)) });

		const { lates, troubles } = this.drawn.weather;
		const { method } = request;
		const nth = this.seen.filter((other) => other.request.method === method).length;
		const late = method === 'POST' && lates.find((other) => other.nth === nth);
		const trouble = troubles.find(
			(other) => other.method === method && nth >= other.first && nth < other.first + other.count,
		);
		if (late) {
			const gateway: Fault = { kind: 'status', status: 504, body: gatewayPage };
			this.strike(request, late.isSilent ? { kind: 'stall' } : gateway);
			this.late.push(this.carryOutLater(request, late.after));
		} else if (trouble) this.strike(request, trouble.fault);
	}

	private meddle(number: number) {
		const { store } = this.service;
		const { contacts } = store.chatbot('bot');
		for (const { what, id } of this.drawn.others.filter((other) => other.atRequest === number)) {
			if (what === 'addStranger') {
				store.addContact('bot', { external_id: `other-${contacts.size}`, name: 'Other' });
				continue;
			}
			const contact = contacts.find(id);
			this.touched.add(id).add(contact?.id);
			if (what === 'add' && !contact) {
				this.touched.add(store.addContact('bot', { external_id: id }).id);
			}
			if (contact && what === 'remove') contacts.remove(contact);
			if (contact && what === 'takeOver') {
				const taken = { ...contact.custom_attributes, source: 'shop' };
				contacts.change(contact, { custom_attributes: taken });
			}
		}
	}

	private strike(request: RecordedRequest, fault: Fault) {
		const seen = this.seen.find((one) => one.request === request);
		if (seen) seen.fault = fault;
		this.service.faults.add({ when: { matches: (other) => other === request }, fault });
	}

	/** The gateway's request reaches the service late, without a client for its response. */
	private async carryOutLater({ method, url, body }: RecordedRequest, after: number) {
		await new Promise((resolve) => setTimeout(resolve, after));
		const { origin, apiKey } = this.service;
		await fetch(origin + url, {
			method,
			body: JSON.stringify(body),
			headers: {
				'Content-Type': 'application/json',
				Authorization: `Bearer ${apiKey}`,
				'X-Late': 'yes',
			},
		});
	}
}
