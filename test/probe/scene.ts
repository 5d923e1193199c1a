/** A simulated service with data for every question, and the probe. */
import type { Part } from '../../probe/answer';
import { runCommand, type Terminal } from '../../probe/command';
import type { Row } from '../../probe/findings';
import { attributePrefix, scratchPrefix } from '../../probe/ownership';
import { questions, type QuestionName } from '../../probe/questions';
import { runProbe, type ProbeResult, type Surroundings } from '../../probe/run';
import {
	startService,
	type CustomAttribute,
	type ServiceOptions,
	type Source,
	type SimulatedService,
} from '../../service';
import { orderTemplate } from '../../service/core/demoData';

export const chatbotId = 'probed-chatbot';
export const everyPart: Part[] = ['read', 'write', 'attributes', 'chat', 'pause'];

const listsAttributes: QuestionName[] = ['attributesOnPatch'];

/** What must be asked for a question to be asked: the list of custom attributes belongs to reading. */
export function partsFor(question: QuestionName): Part[] {
	const { part } = questions[question];
	if (part === 'attributes') return ['read', 'write', 'attributes'];
	if (part === 'pause') return ['write', 'chat', 'pause'];
	return listsAttributes.includes(question) ? ['read', 'write'] : [part];
}

const hour = 3_600_000;

/** A service whose chatbot is empty. */
export async function emptyScene(options: ServiceOptions = {}): Promise<SimulatedService> {
	const service = await startService(options);
	service.store.addChatbot({ id: chatbotId, name: 'Probed' });
	return service;
}

/**
 * A service in use: contacts with and without values, a source, a ticket,
 * WhatsApp templates, a blocked country, a rated answer, and more conversations and leads than a page holds. One conversation goes on for days.
 */
export async function scene(options: ServiceOptions = {}): Promise<SimulatedService> {
	const service = await emptyScene(options);
	const { store } = service;
	store.seedContacts(chatbotId, 30);
	store.addSource(chatbotId, { name: 'Shipping', size: 1200 });
	store.addTicket(chatbotId);
	store.chatbot(chatbotId).agent.blockedCountries = ['AQ'];
	store.chatbot(chatbotId).agent.whatsapp.accounts.push(...orderTemplate.accounts);
	const now = store.clock.now();
	for (let index = 0; index < 130; index++) {
		const created = now - (index + 30) * hour;
		const isLong = index === 2;
		const { id } = store.addConversation(chatbotId, {
			source: index % 2 === 0 ? 'Widget or Iframe' : 'API',
			createdAt: new Date(created).toISOString(),
			lastMessageAt: new Date(isLong ? now : created).toISOString(),
			messages: [
				{ role: 'user', content: 'Hello, where is my parcel?' },
				{
					role: 'assistant',
					content: 'On its way.',
					feedback: index === 1 ? 'negative' : null,
				},
			],
		});
		store.addLead(chatbotId, { name: `Visitor ${index}`, conversationId: id });
	}
	return service;
}

/** The answer of the probe about a service. */
export async function probe(
	service: SimulatedService,
	parts: Part[] = everyPart,
	{ signal = new AbortController().signal, report = () => undefined }: Partial<Surroundings> = {},
): Promise<ProbeResult> {
	return await runProbe(
		{
			apiKey: service.apiKey,
			baseUrl: service.baseUrl,
			isDefaultBaseUrl: false,
			chatbotId,
			parts,
		},
		{ signal, report },
	);
}

/** The answer of the probe about a service with these switches. */
export async function probeOf(
	options: Pick<ServiceOptions, 'behaviour' | 'behaviourV2'>,
	parts?: Part[],
): Promise<ProbeResult> {
	const service = await scene(options);
	try {
		return await probe(service, parts);
	} finally {
		await service.close();
	}
}

export function rowOf({ rows }: ProbeResult, question: QuestionName): Row {
	return rows.find((row) => row.question === question)!;
}

/** Names of the questions that have a verdict. */
export function questionsWith({ rows }: ProbeResult, verdict: Row['verdict']): QuestionName[] {
	return rows.filter((row) => row.verdict === verdict).map(({ question }) => question);
}

/** External IDs of the contacts that the probe has made and not deleted. */
export function scratchContacts({ store }: SimulatedService): string[] {
	return [...store.chatbot(chatbotId).contacts]
		.map(({ external_id }) => external_id)
		.filter((id) => id.startsWith(scratchPrefix));
}

/** Sources that the probe has made and not deleted. */
export function scratchSources({ store }: SimulatedService): Source[] {
	const { sources } = store.chatbot(chatbotId).agent;
	return sources.filter(
		(source) => isScratch(source) && !source.isGone && source.status !== 'toBeDeleted',
	);
}

function isScratch({ name, type }: Source): boolean {
	return (type === 'text' || type === 'file') && (name?.startsWith(scratchPrefix) ?? false);
}

/** Custom attributes that the probe has made. */
export function ownAttributes({ store }: SimulatedService): CustomAttribute[] {
	const { attributes } = store.chatbot(chatbotId);
	return [...attributes.values()].filter(({ name }) => name.startsWith(attributePrefix));
}

/**
 * Compares everything that the probe has not made with its state now, after each write and at the end.
 *
 * @returns a function that ends it and returns the changes, with the request before which each was seen
 */
export function watchCustomers(service: SimulatedService): () => string[] {
	const { contacts, attributes, settings, agent, conversations } = service.store.chatbot(chatbotId);
	const own = (name: string) => name.startsWith(scratchPrefix) || name.startsWith(attributePrefix);
	const state = () =>
		[
			...[...contacts].filter(({ external_id }) => !own(external_id)),
			...[...attributes.values()].filter(({ name }) => !own(name)),
			settings,
			// Whoever reads a source in the simulated service is counted.
			...agent.sources.filter((source) => !isScratch(source)).map((one) => ({ ...one, looks: 0 })),
			...agent.tickets,
			...conversations.filter(({ id, userId }) => !own(id) && !own(userId ?? '')),
		].map((value) => JSON.stringify(value));
	const before = state();
	const harm: string[] = [];
	const look = (when: string) => {
		const now = new Set(state());
		const gone = before.filter((value) => !now.has(value));
		harm.push(...gone.map((value) => `${when}: ${value}`));
		if (now.size > before.length) harm.push(`${when}: something new`);
	};
	let isWritten = true;
	const stop = service.onRequest(({ number, method }) => {
		// Serializing everything takes longer than a request, and reading changes nothing.
		if (isWritten) look(`before request ${number}`);
		isWritten = method !== 'GET';
	});
	return () => {
		stop();
		look('at the end');
		return harm;
	};
}

/** The probe with the URL and key of the service. */
export async function command(
	service: SimulatedService,
	args: string[],
	{ onInterruption = () => undefined, now = Date.now }: Partial<Terminal> = {},
) {
	let printed = '';
	let reported = '';
	const exits: number[] = [];
	const status = await runCommand({
		args: ['--base-url', service.baseUrl, ...args],
		environment: { CHATBASE_API_KEY: service.apiKey },
		print: (text) => (printed += text),
		report: (text) => (reported += text),
		onInterruption,
		exit: (code) => exits.push(code),
		now,
	});
	return { status, printed, reported, exits };
}
