/** Answers to one plain and one streamed message. Refused messages cost nothing. */
import { randomUUID } from 'crypto';

import { differs } from '../answer';
import type { ServiceResponse } from '../response';
import { chattingQuestions, namesOf } from '../questions';
import type { Inquiry, Session } from '../session';
import { objectOf, recordsOf, parsed, type JsonObject } from '../shapes';

/** The start of every conversation ID of the probe. */
export const conversationPrefix = 'n8n-nodes-chatbase-probe-';

/** A small model that only the earlier list has. */
const earlierModel = 'gpt-4.1-nano';

/** With characters of several bytes, to see if they come back. */
export const shortText = 'Please answer with these words and nothing else: äöü €, 東京 and 👋.';

/** Longer than third-party code found to be allowed, however a service counts characters. */
const longText = shortText.padEnd(8010, ' Thank you.');

export const timeoutMs = 120_000;

export const chatInquiry: Inquiry = {
	title: 'One plain and one streamed message',
	requests: 12,

	async run(session) {
		const { client, findings } = session;
		const unknown = await client.ask('POST', '/chat', {
			body: { chatbotId: randomUUID(), messages: [{ role: 'user', content: shortText }] },
			timeoutMs,
		});
		findings.judge('chatUnknownChatbot', unknown, { 400: '400', 403: '403', 404: '404' });

		const conversationId = conversationPrefix + randomUUID();
		const isSaved = await sendPlain(session, conversationId);
		const isStreamed = await sendStreamed(session, isSaved ? conversationId : undefined);
		if (isSaved && isStreamed) await lookAtHistory(session, conversationId);
		findings.leave('no conversation was saved', 'conversationHistory');
	},
};

/** Sends a message with fewer and fewer extras, until one is answered. Those left out were refused. */
async function negotiate<Extra extends string>(
	extras: Extra[],
	send: (chosen: ReadonlySet<Extra>) => Promise<ServiceResponse>,
): Promise<{ response: ServiceResponse; taken: ReadonlySet<Extra> }> {
	const subsets = extras
		.reduce<Extra[][]>((sets, extra) => [...sets, ...sets.map((set) => [...set, extra])], [[]])
		.sort((a, b) => b.length - a.length);
	for (const subset of subsets) {
		const taken = new Set(subset);
		const response = await send(taken);
		if (!isRefusal(response) || subset.length === 0) return { response, taken };
	}
	throw new Error('The empty set is a subset of every set.');
}

/** Whether the service refused the content, and not the key or the number of requests. */
function isRefusal({ status }: ServiceResponse): boolean {
	return [400, 403, 404, 413, 422].includes(status);
}

/** @returns whether the conversation was saved */
async function sendPlain(session: Session, conversationId: string) {
	const { client, findings, chatbotId } = session;
	const { response, taken } = await negotiate(['alias', 'long', 'conversation'], async (chosen) => {
		const body = {
			[chosen.has('alias') ? 'chatId' : 'chatbotId']: chatbotId,
			messages: [{ role: 'user', content: chosen.has('long') ? longText : shortText }],
			...(chosen.has('conversation') && { conversationId }),
		};
		return await client.ask('POST', '/chat', { body, timeoutMs });
	});
	if (taken.has('conversation') && (response.isSuccess || response.isUnclear)) {
		session.left.push(
			`${response.isUnclear ? 'Perhaps a' : 'A'} conversation whose ID begins with ` +
				`${conversationPrefix}. Delete it in the dashboard: no request can.`,
		);
	}
	if (!response.isSuccess) {
		const extras = ['chatIdAlias', 'maximumMessageLength', 'unknownConversation'] as const;
		findings.leave(response, 'chatResponse', ...extras);
		return false;
	}
	findings.set('chatIdAlias', taken.has('alias') ? 'accepted' : 'refused');
	findings.set('maximumMessageLength', taken.has('long') ? 'taken' : 'refused');
	findings.set('unknownConversation', taken.has('conversation') ? 'creates' : 'badRequest');
	const { text, ...rest } = response.body;
	const form = Object.keys(rest).length > 0 ? 'more' : 'text';
	findings.set('chatResponse', typeof text === 'string' ? form : 'withoutText');
	return taken.has('conversation');
}

/** @returns whether an answer came */
async function sendStreamed({ client, findings, chatbotId }: Session, conversationId?: string) {
	const { response, taken } = await negotiate(['earlierModel'], async (chosen) => {
		const body: JsonObject = {
			chatbotId,
			messages: [{ role: 'user', content: shortText }],
			stream: true,
			...(conversationId !== undefined && { conversationId }),
			...(chosen.has('earlierModel') && { model: earlierModel }),
		};
		return await client.ask('POST', '/chat', { body, timeoutMs, isPartEnough: true });
	});
	if (!response.isSuccess) {
		const names = namesOf(chattingQuestions).filter((name) => name !== 'conversationHistory');
		findings.leave(response, ...names);
		return false;
	}
	findings.set('earlierChatModels', taken.has('earlierModel') ? 'accepted' : 'refused');
	lookAtStream(findings, response);
	return true;
}

function lookAtStream(
	findings: Session['findings'],
	{ headers, bytes, text, json, isComplete }: ServiceResponse,
): void {
	findings.set('streamEncoding', Buffer.from(text).equals(bytes) ? 'utf8' : 'other');
	const isCalledEvents = headers.get('content-type')?.startsWith('text/event-stream') ?? false;

	if (!isCalledEvents && !text.trimStart().startsWith('data:')) {
		const isText = json === undefined || typeof json !== 'object';
		const hasText = typeof objectOf(json).text === 'string';
		const framing = isText ? 'text' : hasText ? 'json' : undefined;
		findings.set('streamFraming', framing, differs('JSON without text'));
		findings.set('streamEventData', 'none');
		return findings.set('streamEnd', isComplete ? 'end' : 'broken');
	}
	findings.set('streamFraming', isCalledEvents ? 'events' : 'eventsAsPlainText');
	const lines = text.split(/\r\n|\r|\n/).filter((line) => line.startsWith('data:'));
	const data = lines.map((line) => line.slice('data:'.length).trim());
	const end = data.at(-1) === '[DONE]' ? 'done' : 'withoutDone';
	findings.set('streamEnd', isComplete ? end : 'broken');
	const first = data.find((value) => value !== '' && value !== '[DONE]');
	findings.set(
		'streamEventData',
		first === undefined ? first : kindOf(first),
		'the answer was empty',
	);
}

function kindOf(data: string): 'text' | 'json' | 'object' {
	const value = parsed(data);
	if (typeof value === 'string') return 'json';
	return typeof value === 'object' ? 'object' : 'text';
}

/** Two messages, each alone: with their answers they are four, unless the second replaced the first. */
async function lookAtHistory({ client, findings, chatbotId }: Session, conversationId: string) {
	// From yesterday on, whatever the service's time zone.
	const startDate = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
	const query = { chatbotId, startDate, size: 100 };
	const response = await client.ask('GET', '/get-conversations', { query });
	const saved = response.list?.find(({ id }) => id === conversationId);
	const count = recordsOf(saved?.messages)?.filter(({ role }) => role === 'user').length;
	const answer = count === 2 ? 'append' : count === 1 ? 'override' : undefined;
	const isUnseen = response.isSuccess || response.isMissing;
	const otherwise = isUnseen ? 'the conversation was not found' : response;
	findings.set('conversationHistory', answer, otherwise);
}
