/** How version 2 exports and finds conversations. */
import { randomUUID } from 'crypto';

import { differs } from '../answer';
import { exportQuestions, namesOf, searchQuestions } from '../questions';
import type { ServiceResponse } from '../response';
import type { Inquiry, Session } from '../session';
import { firstOf, momentOf, orderOf, recordsOf, timeFormat, type JsonObject } from '../shapes';
import { knowsAgent } from './agent';

const sources = (
	'API|WhatsApp|Messenger|Instagram|Slack|Salesforce|Zendesk|Zendesk Messaging|Chatbase site|' +
	'Playground|Action preview|Qna preview|Widget or Iframe|Center stage|Search|Iframe|Email|' +
	'Agent page|Phone|Android SDK|iOS SDK|Unspecified'
).split('|');
const statuses = ['ongoing', 'ended', 'taken_over', 'paused'];
const partTypes = ['text', 'tool-call', 'tool-result'];

type Query = Record<string, string | number>;

export function conversationsOf(
	{ client, paths }: Session,
	list: 'export' | 'search',
): (query: Query) => Promise<ServiceResponse> {
	const path = `${paths.agent}/conversations/${list}`;
	return async (query) => await client.ask('GET', path, { query });
}

export const exportInquiry: Inquiry = {
	title: 'Version 2: exported conversations',
	requests: 4,

	async run(session) {
		const { findings } = session;
		const names = namesOf(exportQuestions);
		if (!knowsAgent(session, ...names)) return;
		const ask = conversationsOf(session, 'export');
		const first = await ask({ limit: 20 });
		const rows = first.page?.rows;
		const hasMessages = rows?.every(({ messages }) => recordsOf(messages));
		findings.set('v2Export', hasMessages ? 'data' : undefined, first);
		if (!rows) return findings.leave(first, ...names);

		const unknown = await ask({ conversationId: randomUUID() });
		const others = unknown.page?.rows.length;
		const answer = firstOf([
			['empty', others === 0],
			['filterIgnored', others !== undefined],
			['notFound', unknown.isMissing],
		]);
		findings.set('v2ExportUnknownConversation', answer, unknown);
		if (rows.length === 0) return findings.leave('there are no conversations', ...names);

		lookAtConversations(session, rows);
		await askForOne(session, String(rows[0].id));
	},
};

function lookAtConversations({ findings }: Session, rows: JsonObject[]): void {
	const order = orderOf(rows.map(({ createdAt }) => momentOf(createdAt)));
	findings.set('v2ExportOrder', order, 'too few conversations');

	const messages = rows.flatMap((row) => recordsOf(row.messages) ?? []);
	const answers = messages.filter(({ role }) => role === 'assistant');
	const parts = messages.map((message) => recordsOf(message.parts) ?? []);
	const fields = firstOf([
		['systemRole', messages.some(({ role }) => role !== 'user' && role !== 'assistant')],
		['unknownPart', parts.flat().some(({ type }) => !partTypes.includes(String(type)))],
		['emptyParts', parts.some(({ length }) => length === 0)],
		['withoutCreatedAt', messages.some((message) => !('createdAt' in message))],
		['withoutFeedback', answers.some((message) => !('feedback' in message))],
		['withoutMetadata', answers.some((message) => !('metadata' in message))],
		['all', messages.length > 0],
	]);
	findings.set('v2MessageFields', fields, 'there are no messages');

	const formats = rows.map(({ createdAt }) => timeFormat(createdAt));
	const values = firstOf([
		['milliseconds', formats.includes('milliseconds')],
		[
			'unknownSource',
			rows.some(({ source }) => source != null && !sources.includes(String(source))),
		],
		['nullSource', rows.some(({ source }) => source == null)],
		['unknownStatus', rows.some(({ status }) => !statuses.includes(String(status)))],
		['known', formats.every((format) => format === 'seconds')],
	]);
	findings.set('v2ConversationValues', values, differs('times in another form'));
}

/** A list of one conversation: its total and its end are known. */
async function askForOne(session: Session, conversationId: string): Promise<void> {
	const { findings } = session;
	const ask = conversationsOf(session, 'export');
	const response = await ask({ conversationId });
	const page = response.page;
	const isAlone = page?.rows.length === 1 && page.rows[0].id === conversationId;
	if (!isAlone) {
		const answer = page ? differs('not this one alone') : response;
		return findings.leave(answer, 'v2Total', 'v2LastPage');
	}
	const { total, hasMore, cursor } = page;
	const count = firstOf([
		['exact', total === 1],
		['absent', total === undefined],
		['tooHigh', Number(total) > 1],
	]);
	findings.set('v2Total', count ?? 'tooLow');

	const leadsOn = hasMore && cursor !== '';
	const next = leadsOn ? (await ask({ conversationId, cursor })).page : undefined;
	const end = firstOf([
		['closed', !hasMore && cursor === ''],
		['cursorWithoutMore', !hasMore],
		['hasMoreWithoutCursor', cursor === ''],
		['repeatedCursor', next?.cursor === cursor],
	]);
	findings.set('v2LastPage', end, 'the page said that another one follows');
}

export const searchInquiry: Inquiry = {
	title: 'Version 2: search',
	requests: 4,

	async run(session) {
		const { findings } = session;
		if (!knowsAgent(session, ...namesOf(searchQuestions))) return;
		const ask = conversationsOf(session, 'search');
		const first = await ask({ limit: 25 });
		const page = first.page;
		if (!page) return findings.leave(first, ...namesOf(searchQuestions));
		const { rows, hasMore, cursor } = page;

		if (hasMore && cursor !== '') {
			const second = (await ask({ limit: 25, cursor })).page;
			const length = firstOf([
				['empty', second?.rows.length === 0 && second.hasMore === true],
				['short', rows.length < 25],
			]);
			findings.set('v2SearchPages', length ?? 'full');
		}
		findings.leave('there is only one page', 'v2SearchPages');

		const text = await ask({ query: 'hello', limit: 1 });
		const answer = firstOf([
			['available', text.isSuccess],
			['unavailable', text.code === 'CONVERSATION_SEARCH_UNAVAILABLE'],
		]);
		findings.set('v2SearchText', answer, text);

		const day = `${new Date().getUTCFullYear() - 2}-01-01`;
		const early = await ask({ startDate: day, endDate: day, limit: 1 });
		findings.judge('v2SearchWindow', early, { 400: 'twelveMonths', success: 'unlimited' });
	},
};
