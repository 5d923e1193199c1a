/** The process of the simulated service, which shares no event loop with those that it serves. */
import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';

import {
	startService,
	type Behaviour,
	type RateLimit,
	type SimulatedService,
} from '../../service/index.js';
import {
	conversationAt,
	customer,
	dayOfConversation,
	differenceFrom,
	documents,
	fileAt,
	isFlawed,
	newcomers,
	newNumber,
	range,
	row,
	type Customer,
	type Document,
	type Flaw,
} from '../data.mjs';
import { answerCalls } from './calls.mjs';

/** A service to measure against. */
export interface Scene {
	contacts: number;
	conversations?: number;
	/** Sources that the chatbot has been taught, none if absent. */
	sources?: number;
	/** Files that it has been taught besides. Uploads have no limit of their own. */
	files?: number;
	delayMs: number;
	rateLimit?: RateLimit;
	behaviour?: Partial<Behaviour>;
	/** A page of the list, from 1, that gets this status once. */
	fault?: { page: number; status: number };
}

/** The URL of a service and its settings. */
export interface Target {
	baseUrl: string;
	apiKey: string;
	chatbotId: string;
}

/** What the contacts must be in the end. */
export type Outcome =
	| { kind: 'untouched' }
	| { kind: 'synced'; percent: number }
	/** So many customers, in the columns that the nightly sync maps. */
	| { kind: 'rowsSynced'; percent: number; count: number }
	| { kind: 'newNumbers' }
	/** Each document is a source, with its present text. */
	| { kind: 'taught'; count: number; percent: number }
	/** The same with files. */
	| { kind: 'uploaded'; count: number; percent: number }
	/** All new contacts exist, except refused ones. */
	| { kind: 'joined'; count: number; flaw: Flaw };

/** What reached a service, and what is wrong with its contacts now. */
export interface Seen {
	requests: number;
	/** By method. */
	methods: Record<string, number>;
	/** Most requests in flight at once. */
	together: number;
	refused: number;
	/** How many contacts or sources are not as they should be. */
	wrongRecords: number;
	example?: string;
}

const services = new Map<string, SimulatedService>();

const chatbotId = 'bench';

export const methods = {
	async start({
		contacts,
		conversations = 0,
		sources = 0,
		files = 0,
		delayMs,
		rateLimit,
		behaviour,
		fault,
	}: Scene): Promise<Target> {
		const reply = () => 'The quick brown fox jumps over the lazy dog. '.repeat(20);
		const service = await startService({ delayMs, rateLimit, behaviour, reply });
		const chatbot = service.store.addChatbot({ id: chatbotId, name: 'Bench' });
		const day = 86_400_000;
		const createdAt = Date.now() - 366 * day;
		chatbot.createdAt = new Date(createdAt).toISOString();
		service.store.seedContacts(chatbotId, contacts);
		for (const index of range(conversations)) {
			const began = new Date(createdAt + day * dayOfConversation(index, conversations));
			const conversation = { ...conversationAt(index), createdAt: began.toISOString() };
			service.store.addConversation(chatbotId, conversation);
		}
		for (const { id, ...taught } of documents(sources, 0)) {
			const size = Buffer.byteLength(taught.content);
			service.store.addSource(chatbotId, { id, name: taught.name, size, taught });
		}
		service.behaviourV2.fileRate.requests = Infinity;
		for (const index of range(files)) {
			const { id, name, bytes } = fileAt(index, 0);
			const taught = { name, file: { sha256: hashOf(bytes) } };
			service.store.addSource(chatbotId, { id, type: 'file', name, size: bytes.length, taught });
		}
		if (fault) {
			service.faults.add({
				when: { method: 'GET', matches: ({ query }) => query.page === String(fault.page), nth: 1 },
				fault: { kind: 'status', status: fault.status },
			});
		}
		services.set(service.baseUrl, service);
		return { baseUrl: service.baseUrl, apiKey: service.apiKey, chatbotId };
	},

	look({ target, outcome }: { target: Target; outcome: Outcome }): Seen {
		const service = services.get(target.baseUrl)!;
		const { requests } = service;
		const isUntouched = requests.every(({ method }) => method === 'GET');
		const problems =
			isUntouched && outcome.kind === 'untouched' ? [] : problemsOf(service, outcome);
		const methodsSeen: Record<string, number> = {};
		for (const { method } of requests) methodsSeen[method] = (methodsSeen[method] ?? 0) + 1;
		const seen = {
			requests: requests.length,
			methods: methodsSeen,
			together: service.maxInFlight,
			refused: requests.filter(({ status }) => status === 429).length,
			wrongRecords: problems.length,
			example: problems[0],
		};
		service.clearRequests();
		// Until the next run, all trainings have ended, as they do in a night.
		for (const source of service.store.chatbot(chatbotId).agent.sources) {
			if (source.status === 'updated') source.status = 'trained';
		}
		return seen;
	},

	async stop({ baseUrl }: Target): Promise<void> {
		const service = services.get(baseUrl)!;
		services.delete(baseUrl);
		// A peer that failed early may have requests on their way.
		while (service.inFlight > 0) await setTimeout(10);
		await service.close();
	},
};

function problemsOf({ store }: SimulatedService, outcome: Outcome): string[] {
	const { contacts, agent } = store.chatbot(chatbotId);
	if (outcome.kind === 'taught') {
		const known = new Map(agent.sources.map(({ id, taught }) => [id, taught as Partial<Document>]));
		const untaught = documents(outcome.count, outcome.percent).filter(
			({ id, content }) => known.get(id)?.content !== content,
		);
		const others = agent.sources.length - outcome.count;
		return [
			...untaught.map(({ name }) => `${name} has another text`),
			...(others > 0 ? [`${others} sources are new`] : []),
		];
	}
	if (outcome.kind === 'uploaded') {
		const known = new Map(agent.sources.map(({ id, taught }) => [id, taught as UploadedFile]));
		return range(outcome.count).flatMap((index) => {
			const { id, name, bytes } = fileAt(index, outcome.percent);
			return known.get(id)?.file.sha256 === hashOf(bytes) ? [] : [`${name} has other bytes`];
		});
	}
	const problem = (wanted: Partial<Customer>) => {
		const difference = differenceFrom(contacts.find(wanted.external_id!), wanted);
		return difference ? [`${wanted.external_id} ${difference}`] : [];
	};
	if (outcome.kind !== 'joined') {
		const count = outcome.kind === 'rowsSynced' ? outcome.count : contacts.size;
		return range(count).flatMap((index) => problem(wantedAt(index, outcome)));
	}
	return newcomers(outcome.count, outcome.flaw).flatMap(({ external_id, name, email }, index) => {
		if (!isFlawed(index)) return problem({ external_id, name, email });
		return contacts.find(external_id) ? [`${external_id} is there`] : [];
	});
}

interface UploadedFile {
	file: { sha256: string };
}

function hashOf(bytes: Buffer): string {
	return createHash('sha256').update(bytes).digest('hex');
}

function wantedAt(
	index: number,
	outcome: Exclude<Outcome, { kind: 'joined' | 'taught' | 'uploaded' }>,
): Partial<Customer> {
	switch (outcome.kind) {
		case 'newNumbers':
			return newNumber(index);
		case 'rowsSynced':
			return row(index, outcome.percent);
		case 'synced':
			return customer(index, outcome.percent);
		case 'untouched':
			return customer(index, 0);
	}
}

answerCalls(methods);
