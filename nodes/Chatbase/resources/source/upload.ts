import type { ApiClient } from '../../api/client';
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

/** Sends a form with a name, a file or both, as soon as it is its turn. */
export async function upload(
	api: ApiClient,
	request: Omit<ApiRequest, 'resource'>,
	name: string | undefined,
	file: WantedFile | undefined,
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
