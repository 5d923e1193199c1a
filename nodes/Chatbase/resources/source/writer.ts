import type { IDataObject, NodeApiError } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { withSentence } from '../../api/errors';
import { forEachLimited } from '../../api/concurrency';
import { type ApiResponse, codeOf, confirmsDeletion } from '../../api/response';
import { readList } from '../../api/paginate';
import { confirmedResult, repeatUntil } from '../../api/unknownOutcome';
import type { InputItem } from '../../execution/item';
import type { RunContext } from '../../execution/context';
import type { PendingItem, Run } from '../../execution/run';
import { type Field, optionalField } from '../../panel/field';
import { wholeNumber } from '../../panel/types';
import { byChatbot, type ChatbotItems } from '../../sync/plan';
import { groupBy } from '../../values/list';
import { isObject } from '../../values/json';
import { assertChatbotKnown } from '../chatbot/chatbots';
import type { SourceChange, WantedSource } from './fields';
import { upload } from './file';
import type { Source } from './sources';
import { sendToSource, sourceOf, sourcePages, sourcePath, sourcesPath } from './sources';

/** Creates a source. It is never sent twice, so after an unknown outcome the error says that it may exist. */
export async function createSource(
	api: ApiClient,
	chatbotId: string,
	{ type, name, body, file }: WantedSource,
): Promise<Source> {
	const request = { method: 'POST', path: sourcesPath, params: { chatbotId } } as const;
	const response = file
		? await upload(api, request, name, file)
		: await api.send({ ...request, resource: 'agentSources', body: { type, ...body } });
	const created = confirmedResult(api, response, sourceOf);
	if (created) return created;

	// Some services answer 500 for an unknown chatbot.
	await assertChatbotKnown(api, chatbotId, 'agentSources').catch((error: NodeApiError) => {
		if (error.httpCode === '404') throw error;
	});
	const failure = response.outcome ? api.failure(response) : api.unexpected(response);
	const advice =
		type === 'link'
			? 'Look at the sources of the chatbot before you send it again.'
			: 'Create or Update and Mirror find it by its name.';
	throw withSentence(failure, `The source "${name}" may exist. ${advice}`);
}

const maxTrainingWait = 120_000;

/** Changes a source. The service refuses that during a training, so the node waits up to two minutes for its end. */
export async function putSource(
	api: ApiClient,
	chatbotId: string,
	sourceId: string,
	{ body, file }: SourceChange,
	isFile = file !== undefined,
): Promise<ApiResponse> {
	const request = { method: 'PUT', path: sourcePath, params: { chatbotId, sourceId } } as const;
	const put = async () =>
		isFile
			? await upload(api, request, body.name as string | undefined, file)
			: await sendToSource(api, chatbotId, sourceId, { method: 'PUT', body });
	const isTrained = (response: ApiResponse) => codeOf(response) !== 'SOURCE_IS_TRAINING';
	return await repeatUntil(api, maxTrainingWait, put, isTrained);
}

/** @returns the deleted source, an empty record if the service did not return it, or undefined if there was none */
export async function removeSource(
	api: ApiClient,
	chatbotId: string,
	sourceId: string,
	canBeMissing: boolean,
): Promise<IDataObject | undefined> {
	const response = await sendToSource(api, chatbotId, sourceId, { method: 'DELETE' });
	const { outcome, mayHaveRun, body } = response;
	if (codeOf(response) === 'SOURCE_ALREADY_PENDING_DELETION') return {};
	// If an attempt lost its response and the next one gets a 404, the first one deleted the source.
	if (outcome === '404' && mayHaveRun) return {};
	if (outcome === '404' && canBeMissing) return undefined;
	if (outcome) throw api.failure(response);
	if (!confirmsDeletion(response)) throw api.unexpected(response);
	return isObject(body) ? body : {};
}

const maxPause = 10_000;

const seconds = wholeNumber(1);
const waitSeconds = optionalField('options.waitForTraining', 'Wait for Training', seconds, {
	default: 300,
	description:
		'Most seconds to wait until the chatbot has learned the source. The item fails if the training fails.',
});

/** Reads milliseconds; 0 without the option. */
export const waitOption: Field<number> = {
	property: waitSeconds.property,
	read: (item) => (waitSeconds.read(item) ?? 0) * 1000,
};

interface WrittenSource {
	source: Source;
	item: InputItem;
	wait: number;
	succeed(source: Source): void;
	fail(error: unknown): void;
}

