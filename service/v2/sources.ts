/** What an agent knows. Reference of version 2. */
import { z } from 'zod';

import type { Chatbot } from '../core/store';
import type { BehaviourV2 } from './behaviour';
import {
	endpoints,
	fileCreateRequest,
	fileUpdateRequest,
	sourceCreateRequest,
	sourceUpdateRequests,
} from './contract';
import { ApiError, invalid, parsed } from './errors';
import { pageOf } from './paging';
import { route, withUpload, type Place } from './route';
import type { Source } from './state';

type Created = z.output<typeof sourceCreateRequest>;

type SentFile = z.output<typeof fileCreateRequest>['file'];

const createSource = route(
	endpoints.createSource,
	(call) => {
		const { agent, body, behaviour, store, response } = call;
		const sent = body as Created;
		const size = sizeOf(sent as object);
		if (isDuplicate(sent, agent)) throw new ApiError('SOURCE_DUPLICATE');
		refuseAboveLimit(agent, size, behaviour);

		const source = store.addSource(agent.id, {
			type: sent.type,
			name: nameOf(sent.type === 'link' ? sent.url : sent.name, behaviour),
			size,
			status: 'untrained',
			metadata: metadataOf(sent),
			taught: sent,
		});

		void response.code(201);
		return sourceRecord(source);
	},
	() => sourceCreateRequest,
);

/** The form is checked here, since a switch decides the code of its errors. */
const anyForm = () => z.looseObject({});

const createFile = route(
	endpoints.createSource,
	(call) => {
		const { agent, body, behaviour, store, response } = call;
		const sent = formOf(fileCreateRequest, body, behaviour);
		const size = fileSizeOf(sent.file, behaviour);
		refuseAboveLimit(agent, size, behaviour);

		const source = store.addSource(agent.id, {
			type: 'file',
			name: nameOf(sent.name, behaviour),
			size,
			status: 'untrained',
			metadata: null,
			taught: sent,
		});

		void response.code(201);
		return answerOf(source, behaviour);
	},
	anyForm,
);

const updateFile = route(
	endpoints.updateSource,
	(call) => {
		const { agent, behaviour } = call;
		const source = sourceOf(call);
		if (source.type !== 'file') throw new ApiError(behaviour.sourceNotFound);
		refuseUpdate(source, behaviour);

		const { name, file } = formOf(fileUpdateRequest, call.body, behaviour);
		if (name !== undefined) source.name = nameOf(name, behaviour);
		if (file) putFile(file, source, { agent, behaviour });
		source.taught = { ...source.taught, ...(name && { name }), ...(file && { file }) };
		return answerOf(source, behaviour);
	},
	anyForm,
);

const updateSource = route(
	endpoints.updateSource,
	(call) => {
		const { agent, behaviour } = call;
		const source = sourceOf(call);
		refuseUpdate(source, behaviour);

		const changes = changesOf(source, call.body as object);
		const taught = { ...source.taught, ...changes };
		const size = source.type === 'link' ? source.size : sizeOf(taught);
		refuseAboveLimit(agent, size - source.size, behaviour);

		const { name } = changes as { name?: string };
		if (name !== undefined) source.name = nameOf(name, behaviour);
		if (source.type === 'link') source.metadata = { ...source.metadata!, ...changes };
		Object.assign(source, { taught, size, status: 'updated', looks: 0 });
		return sourceRecord(source);
	},
	// What is legal depends on the type of the source.
	() => z.looseObject({}),
);

export const sourceRoutes = [
	route(endpoints.sources, (call) => {
		const { agent, query, behaviour } = call;
		const { type: types, name = '' } = query;
		const isAsked = (one: Source) =>
			!one.isGone &&
			(types?.includes(one.type) ?? true) &&
			(one.name ?? '').toLowerCase().includes(name.toLowerCase());

		const listing = {
			rows: agent.agent.sources.filter(isAsked),
			sortedBy: ({ createdAt }: Source) => createdAt,
			id: ({ id }: Source) => id,
			record: (one: Source) => seen(one, behaviour),
		};
		return pageOf(query, listing, behaviour);
	}),

	withUpload(createSource, createFile),

	route(endpoints.source, (call) => seen(sourceOf(call), call.behaviour)),

	withUpload(updateSource, updateFile),

	route(endpoints.deleteSource, ({ agent, params, behaviour }) => {
		const { sourceDelete, sourceSecondDelete, sourceNotFound } = behaviour;
		const source = agent.agent.sources.find(({ id }) => id === params.sourceId);
		if (!source) throw new ApiError(sourceNotFound);

		if (source.isGone || source.status === 'toBeDeleted') {
			if (sourceSecondDelete === 404) throw new ApiError(sourceNotFound);
			if (sourceSecondDelete === 409) throw new ApiError('SOURCE_ALREADY_PENDING_DELETION');
		}

		source.isGone = sourceDelete !== 'stillListed';
		if (!source.isGone) source.status = 'toBeDeleted';
		const status = sourceDelete === 'deleted' ? 'deleted' : 'toBeDeleted';
		return { ...sourceRecord(source), status };
	}),
];

