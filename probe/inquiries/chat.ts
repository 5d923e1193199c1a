/** Answers to one plain and one streamed message. */
import { differs } from '../answer';
import type { ServiceResponse } from '../response';
import { chattingQuestions, namesOf } from '../questions';
import type { Inquiry, Session } from '../session';
import { objectOf, jsonOf } from '../shapes';

/** With characters of several bytes, which a stream may cut anywhere. */
export const shortText = 'Please answer with these words and nothing else: äöü €, 東京 and 👋.';

export const timeoutMs = 120_000;

export const chatInquiry: Inquiry = {
	title: 'One plain and one streamed message',
	requests: 2,

	async run(session) {
		await sendPlain(session);
		await sendStreamed(session);
	},
};

/** Without a conversation ID, so that the service saves nothing. */
async function send(
	{ client, chatbotId }: Session,
	options: { stream?: boolean } = {},
): Promise<ServiceResponse> {
	const body = { chatbotId, messages: [{ role: 'user', content: shortText }], ...options };
	return await client.ask('POST', '/chat', { body, timeoutMs, isPartEnough: options.stream });
}

async function sendPlain(session: Session): Promise<void> {
	const { findings } = session;
	const response = await send(session);
	if (!response.isSuccess) return findings.leave(response, 'chatResponse');

	const { text, ...rest } = response.body;
	const form = Object.keys(rest).length > 0 ? 'more' : 'text';
	findings.set('chatResponse', typeof text === 'string' ? form : 'withoutText');
}

async function sendStreamed(session: Session): Promise<void> {
	const { findings } = session;
	const response = await send(session, { stream: true });
	if (!response.isSuccess) return findings.leave(response, ...namesOf(chattingQuestions));
	lookAtStream(findings, response);
}

function lookAtStream(findings: Session['findings'], response: ServiceResponse): void {
	const { headers, text, isComplete } = response;
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
