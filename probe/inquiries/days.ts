/** What the lists of conversations and leads look like: pages without a total, and ranges of days. */
import { differs } from '../answer';
import type { ServiceResponse } from '../response';
import {
	conversationListQuestions,
	conversationQuestions,
	leadQuestions,
	namesOf,
} from '../questions';
import type { Inquiry, Session } from '../session';
import { firstOf, objectOf, recordsOf, roughFormat, type JsonObject } from '../shapes';

/** The page size that the node asks for. */
const usualSize = 100;

type Ask = (query: Record<string, string | number>) => Promise<ServiceResponse>;

export const conversationInquiry: Inquiry = {
	title: 'Conversations',
	requests: 2,

	async run(session) {
		const { findings } = session;
		const ask = askerOf(session, '/get-conversations');
		const response = await ask({ size: usualSize });
		const list = listOf(response);
		if (!list) {
			if (response.status === 400) findings.set('conversationPage', 'refused');
			const missing = response.isMissing ? 'missing' : undefined;
			findings.set('conversationList', missing, unexpectedList(response));
			return findings.leave(
				'there is no list',
				...namesOf({ ...conversationListQuestions, ...conversationQuestions }),
			);
		}

		findings.set('conversationList', 'data');
		lookAtRecent(session, list);
		await askForPages(session, {
			ask,
			firstLength: list.length,
			recordsIn: listOf,
			pageName: 'conversationPage',
		});
	},
};

export const leadInquiry: Inquiry = {
	title: 'Leads',
	requests: 2,

	async run(session) {
		const { findings } = session;
		const ask = askerOf(session, '/get-leads');
		const response = await ask({ size: usualSize });
		const found = leadsOf(response);
		if (!found) {
			if (response.status === 400) findings.set('leadPage', 'refused');
			const missing = response.isMissing ? 'missing' : undefined;
			findings.set('leadsShape', missing, unexpectedList(response));
			return findings.leave('there is no list', ...namesOf(leadQuestions));
		}

		const { shape, leads } = found;
		findings.set('leadsShape', shape);
		if (leads.length > 0) findings.set('leadTimes', roughFormat(leads[0].created_at));
		findings.leave('there are no leads', 'leadTimes');

		await askForPages(session, {
			ask,
			firstLength: leads.length,
			recordsIn: (answer) => leadsOf(answer)?.leads,
			pageName: 'leadPage',
		});
	},
};

function askerOf({ client, chatbotId }: Session, path: string): Ask {
	return async (query) => await client.ask('GET', path, { query: { chatbotId, ...query } });
}

function listOf(response: ServiceResponse): JsonObject[] | undefined {
	return response.list;
}

function unexpectedList(response: ServiceResponse) {
	return response.isSuccess ? differs('in no known place') : response;
}

function leadsOf({ json }: ServiceResponse) {
	const { collectedCustomers, data } = objectOf(json);
	const places = {
		collectedCustomers,
		'collectedCustomers.data': objectOf(collectedCustomers).data,
		data,
	};

	for (const shape of ['collectedCustomers', 'collectedCustomers.data', 'data'] as const) {
		const leads = recordsOf(places[shape]);
		if (leads) return { shape, leads };
	}
	return undefined;
}

function lookAtRecent({ findings }: Session, list: JsonObject[]): void {
	const [first] = list;
	if (!first) {
		return findings.leave('there are no conversations', ...namesOf(conversationQuestions));
	}

	findings.set('conversationTimes', roughFormat(first.created_at));
}

/** A list that has been read once. */
interface DayList {
	ask: Ask;
	/** How many the first page had. */
	firstLength: number;
	recordsIn: (response: ServiceResponse) => JsonObject[] | undefined;
	/** The question about a page of the usual size. */
	pageName: 'conversationPage' | 'leadPage';
}

/** Asks for the page that follows the first one. */
async function askForPages({ findings }: Session, list: DayList): Promise<void> {
	const { ask, firstLength, recordsIn, pageName } = list;
	const second = await ask({ size: usualSize, page: 2 });
	const follows = (recordsIn(second)?.length ?? 0) > 0;

	const page = firstOf([
		['tooMany', firstLength > usualSize],
		['full', firstLength === usualSize],
		['fewer', follows],
	]);
	findings.set(pageName, page, 'too few to tell', firstLength);
}
