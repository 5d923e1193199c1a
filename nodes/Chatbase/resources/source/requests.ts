import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { failureOf } from '../../api/failure';
import type { ApiRequest } from '../../api/request';
import { type ApiResponse, codeOf } from '../../api/response';
import { assertDeleted, createdRecord, repeatUntil } from '../../api/unknownOutcome';
import { assertChatbotKnown } from '../../chatbots/chatbots';
import { isObject, objectIn } from '../../values/json';
import {
	isInTraining,
	type Source,
	type SourceChange,
	type WantedFile,
	type WantedSource,
} from './plan/source';
import { type SourceAddress, sourcesPath } from './sources';

export const sourcePath = `${sourcesPath}/{sourceId}`;

export async function sendToSource(
	api: ApiClient,
	params: SourceAddress,
	request: Pick<ApiRequest, 'method' | 'body'>,
): Promise<ApiResponse> {
	const path = sourcePath;
	const response = await api.send({ ...request, path, resource: 'agentSource', params });
	return await aboutSource(api, params, response);
}

/** The codes of a 404 that name the source. */
const missingSource = new Set<string | undefined>([
	'RESOURCE_NOT_FOUND',
	'SOURCE_NOT_FOUND',
]);

/**
 * The response, whose 404 then means the source. A service may have one code for a source and a chatbot that are missing, so
 * the chatbot is looked up. Throws if the service does not find it.
 */
async function aboutSource(
	api: ApiClient,
	{ chatbotId }: SourceAddress,
	response: ApiResponse,
): Promise<ApiResponse> {
	if (response.outcome !== '404' || missingSource.has(codeOf(response))) return response;

	try {
		await assertChatbotKnown(api, chatbotId, { resource: 'agent' });
		return response;
	} catch (error) {
		const failure = failureOf(error);
		// An earlier attempt may have been done.
		if (response.mayHaveRun) throw failure.with({ written: 'unknown' });
		throw failure;
	}
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
	{ type, name }: WantedSource,
): Source {
	const advice =
		type === 'link'
			? 'Check with Source: Get Many.'
			: 'Create or Update and Mirror find it by its name.';
	const mayExist = `The source "${name}" may exist. ${advice}`;
	return createdRecord(api, response, { find: sourceOf, mayExist });
}

const maxTrainingWait = 120_000;

/** A source to change. */
interface Target {
	readonly address: SourceAddress;
	/** As it was read last, if it was. */
	readonly known?: Source;
}

/** Changes a source. The service refuses that during a training, so the node waits up to two minutes for its end. */
export async function changeSource(
	api: ApiClient,
	target: Target,
	{ body, file }: SourceChange,
): Promise<ApiResponse> {
	if (file) return await changeFile(api, target, { name: body.name, file });

	const { address } = target;
	const change = async () => await sendToSource(api, address, { method: 'PUT', body });
	return await repeatUntil(api, maxTrainingWait, change, isTaken);
}

function isTaken(response: ApiResponse): boolean {
	return codeOf(response) !== 'SOURCE_IS_TRAINING';
}

/** Uploads are few a minute, and refused ones count. So the status is read until the service takes the file. */
async function changeFile(
	api: ApiClient,
	{ address, known }: Target,
	form: Form,
): Promise<ApiResponse> {
	if (!known || isInTraining(known)) await untilTrained(api, address);

	const request = { method: 'PUT', path: sourcePath, params: address } as const;
	const change = async () =>
		await aboutSource(api, address, await sendFile(api, request, form));
	const response = await change();
	if (isTaken(response)) return response;

	// Another run may have changed it meanwhile.
	await untilTrained(api, address);
	return await change();
}

async function untilTrained(api: ApiClient, address: SourceAddress): Promise<void> {
	const look = async () => await sendToSource(api, address, { method: 'GET' });
	await repeatUntil(api, maxTrainingWait, look, ({ body }) => {
		const source = sourceOf(objectIn(body));
		return !source || !isInTraining(source);
	});
}

/** In milliseconds (reference of version 2). */
const uploadTimeout = 300_000;

interface Form {
	name?: unknown;
	file: WantedFile;
}

/** Sends a file, perhaps with a name, as soon as it is its turn. */
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
		body.append('file', await blobOf(file), file.fileName);

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

/** @returns whether there was such a source. If there has to be one, it throws otherwise. */
export async function removeSource(
	api: ApiClient,
	address: SourceAddress,
	canBeMissing: boolean,
): Promise<boolean> {
	const response = await sendToSource(api, address, { method: 'DELETE' });
	const { outcome, mayHaveRun } = response;
	if (outcome === '404' && canBeMissing && !mayHaveRun) return false;

	const isGoing = codeOf(response) === 'SOURCE_ALREADY_PENDING_DELETION';
	if (!isGoing) assertDeleted(api, response);
	return true;
}
