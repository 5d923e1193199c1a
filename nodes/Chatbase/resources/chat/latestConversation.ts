import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { cursorPages } from '../../api/paginate';
import type { InputItem } from '../../execution/item';
import { readComplete } from '../../execution/lists';
import { text } from '../../panel/types';
import { isBlank } from '../../values/json';
import { readTimestamp } from '../../values/time';

/** The conversation to continue, if any, and the one that an answer in another one replaces. */
export interface Target {
	id?: string;
	previous?: string;
}

interface User {
	chatbotId: string;
	userId: string;
}

/**
 * Looks up the latest conversation of a user, among those made by the API. Throws if a person has it, since no chatbot
 * talks beside a person, and if the list leaves any doubt: a message in the wrong conversation can't be taken back.
 */
export async function lookUpLatest(
	item: InputItem,
	api: ApiClient,
	{ chatbotId, userId }: User,
): Promise<Target> {
	const list = cursorPages(api, {
		path: '/agents/{chatbotId}/users/{userId}/conversations',
		resource: 'agentNewChat',
		params: { chatbotId, userId },
		query: { limit: 100 },
		canBeMissing: true,
	});
	const listed = await readComplete(item, 'conversations', list);
	const latest = latestOf(item, listed, userId);
	if (!latest) return {};

	const id = String(latest.id).trim();
	if (latest.status === 'paused' || latest.status === 'taken_over') {
		const nextStep = `A person has the latest conversation of user ${userId} (ID ${id}), so nothing was sent. Resume it with Conversation: Resume, or choose New under Conversation.`;
		throw item.error('The conversation is paused or was taken over', nextStep);
	}

	return latest.status === 'ended' ? { previous: id } : { id, previous: id };
}

/** The service may list conversations of others, and does not say in which order. */
function latestOf(
	item: InputItem,
	listed: IDataObject[],
	userId: string,
): IDataObject | undefined {
	const ofUser = listed.filter((one) => one.userId === userId);

	const withoutId = ofUser.find(({ id }) => isBlank(text.read(id)));
	if (withoutId) throw inDoubt(item, 'has no ID');

	const timed = ofUser.map((one) => ({ one, time: readTimestamp(one.updatedAt) }));
	const timeless = timed.find(({ time }) => time === undefined);
	if (timeless && timed.length > 1) {
		throw inDoubt(item, `(ID ${String(timeless.one.id)}) has no readable updatedAt`);
	}

	const [latest] = timed.sort((first, second) => second.time! - first.time!);
	return latest?.one;
}

function inDoubt(item: InputItem, reason: string) {
	const nextStep = `A conversation of the user ${reason} in the list of the service. Nothing was sent. Choose By ID or New under Conversation.`;
	return item.error('The latest conversation could not be found', nextStep);
}
