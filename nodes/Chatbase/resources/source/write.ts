import type { IDataObject, NodeApiError } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { withSentence } from '../../api/errors';
import { type ApiResponse, codeOf, confirmsDeletion } from '../../api/response';
import { confirmedResult, repeatUntil } from '../../api/unknownOutcome';
import { isObject } from '../../values/json';
import { assertChatbotKnown } from '../chatbot/chatbots';
import {
	sendToSource,
	type Source,
	type SourceAddress,
	sourceOf,
	sourcePath,
	sourcesPath,
} from './sources';
import { upload } from './upload';
import type { SourceChange, WantedSource } from './wanted';

interface NewSource extends WantedSource {
	/** What to return instead if the service has the same link already. It is an error, if absent. */
	ifDuplicate?(refusal: ApiResponse): Promise<Source>;
}

/** Creates a source. It is never sent twice, so after an unknown outcome the error says that it may exist. */
export async function createSource(
	api: ApiClient,
	chatbotId: string,
	{ type, name, body, file, ifDuplicate }: NewSource,
): Promise<Source> {
	const request = { method: 'POST', path: sourcesPath, params: { chatbotId } } as const;
	const response = file
		? await upload(api, request, { name, file })
		: await api.send({ ...request, resource: 'agentSources', body: { type, ...body } });
	if (ifDuplicate && codeOf(response) === 'SOURCE_DUPLICATE') return await ifDuplicate(response);

	const created = confirmedResult(api, response, sourceOf);
	if (created) return created;

	// Some services answer 500 for an unknown chatbot.
	await assertChatbotKnown(api, chatbotId, 'agentSources').catch((error: NodeApiError) => {
		if (error.httpCode === '404') throw error;
	});
	const failure = response.outcome ? api.failure(response) : api.unexpected(response);
	const advice =
		type === 'link'
			? 'To get it, run again with If Exists set to Skip.'
			: 'Create or Update and Mirror find it by its name.';
	throw withSentence(failure, `The source "${name}" may exist. ${advice}`);
}

const maxTrainingWait = 120_000;

/** Changes a source. The service refuses that during a training, so the node waits up to two minutes for its end. */
export async function putSource(
	api: ApiClient,
	{ chatbotId, sourceId }: SourceAddress,
	{ body, file, isFile = file !== undefined }: SourceChange & { isFile?: boolean },
): Promise<ApiResponse> {
	const request = { method: 'PUT', path: sourcePath, params: { chatbotId, sourceId } } as const;
	const name = body.name as string | undefined;
	const put = async () =>
		isFile
			? await upload(api, request, { name, file })
			: await sendToSource(api, { chatbotId, sourceId }, { method: 'PUT', body });
	const isTrained = (response: ApiResponse) => codeOf(response) !== 'SOURCE_IS_TRAINING';
	return await repeatUntil(api, maxTrainingWait, put, isTrained);
}

/** @returns the deleted source, an empty record if the service did not return it, or undefined if there was none */
export async function removeSource(
	api: ApiClient,
	address: SourceAddress,
	canBeMissing: boolean,
): Promise<IDataObject | undefined> {
	const response = await sendToSource(api, address, { method: 'DELETE' });
	const { outcome, mayHaveRun, body } = response;
	if (codeOf(response) === 'SOURCE_ALREADY_PENDING_DELETION') return {};
	// If an attempt lost its response and the next one gets a 404, the first one deleted the source.
	if (outcome === '404' && mayHaveRun) return {};
	if (outcome === '404' && canBeMissing) return undefined;
	if (outcome) throw api.failure(response);
	if (!confirmsDeletion(response)) throw api.unexpected(response);
	return isObject(body) ? body : {};
}
