import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import type { ApiRequest } from '../../api/request';
import { type ApiResponse, codeOf } from '../../api/response';
import { assertDeleted, createdRecord, repeatUntil } from '../../api/unknownOutcome';
import { isObject } from '../../values/json';
import type { Source } from './plan/source';
import type { SourceChange, WantedFile, WantedSource } from './plan/sourceInput';
import { type SourceAddress, sourcesPath } from './sources';

export const sourcePath = `${sourcesPath}/{sourceId}`;

export async function sendToSource(
	api: ApiClient,
	params: SourceAddress,
	request: Pick<ApiRequest, 'method' | 'body'>,
): Promise<ApiResponse> {
	return await api.send({
		...request,
		path: sourcePath,
		resource: 'agentSource',
		params,
	});
}

/** The source in a response. Throws if the request failed, or if the response has another source. */
export function sourceIn(
	api: ApiClient,
	response: ApiResponse,
	sourceId: string,
): Source {
	return api.expectBody(response, (body) => {
		const source = sourceOf(body);
		return source?.id.toLowerCase() === sourceId.toLowerCase() ? source : undefined;
	});
}

function sourceOf(body: IDataObject): Source | undefined {
	// Documents say that the service wraps a file that was sent in `data`.
	const source = isObject(body.data) ? body.data : body;
	return typeof source.id === 'string' ? (source as Source) : undefined;
}

export interface NewSource {
	chatbotId: string;
	wanted: WantedSource;
}

/** Sends a new source. It is never sent twice. */
export async function sendNew(
	api: ApiClient,
	{ chatbotId, wanted }: NewSource,
): Promise<ApiResponse> {
	const { type, name, body, file } = wanted;
	const request = { method: 'POST', path: sourcesPath, params: { chatbotId } } as const;
	if (file) return await sendFile(api, request, { name, file });
	return await api.send({
		...request,
		resource: 'agentSources',
		body: { type, ...body },
	});
}

/** The source in the response to `sendNew`. After an unknown outcome, the error says that it may exist. */
export function createdSource(
	api: ApiClient,
	response: ApiResponse,
	{ wanted }: NewSource,
): Source {
	const { type, name } = wanted;
	const advice =
		type === 'link'
			? 'To get it, run again with If Exists set to Skip.'
			: 'Create or Update and Mirror find it by its name.';
	const mayExist = `The source "${name}" may exist. ${advice}`;
	return createdRecord(api, response, { find: sourceOf, mayExist });
}

const maxTrainingWait = 120_000;

/** Changes a source. The service refuses that during a training, so the node waits up to two minutes for its end. */
export async function changeSource(
	api: ApiClient,
	address: SourceAddress,
	{ body, file }: SourceChange,
): Promise<ApiResponse> {
	const change = async () => {
		if (file) return await changeFile(api, address, { name: body.name, file });
		return await changeOther(api, address, body);
	};
	const isTrained = (response: ApiResponse) => codeOf(response) !== 'SOURCE_IS_TRAINING';
	return await repeatUntil(api, maxTrainingWait, change, isTrained);
}

/**
 * A change without a file. A new name alone does not show whether the source is a file, and only the host for files renames
 * those (reference of version 2).
 */
async function changeOther(
	api: ApiClient,
	address: SourceAddress,
	body: IDataObject,
): Promise<ApiResponse> {
	const response = await sendToSource(api, address, { method: 'PUT', body });
	const isRename = Object.keys(body).join() === 'name';
	if (!isRename || response.outcome !== '400') return response;

	const renamed = await changeFile(api, address, { name: body.name });
	// The source is no file, so the first refusal was about the name.
	return renamed.outcome === '404' ? response : renamed;
}

async function changeFile(
	api: ApiClient,
	params: SourceAddress,
	form: Form,
): Promise<ApiResponse> {
	return await sendFile(api, { method: 'PUT', path: sourcePath, params }, form);
}

/** In milliseconds (reference of version 2). */
const uploadTimeout = 300_000;

interface Form {
	name?: unknown;
	file?: WantedFile;
}

/** Sends a form with a name, a file or both, as soon as it is its turn. */
async function sendFile(
	api: ApiClient,
	request: Omit<ApiRequest, 'resource'>,
	{ name, file }: Form,
): Promise<ApiResponse> {
	return await api.state.uploads.inTurn(async () => {
		// If the run has ended meanwhile, this throws before the file is read.
		await api.wait(0);

		const body = new FormData();
		if (name !== undefined) body.append('name', String(name));
		if (file) body.append('file', await blobOf(file), file.fileName);

		const resource = request.method === 'POST' ? 'agentFiles' : 'agentFile';
		return await api.send({
			...request,
			resource,
			body,
			timeout: uploadTimeout,
			isUpload: true,
		});
	});
}

/** A copy of the file. While it is sent, the bytes that n8n returned need not stay in memory. */
async function blobOf(file: WantedFile): Promise<Blob> {
	const bytes = (await file.read()) as Uint8Array<ArrayBuffer>;
	return new Blob([bytes], { type: file.mediaType });
}

/** @returns the deleted source, a record without ID if the service did not return it, or undefined if there was none */
export async function removeSource(
	api: ApiClient,
	address: SourceAddress,
	canBeMissing: boolean,
): Promise<IDataObject | undefined> {
	const response = await sendToSource(api, address, { method: 'DELETE' });
	const { outcome, mayHaveRun, body } = response;
	if (outcome === '404' && canBeMissing && !mayHaveRun) return undefined;

	if (codeOf(response) !== 'SOURCE_ALREADY_PENDING_DELETION')
		assertDeleted(api, response);
	return isObject(body) ? body : {};
}
