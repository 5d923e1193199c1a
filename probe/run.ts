/** One run of the probe: announces what it will do, asks, cleans up. */
import type { Part } from './answer';
import { cleaningRequests, cleanUp } from './cleaning';
import { Client, Interrupted } from './client';
import { Findings, type Row } from './findings';
import { attributePrefix, scratchPrefix } from './ownership';
import { attributeInquiry } from './inquiries/attributes';
import { agentInquiry } from './inquiries/agent';
import {
	agentChatInquiry,
	conversationPrefix,
	pauseInquiry,
	toolResultInquiry,
} from './inquiries/agentChat';
import { exportInquiry, ratingInquiry } from './inquiries/agentConversations';
import { chatInquiry } from './inquiries/chat';
import { chatbotInquiry, chatbotsOf } from './inquiries/chatbots';
import { contactListInquiry } from './inquiries/contacts';
import { conversationInquiry, leadInquiry } from './inquiries/days';
import { errorInquiry } from './inquiries/errors';
import { sourceInquiry } from './inquiries/sources';
import { trafficInquiry } from './inquiries/traffic';
import { writeInquiry } from './inquiries/writes';
import { UsageError, type ProbeOptions } from './options';
import { Scratch } from './scratch';
import type { Inquiry, Session } from './session';

const inquiries: Record<Part, Inquiry[]> = {
	read: [
		...[chatbotInquiry, contactListInquiry, conversationInquiry, leadInquiry, errorInquiry],
		...[agentInquiry, exportInquiry, ratingInquiry],
	],
	write: [writeInquiry, attributeInquiry, sourceInquiry],
	attributes: [],
	chat: [chatInquiry, agentChatInquiry, toolResultInquiry],
	pause: [pauseInquiry],
};

export interface ProbeResult {
	rows: Row[];
	/** Sentences about what is left behind. */
	left: string[];
	/** Contacts and sources of an earlier run that were found. */
	leftovers: number;
	requests: number;
	isInterrupted: boolean;
}

export interface Surroundings {
	/** Ends the run early, after cleaning up. */
	signal: AbortSignal;
	/** Called with progress, without data of the service. */
	report: (line: string) => void;
}

/** The chatbots that a key can see, as lines of ID and name. */
export async function listChatbots(
	options: ProbeOptions,
	surroundings: Surroundings,
): Promise<string[]> {
	const response = await new Client({ ...options, ...surroundings }).ask('GET', '/get-chatbots');
	refuseDeadEnds(response.status);

	const found = chatbotsOf(response);
	if (!found) {
		throw new UsageError('The service does not list its chatbots. Name one with --chatbot.');
	}
	return found.chatbots.map(({ id, name }) => `${String(id)}  ${String(name)}`);
}

/** Most requests of a run, for a chatbot with at most 1,000 contacts and nothing of an earlier run. */
export function requestsOf(parts: Part[]): number {
	const asked = chosen(parts).reduce((sum, { requests }) => sum + requests, 0);
	return 2 + asked + (parts.includes('write') ? cleaningRequests : 0);
}

function chosen(parts: Part[]): Inquiry[] {
	return [...parts.flatMap((part) => inquiries[part]), trafficInquiry];
}

/** @throws UsageError when the address, the key or the chatbot leads nowhere */
export async function runProbe(
	options: ProbeOptions & { chatbotId: string },
	surroundings: Surroundings,
): Promise<ProbeResult> {
	const { parts } = options;
	const { report, signal } = surroundings;
	const client = new Client({ ...options, ...surroundings });
	const session = sessionOf(options, client);

	announce(parts, report);
	const failure: unknown = await askAll(session, report).catch((error: unknown) => error);
	const leftovers = await cleanUpAfter(session, report);
	if (failure !== undefined && !(failure instanceof Interrupted)) {
		// There will be no table.
		session.left.forEach((line) => report(`Left behind: ${line}`));
		throw failure;
	}

	return {
		rows: session.findings.rows(parts),
		left: session.left,
		leftovers,
		requests: client.requests,
		isInterrupted: signal.aborted,
	};
}

function sessionOf(options: ProbeOptions & { chatbotId: string }, client: Client): Session {
	const { chatbotId, baseUrl, parts } = options;
	const id = encodeURIComponent(chatbotId);

	return {
		client,
		findings: new Findings(),
		scratch: new Scratch(),
		chatbotId,
		baseUrl,
		paths: {
			contacts: `/chatbots/${id}/contacts`,
			attributes: `/chatbots/${id}/custom-attributes`,
			agent: `/agents/${id}`,
		},
		parts,
		contacts: [],
		left: [],
	};
}

async function askAll(session: Session, report: Surroundings['report']): Promise<void> {
	const { client, baseUrl, parts, paths } = session;
	await refuseUnusable(session);
	if (baseUrl.endsWith('/v1')) session.agent = await client.ask('GET', paths.agent);

	const all = chosen(parts);
	for (const [index, inquiry] of all.entries()) {
		report(`${index + 1}/${all.length} ${inquiry.title}`);
		await inquiry.run(session);
	}
}

/** @returns how many records of earlier runs were found */
async function cleanUpAfter(session: Session, report: Surroundings['report']): Promise<number> {
	if (!session.parts.includes('write') || !session.client.hasWritten) return 0;

	report('Cleaning up');
	return await cleanUp(session);
}

function announce(parts: Part[], report: (line: string) => void): void {
	const has = (part: Part) => parts.includes(part);
	const lines: Array<[isTrue: boolean, line: string]> = [
		[true, `At most ${requestsOf(parts)} requests, one at a time.`],
		[true, 'Requests that a rate limit refuses are repeated.'],
		[!has('write'), 'Nothing is written.'],
		[has('write'), 'Up to 3 more for each 1,000 contacts and each record of an earlier run.'],
		[has('write'), 'Scratch contacts and two scratch sources are created, changed and deleted.'],
		[has('write'), `The External ID or name of each begins with ${scratchPrefix}.`],
		[has('attributes'), 'Two custom attributes are created and archived.'],
		[has('attributes'), `Their names begin with ${attributePrefix}.`],
		[has('chat'), 'Up to five messages are sent, which cost credits. One conversation is left:'],
		[has('chat'), `its user ID begins with ${conversationPrefix}.`],
		[has('pause'), 'This conversation is paused.'],
	];

	for (const [isTrue, line] of lines) if (isTrue) report(line);
}

async function refuseUnusable({ client, paths }: Session): Promise<void> {
	const response = await client.ask('GET', paths.contacts, { query: { per_page: 10, page: 1 } });
	refuseDeadEnds(response.status);
	if (response.isMissing) throw new UsageError('The service has no such chatbot.');
}

function refuseDeadEnds(status: number): void {
	if (status === 0) throw new UsageError('No response came from the Base URL.');
	if (status === 401) throw new UsageError('The service refuses the key (status 401).');
}
