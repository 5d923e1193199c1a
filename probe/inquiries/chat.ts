/** Answers to one plain and one streamed message. Refused messages cost nothing. */
import { randomUUID } from 'crypto';

import { differs } from '../answer';
import type { ServiceResponse } from '../response';
import { chattingQuestions, namesOf } from '../questions';
import type { Inquiry, Session } from '../session';
import { objectOf, jsonOf, type JsonObject } from '../shapes';

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
	requests: 7,

	async run(session) {
		const { client, findings } = session;
		const unknown = await client.ask('POST', '/chat', {
			body: { chatbotId: randomUUID(), messages: [{ role: 'user', content: shortText }] },
			timeoutMs,
		});
		findings.judge('chatUnknownChatbot', unknown, { 400: '400', 403: '403', 404: '404' });

		await sendPlain(session, conversationPrefix + randomUUID());
		await sendStreamed(session);
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

async function sendPlain(session: Session, conversationId: string): Promise<void> {
	const { client, findings, chatbotId } = session;
	const { response, taken } = await negotiate(['long', 'conversation'], async (chosen) => {
		const body = {
			chatbotId,
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
		const names = ['chatResponse', 'maximumMessageLength', 'unknownConversation'] as const;
		return findings.leave(response, ...names);
	}

	findings.set('maximumMessageLength', taken.has('long') ? 'taken' : 'refused');
	findings.set('unknownConversation', taken.has('conversation') ? 'creates' : 'badRequest');
	const { text, ...rest } = response.body;
	const form = Object.keys(rest).length > 0 ? 'more' : 'text';
	findings.set('chatResponse', typeof text === 'string' ? form : 'withoutText');
}

async function sendStreamed({ client, findings, chatbotId }: Session): Promise<void> {
	const { response, taken } = await negotiate(['earlierModel'], async (chosen) => {
		const body: JsonObject = {
			chatbotId,
			messages: [{ role: 'user', content: shortText }],
			stream: true,
			...(chosen.has('earlierModel') && { model: earlierModel }),
		};
		return await client.ask('POST', '/chat', { body, timeoutMs, isPartEnough: true });
	});
	if (!response.isSuccess) return findings.leave(response, ...namesOf(chattingQuestions));

	findings.set('earlierChatModels', taken.has('earlierModel') ? 'accepted' : 'refused');
	lookAtStream(findings, response);
}

function lookAtStream(findings: Session['findings'], response: ServiceResponse): void {
	const { headers, bytes, text, isComplete } = response;
	findings.set('streamEncoding', Buffer.from(text).equals(bytes) ? 'utf8' : 'other');

	const isCalledEvents = headers.get('content-type')?.startsWith('text/event-stream') ?? false;
	if (!isCalledEvents && !text.trimStart().startsWith('data:')) {
		findings.set('streamFraming', plainFramingOf(response), differs('JSON without text'));
		findings.set('streamEventData', 'none');
		return findings.set('streamEnd', isComplete ? 'end' : 'broken');
	}

	findings.set('streamFraming', isCalledEvents ? 'events' : 'eventsAsPlainText');
	const lines = text.split(/\r\n|\r|\n/).filter((line) => line.startsWith('data:'));
	const data = lines.map((line) => line.slice('data:'.length).trim());
	const end = data.at(-1) === '[DONE]' ? 'done' : 'withoutDone';
	findings.set('streamEnd', isComplete ? end : 'broken');

	const first = data.find((value) => value !== '' && value !== '[DONE]');
	const kind = first === undefined ? undefined : kindOf(first);
	findings.set('streamEventData', kind, 'the answer was empty');
}

/** Of an answer without events; undefined if it is JSON without a text. */
function plainFramingOf({ json }: ServiceResponse): 'text' | 'json' | undefined {
	if (typeof json !== 'object') return 'text';
	return typeof objectOf(json).text === 'string' ? 'json' : undefined;
}

function kindOf(data: string): 'text' | 'json' | 'object' {
	const value = jsonOf(data);
	if (typeof value === 'string') return 'json';
	return typeof value === 'object' ? 'object' : 'text';
}
