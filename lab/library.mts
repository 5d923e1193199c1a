import { extname } from 'node:path';

import fastify from 'fastify';

export interface Document {
	title: string;
	text: string;
}

/** A file in a folder, by its name. */
export type Folder = Record<string, string>;

/** The simulated place that documents and files come from. */
export interface Library {
	baseUrl: string;
	/** The documents that it returns from now on. */
	documents: Document[];
	/** The content of each file of its folder. */
	folder: Folder;
	/** The names of listed files that cannot be downloaded. */
	lost: string[];
	close(): Promise<void>;
}

/** A name without an ending is that of a Google Doc, which Google Drive returns as a Word file. */
const mediaTypes: Record<string, string> = {
	'': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
	'.pdf': 'application/pdf',
	'.txt': 'text/plain',
};

/** Serves documents at `/documents`, and at `/files` a list of files and each of them by its ID. */
export async function startLibrary(count: number, folder: Folder = {}): Promise<Library> {
	const server = fastify({ forceCloseConnections: true });
	server.get('/documents', () => library.documents);
	server.get('/files', () =>
		Object.keys(library.folder).map((name) => ({
			id: `id of ${name}`,
			name,
			...(!extname(name) && { mimeType: 'application/vnd.google-apps.document' }),
		})),
	);
	server.get<{ Params: { id: string } }>('/files/:id', async ({ params }, reply) => {
		const name = params.id.replace('id of ', '');
		const content = library.folder[name];
		const isLost = library.lost.includes(name);
		if (content === undefined || isLost)
			return await reply.code(404).send({ message: 'No such file' });
		return await reply
			.type(mediaTypes[extname(name)] ?? 'application/octet-stream')
			.header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`)
			.send(content);
	});
	const baseUrl = await server.listen({ host: '127.0.0.1', port: 0 });
	const documents = Array.from({ length: count }, (_, index) => ({
		title: `Article ${index + 1}`,
		text: `What customers ask about topic ${index + 1}, and the answer.`,
	}));
	const library: Library = {
		baseUrl,
		documents,
		folder,
		lost: [],
		close: async () => await server.close(),
	};
	return library;
}
