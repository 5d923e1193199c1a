/** What the list of chatbots and the list of custom attributes look like. */
import { notFoundOut } from '../answer';
import type { ServiceResponse } from '../client';
import type { Inquiry, Session } from '../session';
import {
	isMissing,
	isObject,
	objectOf,
	recordsOf,
	timeFormat,
	unexpected,
	type JsonObject,
} from '../shapes';

/** Fields of a chatbot in Chatbase's reference. */
const referenceFields = [
	'name',
	'model',
	'instructions',
	'status',
	'visibility',
	'created_at',
	'updated_at',
];

/** Where the chatbots of a response are; undefined if there are none. */
export function chatbotsOf({ json }: ServiceResponse):
	| {
			shape: 'chatbots' | 'chatbots.data';
			chatbots: JsonObject[];
	  }
	| undefined {
	const { chatbots } = objectOf(json);
	const shape = isObject(chatbots) ? 'chatbots.data' : 'chatbots';
	const list = recordsOf(isObject(chatbots) ? chatbots.data : chatbots);
	return list && { shape, chatbots: list };
}

export const chatbotInquiry: Inquiry = {
	title: 'Chatbots and custom attributes',
	requests: 2,

	async run(session) {
		const { client, findings, paths } = session;
		const chatbots = await client.ask('GET', '/get-chatbots');
		lookAtChatbots(session, chatbots);

		const attributes = await client.ask('GET', paths.attributes);
		session.attributes = recordsOf(objectOf(attributes.json).data);
		const isOffered = session.attributes !== undefined;
		if (isMissing(chatbots)) {
			if (isMissing(attributes)) findings.set('endpoints', 'contract');
			else if (isOffered) findings.set('endpoints', 'withoutChatbotList');
		} else if (chatbotsOf(chatbots)) {
			if (isMissing(attributes)) findings.set('endpoints', 'withoutAttributeList');
			else if (isOffered) findings.set('endpoints', 'all');
		}
		findings.setOther(unexpected(chatbotsOf(chatbots) ? attributes : chatbots), 'endpoints');
	},
};

function lookAtChatbots({ findings }: Session, response: ServiceResponse): void {
	const found = chatbotsOf(response);
	if (!found) {
		const answer = isMissing(response)
			? notFoundOut('there is no such list')
			: unexpected(response);
		return findings.setOther(
			answer,
			'chatbotListShape',
			'chatbotRecord',
			'chatbotId',
			'readyStatus',
			'failedStatus',
			'chatbotTimes',
		);
	}
	const { shape, chatbots } = found;
	findings.set('chatbotListShape', shape);
	if (chatbots.length > 0) {
		const isWhole = chatbots.every((chatbot) =>
			referenceFields.every((name) => chatbot[name] != null),
		);
		findings.set('chatbotRecord', isWhole ? 'reference' : 'sparse');
		if (chatbots.every(({ id }) => typeof id === 'string')) findings.set('chatbotId', 'string');
		if (chatbots.some(({ id }) => typeof id === 'number')) findings.set('chatbotId', 'number');
		const format = timeFormat(chatbots[0].created_at);
		findings.set(
			'chatbotTimes',
			format === 'seconds' || format === 'milliseconds' ? 'number' : format,
		);
	}
	const statuses = new Set(chatbots.map(({ status }) => status));
	for (const status of ['ready', 'trained'] as const) {
		if (statuses.has(status)) findings.set('readyStatus', status);
	}
	for (const status of ['failed', 'oneFailed', 'limitExceeded'] as const) {
		if (statuses.has(status)) findings.set('failedStatus', status);
	}
	findings.setOther(notFoundOut('no chatbot is in that state'), 'readyStatus', 'failedStatus');
	findings.setOther(
		notFoundOut('no chatbot with one'),
		'chatbotRecord',
		'chatbotId',
		'chatbotTimes',
	);
}
