import fastify from 'fastify';

export interface Document {
	title: string;
	text: string;
}

/** The simulated place that the documents come from. */
export interface Library {
	baseUrl: string;
	/** The documents that it returns from now on. */
	documents: Document[];
	close(): Promise<void>;
}

/** Serves documents at `/documents`. */
export async function startLibrary(count: number): Promise<Library> {
	const server = fastify({ forceCloseConnections: true });
	server.get('/documents', () => library.documents);
	const baseUrl = await server.listen({ host: '127.0.0.1', port: 0 });
	const documents = Array.from({ length: count }, (_, index) => ({
		title: `Article ${index + 1}`,
		text: `What customers ask about topic ${index + 1}, and the answer.`,
	}));
	const library: Library = { baseUrl, documents, close: async () => await server.close() };
	return library;
}
