/** A script with axios and a loop. */
import axios, { type AxiosInstance } from 'axios';
import type { IDataObject } from 'n8n-workflow';

import { customers, hasChanged, newNumbers } from '../data.mjs';
import { inOrder } from './inOrder.mjs';
import type { Task } from './plan.mjs';

interface Page {
	data: IDataObject[];
	pages: { total_pages: number };
}

function client({ baseUrl, apiKey, chatbotId }: Task['target']): AxiosInstance {
	return axios.create({
		baseURL: `${baseUrl}/chatbots/${chatbotId}`,
		headers: { Authorization: `Bearer ${apiKey}` },
	});
}

async function readPage(service: AxiosInstance, page: number): Promise<Page> {
	const { data } = await service.get<Page>('/contacts', { params: { page, per_page: 1000 } });
	return data;
}

/** One page after the other, or several at once. */
export async function readAll({ target, concurrency = 1 }: Task): Promise<IDataObject[]> {
	const service = client(target);
	const first = await readPage(service, 1);
	const others = Array.from({ length: first.pages.total_pages - 1 }, (_, index) => index + 2);
	const rest = await inOrder(others, concurrency, async (page) => await readPage(service, page));
	return [first, ...rest].flatMap(({ data }) => data);
}

/** The requests of a sync, by a script that need not compare, because it knows in advance who has changed. */
export async function sync(task: Task): Promise<IDataObject[]> {
	const { target, count, percent = 0, concurrency = 1 } = task;
	const changed = customers(count, percent).filter((_, index) => hasChanged(index, percent));
	const service = client(target);
	await readAll(task);
	return await inOrder(changed, concurrency, async ({ external_id, name, custom_attributes }) => {
		const path = `/contacts/${encodeURIComponent(external_id)}`;
		const { data } = await service.patch(path, { data: { name, custom_attributes } });
		return data;
	});
}

/** A PATCH for each item. */
export async function patchEach({ target, count, concurrency = 1 }: Task): Promise<IDataObject[]> {
	const service = client(target);
	return await inOrder(newNumbers(count), concurrency, async ({ external_id, phonenumber }) => {
		const path = `/contacts/${encodeURIComponent(external_id)}`;
		const { data } = await service.patch<{ data: IDataObject }>(path, { data: { phonenumber } });
		return data.data;
	});
}

/**
 * Asks for a streamed answer.
 *
 * @param onChunk called with each piece
 */
export async function chat({ target }: Task, onChunk: () => void): Promise<void> {
	const { baseUrl, apiKey, chatbotId } = target;
	const { data } = await axios.post<AsyncIterable<Uint8Array>>(
		`${baseUrl}/chat`,
		{
			chatbotId,
			messages: [{ role: 'user', content: 'How are you?' }],
			conversationId: 'a-session',
			stream: true,
		},
		{ headers: { Authorization: `Bearer ${apiKey}` }, responseType: 'stream' },
	);
	for await (const chunk of data) if (chunk.length > 0) onChunk();
}
