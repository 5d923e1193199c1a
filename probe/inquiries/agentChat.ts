/** Messages of version 2, and a pause of the conversation that they begin. */
import { randomUUID } from 'crypto';

import { isPlainId } from '../ownership';
import type { ServiceResponse } from '../response';
import {
	agentChatQuestions,
	agentStreamQuestions,
	namesOf,
	pauseQuestions,
	toolResultQuestions,
} from '../questions';
import type { Inquiry, Session } from '../session';
import { firstOf, objectOf, recordsOf, type JsonObject } from '../shapes';
import { knowsAgent } from './agent';
import { exporterOf } from './agentConversations';
import { shortText, timeoutMs } from './chat';
import { eventsIn, lookAtEvents, metadataIn } from './agentStream';

/** The start of the user ID of the conversation that the probe begins. */
export const conversationPrefix = 'n8n-nodes-chatbase-probe-';

const chatNames = namesOf(agentChatQuestions);
const streamNames = namesOf(agentStreamQuestions);

export const agentChatInquiry: Inquiry = {
	title: 'Version 2: one plain and one streamed message',
	requests: 3,

	async run(session) {
		if (!knowsAgent(session, ...chatNames, ...streamNames)) return;
		const { findings } = session;
		const userId = conversationPrefix + randomUUID();
		const plain = await begin(session, userId);
		const { id } = session.conversation ?? {};
		const to = id === undefined ? { userId } : { conversationId: id };
		const streamed = plain.isSuccess ? await send(session, { stream: true, ...to }) : plain;
		if (!streamed.isSuccess) return findings.leave(streamed, ...chatNames, ...streamNames);

		if (streamed.json === undefined) lookAtEvents(session, streamed);
		findings.leave('the answer was not streamed', ...streamNames);
	},
};

async function send({ client, paths }: Session, body: JsonObject): Promise<ServiceResponse> {
	return await client.ask('POST', `${paths.agent}/chat`, {
		body: { message: shortText, stream: false, ...body },
		timeoutMs,
		isPartEnough: body.stream === true,
	});
}

/** Sends a message with an unknown conversation ID, and one without if that was refused. */
async function begin(session: Session, userId: string): Promise<ServiceResponse> {
	const { findings, left } = session;
	const unknown = await send(session, { conversationId: randomUUID(), userId });
	const isMismatch = unknown.code === 'CHAT_CONVERSATION_MISMATCH';
	const refusal = unknown.pick({ 400: 'mismatch400', 403: 'mismatch403' });
	const known = unknown.pick({ success: 'startsAnother', missing: 'notFound' });
	findings.set('v2ChatUnknownConversation', isMismatch ? refusal : known, unknown);

	const plain = unknown.isSuccess ? unknown : await send(session, { userId });
	const isLeft = [unknown, plain].some((one) => one.isSuccess || one.isUnclear);
	if (isLeft) {
		left.push(
			`${plain.isSuccess ? 'A' : 'Perhaps a'} conversation whose user ID begins with ` +
				`${conversationPrefix}. Delete it in the dashboard: no request can.`,
		);
	}
	if (plain.isSuccess) lookAtAnswer(session, plain, userId);
	return plain;
}

/** Remembers the conversation that began. */
function lookAtAnswer(
	session: Session,
	{ json, text, data }: ServiceResponse,
	userId: string,
): void {
	const metadata = json === undefined ? metadataIn(eventsIn(text)) : objectOf(data.metadata);
	const { conversationId } = metadata;
	if (isPlainId(conversationId)) session.conversation = { id: conversationId, userId };
}

export const toolResultInquiry: Inquiry = {
	title: 'Version 2: the result of a tool call that nobody made',
	requests: 1,

	async run(session) {
		const names = namesOf(toolResultQuestions);
		if (!knowsAgent(session, ...names)) return;
		const { client, conversation, findings, paths } = session;
		if (!conversation) return findings.leave('there is no conversation of the probe', ...names);

		const path = `conversations/${conversation.id}`;
		client.made.add(path);
		const body = { toolCallId: `call_${randomUUID()}`, output: {} };
		const response = await client.ask('POST', `${paths.agent}/${path}/tool-result`, { body });
		const isKnownCode = response.code === 'RESOURCE_TOOL_CALL_NOT_FOUND';
		const answer = firstOf([
			['accepted', response.isSuccess],
			['RESOURCE_TOOL_CALL_NOT_FOUND', response.isMissing && isKnownCode],
			['other', response.isMissing],
		]);
		findings.set('v2UnknownToolCall', answer, response);
	},
};

export const pauseInquiry: Inquiry = {
	title: 'Version 2: pausing the conversation of the probe',
	requests: 4,

	async run(session) {
		const names = namesOf(pauseQuestions);
		if (!knowsAgent(session, ...names)) return;
		const { client, findings, paths, conversation } = session;
		if (!conversation) return findings.leave('there is no conversation of the probe', ...names);
		const { id, userId } = conversation;
		const query = { conversationId: id, include: 'summary' };
		const found = await exporterOf(session)(query);
		const [row, ...others] = found.page?.rows ?? [];
		// Only the probe knows this user ID, so no other conversation can have it.
		if (row?.id !== id || row.userId !== userId || others.length > 0) {
			const answer = found.isSuccess ? 'the conversation was not found by its ID' : found;
			return findings.leave(answer, ...names);
		}
		const patch = async (target: string, body: object) => {
			client.made.add(`conversations/${target}`);
			return await client.ask('PATCH', `${paths.agent}/conversations/${target}`, { body });
		};
		const paused = await patch(id, { paused: true });
		if (paused.data.status !== 'paused') {
			return findings.leave(
				paused.isSuccess ? 'the conversation was not paused' : paused,
				...names,
			);
		}

		const reply = await send(session, { conversationId: id });
		const isRefused = reply.code === 'CHAT_CONVERSATION_NOT_ONGOING';
		const refusal = reply.pick({ 403: '403', 400: '400', 409: '409' });
		const answer = firstOf([
			['recorded', reply.isSuccess && recordsOf(reply.data.parts)?.length === 0],
			['answered', reply.isSuccess],
		]);
		findings.set('v2ChatPaused', isRefused ? refusal : answer, reply);

		// A conversation that does not exist, so that nothing is paused.
		const nobody = await patch(randomUUID(), { paused: true });
		const codes = ['RESOURCE_NOT_FOUND', 'AGENT_NOT_FOUND'] as const;
		const code = codes.find((one) => one === nobody.code) ?? 'other';
		findings.set('v2PauseUnknownConversation', nobody.isMissing ? code : undefined, nobody);
	},
};
