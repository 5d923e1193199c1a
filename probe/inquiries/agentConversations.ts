/** How version 2 exports conversations. */
import { randomUUID } from 'crypto';

import { differs } from '../answer';
import { exportQuestions, namesOf, ratingQuestions } from '../questions';
import type { ServiceResponse } from '../response';
import type { Inquiry, Session } from '../session';
import { firstOf, recordsOf } from '../shapes';
import { knowsAgent } from './agent';

type Query = Record<string, string | number>;

export function exporterOf({ client, paths }: Session): (query: Query) => Promise<ServiceResponse> {
	const path = `${paths.agent}/conversations/export`;
	return async (query) => await client.ask('GET', path, { query });
}

export const exportInquiry: Inquiry = {
	title: 'Version 2: exported conversations',
	requests: 4,

	async run(session) {
		const { findings } = session;
		const names = namesOf(exportQuestions);
		if (!knowsAgent(session, ...names)) return;
		const ask = exporterOf(session);
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

		await askForOne(session, String(rows[0].id));
	},
};

/** A list of one conversation: its total and its end are known. */
async function askForOne(session: Session, conversationId: string): Promise<void> {
	const { findings } = session;
	const ask = exporterOf(session);
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

export const ratingInquiry: Inquiry = {
	title: 'Version 2: conversations with a rated answer',
	requests: 2,

	async run(session) {
		const { client, findings, paths } = session;
		const names = namesOf(ratingQuestions);
		if (!knowsAgent(session, ...names)) return;
		const query = { feedback: 'negative', limit: 1 };
		const found = await client.ask('GET', `${paths.agent}/conversations/search`, { query });
		if (!found.page) return findings.leave(found, ...names);

		const [row] = found.page.rows;
		if (!row) return findings.leave('no answer was rated negative', ...names);
		const exported = await exporterOf(session)({ conversationId: String(row.id) });
		const messages = recordsOf(exported.page?.rows[0]?.messages) ?? [];
		const ratings = messages.filter((message) => 'feedback' in message);
		const isRated = ratings.some(({ feedback }) => feedback === 'negative');
		const answer = isRated ? 'rated' : 'ignored';
		const isKnown = ratings.length > 0;
		findings.set('v2FeedbackFilter', isKnown ? answer : undefined, 'messages have no rating');
	},
};
