/** What the lists of conversations and leads look like: pages without a total, and ranges of days. */
import { differs, notFoundOut } from '../answer';
import type { ServiceResponse } from '../client';
import type { QuestionName } from '../questions';
import type { Inquiry, Session } from '../session';
import {
	direction,
	isMissing,
	isObject,
	isSuccess,
	momentOf,
	objectOf,
	recordsOf,
	timeFormat,
	unexpected,
	type JsonObject,
} from '../shapes';

/** The page size that the node asks for. */
const usualSize = 100;

const extraFields = { conversation: ['form_submission'], message: ['createdAt', 'score'] };

type Ask = (query: Record<string, string | number>) => Promise<ServiceResponse>;

export const conversationInquiry: Inquiry = {
	title: 'Conversations',
	requests: 6,

	async run(session) {
		const { findings } = session;
		const ask = askerOf(session, '/get-conversations');
		const response = await ask({ size: usualSize });
		const list = recordsOf(objectOf(response.json).data);
		if (!list) {
			if (isMissing(response)) findings.set('conversationList', 'missing');
			if (response.status === 400) findings.set('conversationPage', 'refused');
			findings.setOther(unexpectedList(response), 'conversationList');
			return findings.setOther(
				notFoundOut('there is no list'),
				'conversationTimeField',
				'conversationTimes',
				'conversationSource',
				'conversationExtras',
				'conversationSize',
				'conversationPage',
				'sizeAboveMaximum',
				'listOrder',
				'conversationDate',
				'endDate',
			);
		}
		findings.set('conversationList', 'data');
		lookAtConversations(session, list);
		await askForPages(
			session,
			ask,
			list.length,
			(answer) => recordsOf(objectOf(answer.json).data),
			['conversationSize', 'conversationPage'],
		);

		const large = await ask({ size: 1001 });
		if (large.status === 400) findings.set('sizeAboveMaximum', 'badRequest');
		else if (isSuccess(large)) findings.set('sizeAboveMaximum', 'clamp');
		else findings.setOther(unexpected(large), 'sizeAboveMaximum');

		await askForDays(session, ask, list);
	},
};

export const leadInquiry: Inquiry = {
	title: 'Leads',
	requests: 3,

	async run(session) {
		const { findings } = session;
		const ask = askerOf(session, '/get-leads');
		const response = await ask({ size: usualSize });
		const found = leadsOf(response);
		if (!found) {
			if (isMissing(response)) findings.set('leadsShape', 'missing');
			if (response.status === 400) findings.set('leadPage', 'refused');
			findings.setOther(unexpectedList(response), 'leadsShape');
			return findings.setOther(
				notFoundOut('there is no list'),
				'leadId',
				'leadConversation',
				'leadTimes',
				'leadSize',
				'leadPage',
			);
		}
		const { shape, leads } = found;
		findings.set('leadsShape', shape);
		if (leads.length > 0) {
			const types = new Set(leads.map(({ id }) => typeof id));
			if (types.has('undefined') || types.has('object')) findings.set('leadId', 'missing');
			else findings.set('leadId', types.has('number') ? 'integer' : 'string');
			const isNamed = leads.some(({ conversationId }) => conversationId != null);
			findings.set('leadConversation', isNamed ? 'named' : 'absent');
			findings.set('leadTimes', formatOf(leads[0].created_at));
		}
		const ofLeads = ['leadId', 'leadConversation', 'leadTimes'] as const;
		findings.setOther(notFoundOut('there are no leads'), ...ofLeads);
		await askForPages(session, ask, leads.length, (answer) => leadsOf(answer)?.leads, [
			'leadSize',
			'leadPage',
		]);
	},
};

function askerOf({ client, chatbotId }: Session, path: string): Ask {
	return async (query) => await client.ask('GET', path, { query: { chatbotId, ...query } });
}

function unexpectedList(response: ServiceResponse) {
	return isSuccess(response) ? differs('in no known place') : unexpected(response);
}

function leadsOf({ json }: ServiceResponse) {
	const { collectedCustomers, data } = objectOf(json);
	const places = {
		collectedCustomers,
		'collectedCustomers.data': isObject(collectedCustomers) ? collectedCustomers.data : undefined,
		data,
	};
	for (const shape of ['collectedCustomers', 'collectedCustomers.data', 'data'] as const) {
		const leads = recordsOf(places[shape]);
		if (leads) return { shape, leads };
	}
	return undefined;
}

function formatOf(time: unknown): 'iso' | 'number' | 'other' {
	const format = timeFormat(time);
	return format === 'seconds' || format === 'milliseconds' ? 'number' : format;
}