function sourceOf({ agent, params, behaviour }: Place): Source {
	const source = agent.agent.sources.find(({ id, isGone }) => id === params.sourceId && !isGone);
	if (!source) throw new ApiError(behaviour.sourceNotFound);
	return source;
}

/** Only links: sources of other types may share a name. */
function isDuplicate(sent: Created, { agent }: Chatbot): boolean {
	if (sent.type !== 'link') return false;
	return agent.sources.some(
		({ isGone, name, metadata }) =>
			!isGone && name === sent.url && metadata?.type === sent.linkType,
	);
}

/** Puts another file in the place of a source's own. */
function putFile(
	file: SentFile,
	source: Source,
	{ agent, behaviour }: Pick<Place, 'agent' | 'behaviour'>,
): void {
	const size = fileSizeOf(file, behaviour);
	refuseAboveLimit(agent, size - source.size, behaviour);

	Object.assign(source, {
		metadata: null,
		size,
		looks: 0,
		status: source.status === 'untrained' ? 'untrained' : 'updated',
	});
}

function refuseUpdate(source: Source, behaviour: BehaviourV2): void {
	if (source.status === 'toBeDeleted') throw new ApiError('SOURCE_PENDING_DELETION');
	if (behaviour.sourceUpdate === 'accepted' || !isInTraining(source)) return;

	// A client that only repeats the update must see the training end too.
	train(source, behaviour);
	throw new ApiError('SOURCE_IS_TRAINING');
}

/** @throws ApiError with the code that the behaviour has */
function formOf<Schema extends z.ZodType>(
	schema: Schema,
	body: unknown,
	{ fileErrorCode, smallestFile }: BehaviourV2,
): z.output<Schema> {
	const form = parsed(schema, body, fileErrorCode);
	const { file } = form as { file?: SentFile };
	if (!file || file.size >= smallestFile) return form;

	const message = `File size must be between ${smallestFile} bytes and 20 MB`;
	throw new ApiError(fileErrorCode, { file: message });
}

/** Of the text that was found in it. */
function fileSizeOf({ size }: SentFile, { fileText }: BehaviourV2): number {
	return fileText === 'none' ? 0 : size;
}

function answerOf(source: Source, behaviour: BehaviourV2): object {
	const answer = sourceRecord(source);
	return behaviour.fileAnswer === 'data' ? { data: answer } : answer;
}

function changesOf({ type }: Source, body: object): object {
	if (type === 'file') throw invalid({ type: 'File sources require a dedicated endpoint' });
	if (type === 'notionPage') throw invalid({ type: `Cannot edit a ${type}` });

	return parsed(sourceUpdateRequests[type], body);
}

/** The record of a source that somebody looks at, which is how its training goes on. */
function seen(source: Source, behaviour: BehaviourV2): object {
	const result = sourceRecord(source);
	train(source, behaviour);
	return result;
}

function sourceRecord({ id, type, name, size, createdAt, status, metadata }: Source) {
	return { id, type, name, size, createdAt, status, metadata: metadata && { ...metadata } };
}

function isInTraining({ status }: Source): boolean {
	return status === 'untrained' || status === 'updated';
}

function train(source: Source, behaviour: BehaviourV2): void {
	const { training, trainingPolls, crawlPolls, fileText } = behaviour;
	const { metadata } = source;

	source.looks++;
	if (metadata?.crawlStatus === 'fetching' && source.looks >= crawlPolls) {
		metadata.crawlStatus = 'fetched';
		metadata.children = { included: 3, excluded: 0, failed: 0 };
	}

	if (!isInTraining(source) || training === 'never' || source.looks < trainingPolls) return;
	const isUnreadable = source.type === 'file' && fileText === 'none';
	source.status = training === 'fails' || isUnreadable ? 'failed' : 'trained';
}

function nameOf(name: string, behaviour: BehaviourV2): string {
	const { sourceNames, sourceNameCase, sourceNameForm: form } = behaviour;
	const stored = form === 'asSent' ? name : name.normalize(form);
	const inCase = sourceNameCase === 'lower' ? stored.toLowerCase() : stored;
	return sourceNames === 'trimmed' ? inCase.trim() : inCase;
}

/** Bytes of what is taught. The text of a link is fetched later. */
function sizeOf(taught: { content?: string; questions?: string[]; answer?: string }): number {
	const { content, questions = [], answer } = taught;
	return Buffer.byteLength([content, ...questions, answer].join(''));
}

function metadataOf(body: Created): Source['metadata'] {
	if (body.type !== 'link') return null;
	const { linkType, excludePaths = [], includeOnlyPaths = [], slowScraping = false } = body;
	if (linkType === 'individual') return { type: linkType };

	const children = { included: 0, excluded: 0, failed: 0 };
	const options = { excludePaths, includeOnlyPaths, slowScraping };
	return { type: linkType, ...options, crawlStatus: 'fetching', children };
}

function refuseAboveLimit({ agent }: Chatbot, more: number, { storageLimit }: BehaviourV2): void {
	const used = agent.sources.reduce((sum, { size, isGone }) => sum + (isGone ? 0 : size), 0);
	if (used + more > storageLimit) throw new ApiError('SOURCE_SIZE_LIMIT_EXCEEDED');
}
