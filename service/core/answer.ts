/** How a chatbot makes an answer: it may run a custom action first. */
import type { Contact } from './contactBook';
import { runAction, type ActionResult } from '../page/customAction';
import type { Chatbot, Message } from './store';
import type { Part } from '../v2/state';

/** What stands for the model: it makes the text of an answer, or the text with its score. */
export type Reply = (messages: Message[], situation: Situation) => string | ScoredText;

export interface ScoredText {
	text: string;
	/** How good the service finds the answer, from 0 to 1; null if it doesn't say. Reference of version 2. */
	score: number | null;
}

/** What the chatbot knows beside the messages. */
export interface Situation {
	chatbot: Chatbot;
	/** What its custom action did, if it used one. After results of client-side actions, the last of them. */
	action?: ActionResult;
}

/** What an answer is made with. */
export interface Answering {
	/** Makes the chatbot's answer. */
	reply: Reply;
	/** Milliseconds that a chatbot waits for the response to a custom action. */
	actionPatienceMs: number;
}

/** An echo: the same messages give the same text, and a test sees in it what arrived, also from a custom action. */
export function echo(messages: Message[], { action }: Pick<Situation, 'action'> = {}): string {
	const asked = messages.findLast(({ role }) => role === 'user');
	const said = `You said: ${asked?.content ?? ''}`;
	if (!action) return said;

	return `${said}\n${action.name}: ${action.failure ?? JSON.stringify(action.output)}`;
}

/** What a chatbot is to answer. */
export interface Question {
	chatbot: Chatbot;
	messages: Message[];
	/** The contact of a verified visitor. An API chat has none, whatever IDs it names. Public pages. */
	contact?: Contact;
	/** What a client-side action has found. The chatbot then uses no custom action. */
	result?: ActionResult;
}

export interface Answer extends ScoredText {
	parts: Part[];
}

/** Answers the last message. */
export async function answerTo(
	{ reply: replyTo, actionPatienceMs }: Answering,
	question: Question,
): Promise<Answer> {
	const { chatbot, messages, result } = question;
	const action = result ?? (await actionFor(question, actionPatienceMs));

	const reply = replyTo(messages, { chatbot, action });
	const { text, score } = typeof reply === 'string' ? { text: reply, score: null } : reply;
	const ownAction = result ? undefined : action;
	return { text, score, parts: [...partsOf(ownAction), { type: 'text', text }] };
}

/** Runs the first action that fits the last message of the user. */
async function actionFor(
	{ chatbot, messages, contact }: Question,
	patienceMs: number,
): Promise<ActionResult | undefined> {
	const message = messages.findLast(({ role }) => role === 'user')?.content ?? '';
	for (const action of chatbot.actions) {
		const inputs = action.recognize(message);
		if (inputs) return await runAction(action, inputs, { contact, patienceMs });
	}
	return undefined;
}

/** The call of an action and its result, as a message shows them. Reference of version 2. */
function partsOf(action: ActionResult | undefined): Part[] {
	if (!action) return [];
	const call = { toolCallId: 'call_1', toolName: action.name };
	const output = action.failure === undefined ? action.output : { error: action.failure };
	return [
		{ type: 'tool-call', ...call, input: action.inputs },
		{ type: 'tool-result', ...call, output },
	];
}
