/** Messages of version 2, and a pause of the conversation that they begin. */
import { randomUUID } from 'crypto';

import { differs } from '../answer';
import { isPlainId } from '../ownership';
import type { ServiceResponse } from '../response';
import { agentChatQuestions, agentStreamQuestions, namesOf, pauseQuestions } from '../questions';
import type { Inquiry, Session } from '../session';
import { firstOf, objectOf, recordsOf, type JsonObject } from '../shapes';
import { knowsAgent } from './agent';
import { conversationsOf } from './agentConversations';
import { conversationPrefix, shortText, timeoutMs } from './chat';
import { eventsIn, lookAtEvents, metadataIn } from './agentStream';

const chatNames = namesOf(agentChatQuestions);
const streamNames = namesOf(agentStreamQuestions);

export const agentChatInquiry: Inquiry = {
	title: 'Version 2: one plain and one streamed message',
	requests: 4,

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
		if (id === undefined) return findings.leave('the conversation was not named', 'v2SearchLag');

		const search = await conversationsOf(session, 'search')({ userId, limit: 25 });
		const rows = search.page?.rows;
		const lag = rows?.some((row) => row.id === id) ? 'none' : 'later';
		findings.set('v2SearchLag', rows && lag, search);
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
	const codes = ['CHAT_CREDITS_EXHAUSTED', 'CHAT_AGENT_CREDITS_EXHAUSTED'] as const;
	const exhausted = codes.find((code) => code === plain.code);
	findings.set('v2Credits', plain.isSuccess ? 'enough' : exhausted, plain);
	if (plain.isSuccess) lookAtAnswer(session, plain, userId);
	return plain;
}

function lookAtAnswer(session: Session, response: ServiceResponse, userId: string): void {
	const { findings } = session;
	const metadata =
		response.json === undefined
			? metadataIn(eventsIn(response.text))
			: objectOf(response.data.metadata);
	const { conversationId, usage, finishReason, userMessageId } = metadata;
	if (isPlainId(conversationId)) session.conversation = { id: conversationId, userId };
	const { credits } = objectOf(usage);
	const value = Number.isInteger(credits) ? 'integer' : 'fraction';
	findings.set('v2CreditsValue', credits === undefined ? 'absent' : value);

	if (response.json === undefined) return findings.leave('the answer was a stream', 'v2ChatAnswer');
	const types = recordsOf(response.data.parts)?.map(({ type }) => type);
	const texts = types?.filter((type) => type === 'text').length ?? 0;
	const form = firstOf([
		['error', finishReason === 'error'],
		['toolCalls', types?.includes('tool-call') ?? false],
		['emptyParts', types?.length === 0],
		['severalTexts', texts > 1],
		['nullUserMessageId', userMessageId === null],
		['text', texts === 1],
	]);
	findings.set('v2ChatAnswer', form, differs('there are no parts'));
}

export const pauseInquiry: Inquiry = {
	title: 'Version 2: pausing the conversation of the probe',
	requests: 5,

	async run(session) {
		const names = namesOf(pauseQuestions);
		if (!knowsAgent(session, ...names)) return;
		const { client, findings, paths, conversation } = session;
		if (!conversation) return findings.leave('there is no conversation of the probe', ...names);
		const { id, userId } = conversation;
		const query = { conversationId: id, include: 'summary' };
		const found = await conversationsOf(session, 'export')(query);
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
		const forms = [{ paused: true }, { status: 'paused' }];
		const responses = [await patch(id, forms[0]), await patch(id, forms[1])];
		const [byField, byStatusWord] = responses.map(
			(response) => response.isSuccess && response.data.status === 'paused',
		);
		const form = firstOf([
			['both', byField && byStatusWord],
			['paused', byField],
			['status', byStatusWord && responses[0].status === 400],
		]);
		findings.set('v2PauseForm', form, responses[0]);
		if (!form) return findings.leave('the conversation was not paused', ...names);

		const reply = await send(session, { conversationId: id });
		const isRefused = reply.code === 'CHAT_CONVERSATION_NOT_ONGOING';
		const refusal = reply.pick({ 403: '403', 400: '400', 409: '409' });
		const answer = firstOf([
			['recorded', reply.isSuccess && recordsOf(reply.data.parts)?.length === 0],
			['answered', reply.isSuccess],
		]);
		findings.set('v2ChatPaused', isRefused ? refusal : answer, reply);

		// A conversation that does not exist, so that nothing is paused.
		const nobody = await patch(randomUUID(), forms[byField ? 0 : 1]);
		const codes = ['RESOURCE_NOT_FOUND', 'AGENT_NOT_FOUND'] as const;
		const code = codes.find((one) => one === nobody.code) ?? 'other';
		findings.set('v2PauseUnknownConversation', nobody.isMissing ? code : undefined, nobody);
	},
};