function lookAtConversations({ findings }: Session, list: JsonObject[]): void {
	const [first] = list;
	if (!first) {
		return findings.setOther(
			notFoundOut('there are no conversations'),
			'conversationTimeField',
			'conversationTimes',
			'conversationSource',
			'conversationExtras',
			'listOrder',
		);
	}
	const [isUpdated, isLast] = ['updated_at', 'last_message_at'].map((field) =>
		list.some((conversation) => conversation[field] != null),
	);
	if (isUpdated && isLast) findings.set('conversationTimeField', 'both');
	else if (isUpdated) findings.set('conversationTimeField', 'updated_at');
	else if (isLast) findings.set('conversationTimeField', 'last_message_at');
	else if (first.created_at != null) findings.set('conversationTimeField', 'none');
	else findings.setOther(differs('no time at all'), 'conversationTimeField');
	findings.set('conversationTimes', formatOf(first.created_at));

	const sources = list.map(({ source }) => source).filter((source) => typeof source === 'string');
	if (sources.length > 0) {
		const isLower = sources.every((source) => source === source.toLowerCase());
		findings.set('conversationSource', isLower ? 'lowerCase' : 'titleCase');
	}
	findings.setOther(notFoundOut('no conversation with one'), 'conversationSource');

	const messages = list.flatMap((conversation) => recordsOf(conversation.messages) ?? []);
	const hasExtras =
		list.some((conversation) => extraFields.conversation.some((field) => field in conversation)) ||
		messages.some((message) => extraFields.message.some((field) => field in message));
	findings.set('conversationExtras', hasExtras ? 'returned' : 'none');

	const ways = [({ created_at }: JsonObject) => momentOf(created_at), lastMoment].map((timeOf) =>
		direction(list.map(timeOf)),
	);
	if (ways.includes('falling')) findings.set('listOrder', 'newestFirst');
	else if (ways.includes('rising')) findings.set('listOrder', 'oldestFirst');
	else if (ways.includes('neither')) findings.set('listOrder', 'other');
	findings.setOther(notFoundOut('too few conversations'), 'listOrder');
}

function lastMoment({ last_message_at, updated_at, created_at }: JsonObject): number {
	return momentOf(last_message_at ?? updated_at ?? created_at);
}

/** Asks for a page without a size, and for the page that follows the first one. */
async function askForPages(
	{ findings }: Session,
	ask: Ask,
	firstLength: number,
	listOf: (response: ServiceResponse) => JsonObject[] | undefined,
	[sizeName, pageName]: ['conversationSize', 'conversationPage'] | ['leadSize', 'leadPage'],
): Promise<void> {
	const standard = await ask({});
	const standardLength = listOf(standard)?.length;
	const second = await ask({ size: usualSize, page: 2 });
	const follows = (listOf(second)?.length ?? 0) > 0;

	const few: QuestionName[] = [sizeName, pageName];
	if (standardLength === undefined) findings.setOther(unexpected(standard), sizeName);
	else if (standardLength < firstLength || follows) {
		findings.set(sizeName, standardLength === 10 ? 10 : 'other', standardLength);
	}
	if (firstLength > usualSize) findings.set(pageName, 'tooMany');
	else if (firstLength === usualSize) findings.set(pageName, 'full');
	else if (follows) findings.set(pageName, 'fewer', firstLength);
	findings.setOther(notFoundOut('too few to tell'), ...few);
}

const dayOf = (moment: number) => new Date(moment).toISOString().slice(0, 10);

async function askForDays({ findings }: Session, ask: Ask, list: JsonObject[]): Promise<void> {
	const dated = list
		.map((conversation) => ({
			id: conversation.id,
			created: momentOf(conversation.created_at),
			last: lastMoment(conversation),
		}))
		.filter(({ created, last }) => !Number.isNaN(created) && !Number.isNaN(last));
	/** Whether a conversation is there; undefined when it may be on a later page. */
	const includes = (response: ServiceResponse, sought: unknown): boolean | undefined => {
		const found = recordsOf(objectOf(response.json).data) ?? [];
		if (found.some(({ id }) => id === sought)) return true;
		return found.length < list.length ? false : undefined;
	};

	// Far from midnight, the service's time zone matters least.
	const hoursFromNoon = (moment: number) => Math.abs(new Date(moment).getUTCHours() - 12);
	const [within] = dated
		.filter(({ created, last }) => dayOf(created) === dayOf(last))
		.sort((a, b) => hoursFromNoon(a.created) - hoursFromNoon(b.created));
	if (within) {
		const day = dayOf(within.created);
		const response = await ask({ startDate: day, endDate: day, size: usualSize });
		const isThere = includes(response, within.id);
		if (!isSuccess(response)) findings.setOther(unexpected(response), 'endDate');
		else if (isThere !== undefined) findings.set('endDate', isThere ? 'inclusive' : 'exclusive');
	}
	findings.setOther(notFoundOut('no conversation within one day'), 'endDate');

	// The one with the newest message: the fewest others are in its range.
	const [across] = dated
		.filter(({ created, last }) => dayOf(created) < dayOf(last))
		.sort((a, b) => b.last - a.last);
	if (across) {
		const response = await ask({ startDate: dayOf(across.last), size: usualSize });
		const isThere = includes(response, across.id);
		if (!isSuccess(response)) findings.setOther(unexpected(response), 'conversationDate');
		else if (isThere !== undefined) {
			findings.set('conversationDate', isThere ? 'lastMessage' : 'created');
		}
	}
	findings.setOther(notFoundOut('no conversation over several days'), 'conversationDate');
}
