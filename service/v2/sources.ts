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

const createFile = route(
	endpoints.createSource,
	(call) => {
		const { agent, body, behaviour, store, response } = call;
		const sent = body as z.output<typeof fileCreateRequest>;
		const size = fileSizeOf(sent.file, behaviour);
		refuseAboveLimit(agent, size, behaviour);

		const source = store.addSource(agent.id, {
			type: 'file',
			name: nameOf(sent.name, behaviour),
			size,
			status: 'untrained',
			metadata: { originalSize: sent.file.size },
			taught: sent,
		});

		void response.code(201);
		return answerOf(source, behaviour);
	},
	() => fileCreateRequest,
);

const updateFile = route(
	endpoints.updateSource,
	(call) => {
		const { behaviour } = call;
		const source = sourceOf(call);
		if (source.type !== 'file') throw new ApiError(behaviour.sourceNotFound);
		refuseUpdate(source, call);

		const { name, file } = call.body as z.output<typeof fileUpdateRequest>;
		if (name !== undefined) source.name = nameOf(name, behaviour);
		if (file) putFile(file, source, call);
		source.taught = { ...source.taught, ...(name && { name }), ...(file && { file }) };
		return answerOf(source, behaviour);
	},
	() => fileUpdateRequest,
);

const updateSource = route(
	endpoints.updateSource,
	(call) => {
		const { agent, behaviour } = call;
		const source = sourceOf(call);
		refuseUpdate(source, call);

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
		const { agent, query } = call;
		const { type: types, name = '' } = query;
		const isAsked = (one: Source) =>
			!one.isGone &&
			(types?.includes(one.type) ?? true) &&
			(one.name ?? '').toLowerCase().includes(name.toLowerCase());

		const listing = {
			rows: agent.agent.sources.filter(isAsked),
			sortedBy: ({ createdAt }: Source) => createdAt,
			id: ({ id }: Source) => id,
			record: (one: Source) => seen(one, call),
		};
		return pageOf(query, listing, call);
	}),

	route(endpoints.sourceSummary, ({ agent }) => {
		const present = agent.agent.sources.filter(({ isGone }) => !isGone);
		const of = (...types: Array<Source['type']>) => {
			const rows = present.filter(({ type }) => types.includes(type));
			return { count: rows.length, size: rows.reduce((sum, { size }) => sum + size, 0) };
		};
		return {
			...{ links: of('link'), files: of('file'), qnas: of('qna'), texts: of('text') },
			...{ notionPages: of('notionPage'), zendeskTickets: of(), salesforceCases: of() },
			shouldRetrain: present.some(isInTraining),
		};
	}),

	withUpload(createSource, createFile),

	route(endpoints.source, (call) => seen(sourceOf(call), call)),

	withUpload(updateSource, updateFile),

	route(endpoints.deleteSource, ({ agent, params, behaviour }) => {
		const { sourceDelete, sourceNotFound } = behaviour;
		const source = agent.agent.sources.find(({ id }) => id === params.sourceId);
		if (!source) throw new ApiError(sourceNotFound);

		if (source.isGone || source.status === 'toBeDeleted') {
			if (sourceDelete === 'deleted') throw new ApiError(sourceNotFound);
			throw new ApiError('SOURCE_ALREADY_PENDING_DELETION');
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
function putFile(file: SentFile, source: Source, { agent, behaviour }: Place): void {
	const size = fileSizeOf(file, behaviour);
	refuseAboveLimit(agent, size - source.size, behaviour);

	Object.assign(source, {
		metadata: { originalSize: file.size },
		size,
		looks: 0,
		status: source.status === 'untrained' ? 'untrained' : 'updated',
	});
}

function refuseUpdate(source: Source, place: Place): void {
	if (source.status === 'toBeDeleted') throw new ApiError('SOURCE_PENDING_DELETION');
	if (place.behaviour.sourceUpdate === 'accepted' || !isInTraining(source)) return;

	// A client that only repeats the update must see the training end too.
	train(source, place);
	throw new ApiError('SOURCE_IS_TRAINING');
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
function seen(source: Source, place: Place): object {
	const result = sourceRecord(source);
	train(source, place);
	return result;
}

function sourceRecord({ id, type, name, size, createdAt, status, metadata }: Source) {
	return { id, type, name, size, createdAt, status, metadata: metadata && { ...metadata } };
}

function isInTraining({ status }: Source): boolean {
	return status === 'untrained' || status === 'updated';
}

function train(source: Source, { behaviour }: Pick<Place, 'behaviour'>): void {
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

function nameOf(name: string, { sourceNames }: BehaviourV2): string {
	switch (sourceNames) {
		case 'asSent':
			return name;
		case 'trimmed':
			return name.trim();
		case 'lower':
			return name.toLowerCase();
		default:
			return name.normalize(sourceNames);
	}
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
