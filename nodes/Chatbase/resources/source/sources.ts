import type { IDataObject } from 'n8n-workflow';

import { fillPath } from '../../api/address';
import type { ApiClient } from '../../api/client';
import type { CursorPage, PagedList } from '../../api/paginate';
import { cursorPages, readCounted } from '../../api/paginate';
import type { ApiResponse } from '../../api/response';
import { version2 } from '../../api/versions';
import type { RunContext } from '../../execution/item';
import type { Nouns } from '../../mirror/summary';
import { isObject } from '../../values/object';
import { assertChatbotKnown } from '../conversation/conversations';

export const sourcesPath = '/agents/{chatbotId}/sources';
export const sourcePath = `${sourcesPath}/{sourceId}`;

/** Sources a page, at most (reference of version 2, 2.3). */
const maxPageSize = 100;

export const sourceNouns: Nouns = {
	one: 'source',
	many: 'sources',
	title: 'Sources',
	ids: 'names',
};

/** A source as the service returns it, without its content. Only fields that the package reads are named here. */
export interface Source extends IDataObject {
	id: string;
	type?: string;
	name?: string | null;
	/** In bytes. Some services state it only after the training. */
	size?: number;
	createdAt?: string;
	status?: string;
	metadata?: IDataObject | null;
}

/** By what a source is recognized. An item and a source match if their keys are equal. */
export function keyOf({ type, name }: { type?: string; name?: string | null }): string {
	return `${type} ${name?.trim() ?? ''}`;
}

/** Whether a source waits for its removal. */
export function isGone({ status }: Source): boolean {
	return status === 'toBeDeleted' || status === 'deleted';
}

export function sourcePages(
	api: ApiClient,
	chatbotId: string,
	query: IDataObject,
): PagedList<IDataObject, CursorPage> {
	const path = fillPath(sourcesPath, { chatbotId });
	return cursorPages(api, {
		path,
		resource: 'agentSources',
		query: { limit: maxPageSize, ...query },
	});
}

/**
 * Reads sources, complete by the total of the list up to the number that is wanted.
 *
 * @throws NodeOperationError if the list does not add up
 * @throws NodeApiError if version 2 does not know the chatbot
 */
export async function readSources(
	place: Pick<RunContext, 'error'>,
	api: ApiClient,
	chatbotId: string,
	query: IDataObject,
	wanted = Infinity,
): Promise<Source[]> {
	const limit = Math.min(wanted, maxPageSize);
	const { items, expected } = await readCounted(
		() => sourcePages(api, chatbotId, { limit, ...query }),
		wanted,
	);
	if (expected !== undefined) {
		throw place.error(
			'The sources could not be read completely',
			`The node read ${items.length} of ${expected} sources, in the last of three tries. Nothing was written. Run the node again.`,
		);
	}
	if (items.length === 0) await assertChatbotKnown(api, chatbotId, 'agentSources');
	return items as Source[];
}

export async function sendToSource(
	api: ApiClient,
	chatbotId: string,
	sourceId: string,
	request: { method: 'GET' | 'PUT' | 'DELETE'; body?: IDataObject },
): Promise<ApiResponse> {
	const path = fillPath(sourcePath, { chatbotId, sourceId });
	return await api.send({ ...request, path, resource: 'agentSource', version: version2 });
}

export function sourceOf(body: unknown): Source | undefined {
	return isObject(body) && typeof body.id === 'string' ? (body as Source) : undefined;
}

/** @throws NodeApiError if the request failed, or the response has another source than the one asked for */
export function sourceIn(api: ApiClient, response: ApiResponse, sourceId: string): Source {
	return api.expectBody(response, (body) => {
		const source = sourceOf(body);
		return source?.id.toLowerCase() === sourceId.toLowerCase() ? source : undefined;
	});
}

const second = 1000;
const maxTrainingWait = 120 * second;
const maxPause = 15 * second;

/** Changes a source. While it is in training, the service refuses that; then the node waits up to two minutes. */
export async function putSource(
	api: ApiClient,
	chatbotId: string,
	sourceId: string,
	body: IDataObject,
): Promise<ApiResponse> {
	let waited = 0;
	for (let pause = second; ; pause = Math.min(2 * pause, maxPause)) {
		const response = await sendToSource(api, chatbotId, sourceId, { method: 'PUT', body });
		const isTraining = version2.codeIn(response.body) === 'SOURCE_IS_TRAINING';
		if (!isTraining || waited >= maxTrainingWait) return response;
		await api.wait(Math.min(pause, maxTrainingWait - waited));
		waited += pause;
	}
}
