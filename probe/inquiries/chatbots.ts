/** What the list of chatbots and the list of custom attributes look like. */
import type { ServiceResponse } from '../response';
import { chatbotQuestions, namesOf } from '../questions';
import type { Inquiry, Session } from '../session';
import { firstOf, isObject, objectOf, recordsOf, type JsonObject } from '../shapes';

interface ListedChatbots {
	shape: 'chatbots' | 'chatbots.data';
	chatbots: JsonObject[];
}

/** Where the chatbots of a response are; undefined if there are none. */
export function chatbotsOf({ json }: ServiceResponse): ListedChatbots | undefined {
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
		session.attributes = attributes.list;
		const isOffered = session.attributes !== undefined;
		const isListed = chatbotsOf(chatbots) !== undefined;
		const endpoints = firstOf([
			['contract', chatbots.isMissing && attributes.isMissing],
			['withoutChatbotList', chatbots.isMissing && isOffered],
			['withoutAttributeList', isListed && attributes.isMissing],
			['all', isListed && isOffered],
		]);
		findings.set('endpoints', endpoints, isListed ? attributes : chatbots);
	},
};

function lookAtChatbots({ findings }: Session, response: ServiceResponse): void {
	const found = chatbotsOf(response);
	const names = namesOf(chatbotQuestions);
	if (!found) {
		return findings.leave(response.isMissing ? 'there is no such list' : response, ...names);
	}

	findings.set('chatbotListShape', found.shape);
}
