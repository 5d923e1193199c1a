import { NodeApiError } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { withSentence } from '../../api/errors';
import type { ApiRequest } from '../../api/request';
import type { ApiResponse } from '../../api/response';
import { mediaTypeOf, type WantedFile } from './file';

/** Milliseconds (reference of version 2, 14.3). */
const uploadTimeout = 300_000;

/** A copy, so that the bytes that n8n returned need not be in memory while it is sent. */
async function blobOf(file: WantedFile): Promise<Blob> {
	const bytes = (await file.item.readFile(file.field)) as Uint8Array<ArrayBuffer>;
	return new Blob([bytes], { type: mediaTypeOf(file) });
}

interface Form {
	name?: string;
	file?: WantedFile;
}

/** Sends a form with a name, a file or both, as soon as it is its turn. */
export async function upload(
	api: ApiClient,
	request: Omit<ApiRequest, 'resource'>,
	{ name, file }: Form,
): Promise<ApiResponse> {
	return await api.state.uploads.inTurn(async () => {
		// Throws if the run ended meanwhile, before the file is read.
		await api.wait(0);

		const body = new FormData();
		if (name !== undefined) body.append('name', name);
		if (file) body.append('file', await blobOf(file), file.fileName);

		const resource = request.method === 'POST' ? 'agentFiles' : 'agentFile';
		return await api.send({ ...request, resource, body, timeout: uploadTimeout, isUpload: true });
	});
}

/** Adds the name of the file to an error of its upload, since the service does not name it. */
export async function namingFile<Result>(
	file: WantedFile | undefined,
	work: () => Promise<Result>,
): Promise<Result> {
	return await work().catch((error: Error) => {
		if (!file || !(error instanceof NodeApiError)) throw error;
		throw withSentence(error, `The file is "${file.fileName}".`);
	});
}