/** Waits until sources are trained. Each look reads the list once for all of them. */
export async function awaitTraining(api: ApiClient, chatbotId: string, written: WrittenSource[]) {
	const startedAt = performance.now();
	let open = written;
	try {
		for (let pause = 1000; ; pause = Math.min(2 * pause, maxPause)) {
			const waited = performance.now() - startedAt;
			open = open.filter((entry) => !settle(entry, waited));
			if (open.length === 0) return;
			await api.wait(Math.min(pause, ...open.map(({ wait }) => wait - waited)));
			// Not proven to be complete, since a website that is being crawled makes the list grow.
			const list = await readList(sourcePages(api, chatbotId, {}), Infinity, Infinity);
			const byId = new Map(list.map((source) => [source.id, source as Source]));
			for (const entry of open) entry.source = byId.get(entry.source.id) ?? entry.source;
		}
	} catch (error) {
		// Another item has ended the run. These sources are written.
		if (api.state.run.stopped) open.forEach(({ succeed, source }) => succeed(source));
		const failure = error as NodeApiError;
		failure.description = `The source was written. Only the look at its training failed. ${failure.description ?? ''}`;
		open.forEach(({ fail }) => fail(failure));
	}
}

/** @returns whether there is nothing more to wait for */
function settle({ source, item, wait, succeed, fail }: WrittenSource, waited: number): boolean {
	const { status, metadata } = source;
	if (wait > 0 && [status, metadata?.crawlStatus].includes('failed')) {
		const advice =
			source.type === 'file'
				? 'A scan has no text: send the text, or a file with text.'
				: 'Check its content, and send it again.';
		const nextStep = `The source (ID ${source.id}) was written, but the chatbot has not learned it. If it has an earlier version, that stays in use. ${advice}`;
		fail(item.error('The training of the source failed', nextStep));
		return true;
	}
	const isTrained = status === 'trained' && metadata?.crawlStatus !== 'fetching';
	if (!isTrained && waited < wait) return false;
	if (!isTrained && wait > 0) {
		item.context.warn('The time of Wait for Training was over before all sources were trained.');
	}
	succeed(source);
	return true;
}

interface SourceParams {
	settings: { chatbotId: string; wait: number };
	wanted: SourceChange;
}

/** Writes sources, those with files one after the other. Then waits for the training of all. */
export async function writeAll<Entry extends PendingItem<SourceParams>>(
	{ node, functions }: RunContext,
	{ api, chatbotId }: Pick<ChatbotItems<unknown>, 'api' | 'chatbotId'>,
	sequences: Entry[][],
	write: (entry: Entry) => Promise<{ source: Source; outputFor?(last: Source): IDataObject }>,
) {
	const written: WrittenSource[] = [];
	const writeInOrder = async (sequence: Entry[]) => {
		for (const entry of sequence) {
			const { item, params, fail } = entry;
			try {
				const { source, outputFor = (last) => last } = await write(entry);
				const succeed = (last: Source) => entry.succeed([outputFor(last)]);
				written.push({ source, item, wait: params.settings.wait, succeed, fail });
			} catch (error) {
				fail(error);
			}
		}
	};
	const hasFile = (sequence: Entry[]) => sequence.some(({ params }) => params.wanted.file);
	const files = sequences.filter(hasFile);
	const { starts } = api.state.uploads;
	let done = 0;
	const writeFile = async (sequence: Entry[]) => {
		const before = starts.length;
		await writeInOrder(sequence);
		const progress = `${++done} of ${files.length} files are done`;
		if (starts.length > before) functions.logger.info(`Node "${node.name}": ${progress}.`);
	};
	const others = sequences.filter((sequence) => !hasFile(sequence));
	await Promise.all([
		forEachLimited(others, api.maxConcurrency, writeInOrder),
		forEachLimited(files, 1, writeFile),
	]);
	await awaitTraining(api, chatbotId, written);
}

/** Writes a source for each item, those with the same key one after the other. */
export async function writeEach<Params extends SourceParams>(
	{ context, items, limits }: Run<Params>,
	keyOfItem: (entry: PendingItem<Params>) => string,
	write: (entry: PendingItem<Params>) => Promise<Source>,
) {
	await forEachLimited(byChatbot(items), limits.maxConcurrency, async (group) => {
		const sequences = [...groupBy(group.items, keyOfItem).values()];
		await writeAll(context, group, sequences, async (entry) => ({ source: await write(entry) }));
	});
}
