/** What people write by hand: axios and a loop. */
import axios, { type AxiosInstance } from 'axios';
import type { IDataObject } from 'n8n-workflow';

import { newNumbers } from '../data.mjs';
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
	const pages = [first.data];
	let next = 2;
	const work = async () => {
		while (next <= first.pages.total_pages) {
			const page = next++;
			pages[page - 1] = (await readPage(service, page)).data;
		}
	};
	await Promise.all(Array.from({ length: concurrency }, work));
	return pages.flat();
}

/** A PATCH for each item. */
export async function patchEach({ target, count, concurrency = 1 }: Task): Promise<IDataObject[]> {
	const service = client(target);
	const items = newNumbers(count);
	const results: IDataObject[] = [];
	let next = 0;
	const work = async () => {
		while (next < items.length) {
			const index = next++;
			const { external_id, phonenumber } = items[index];
			const path = `/contacts/${encodeURIComponent(external_id)}`;
			const { data } = await service.patch<{ data: IDataObject }>(path, { data: { phonenumber } });
			results[index] = data.data;
		}
	};
	await Promise.all(Array.from({ length: concurrency }, work));
	return results;
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
