import type { IDataObject, NodeApiError } from 'n8n-workflow';

import { fillPath } from '../../api/address';
import type { ApiClient } from '../../api/client';
import { escapeHtml } from '../../api/errors';
import { forEachLimited } from '../../api/limits';
import { walkPages } from '../../api/paginate';
import { version2 } from '../../api/versions';
import type { PendingItem, Run } from '../../execution/run';
import { operation, optionsField, toolNotice, updateFieldsField } from '../../fields/define';
import { chatbotField, sourceField } from '../../fields/locators';
import { maxConcurrencyOption } from '../../fields/paging';
import { readId } from '../../fields/values';
import { byChatbot } from '../../mirror/items';
import { groupBy } from '../../values/groupBy';
import { readTimestamp } from '../../values/time';
import { assertChatbotKnown } from '../conversation/conversations';
import type { WantedSource } from './fields';
import { changeableFields, createFields, linkOptions, readChanges, readWanted } from './fields';
import type { Source } from './sources';
import {
	keyOf,
	putSource,
	sourceIn,
	sourceOf,
	sourcePages,
	sourcePath,
	sourcesPath,
} from './sources';
import type { WrittenSource } from './training';
import { awaitTraining, readWait, waitOption } from './training';

interface Params {
	settings: { chatbotId: string };
	wait: number;
}

export const create = operation<Params & { wanted: WantedSource }>({
	value: 'create',
	name: 'Create',
	action: 'Create source',
	description: 'Teach the chatbot a text, a Q&A or a link. Needs a plan with API access.',
	request: { method: 'POST', path: sourcesPath, version: version2 },
	fields: [
		chatbotField,
		...createFields,
		optionsField([...linkOptions, maxConcurrencyOption, waitOption]),
	],

	read: (item) => ({
		settings: { chatbotId: readId(item, 'chatbotId', 'Chatbot') },
		wanted: readWanted(item, ['text', 'qna', 'link']),
		wait: readWait(item),
	}),

	async sendAll(run) {
		const created = new Set<string>();
		const nameOf = ({ wanted }: { wanted: WantedSource }) => keyOf(wanted);
		await writeEach(run, nameOf, async ({ api, params: { settings, wanted } }) => {
			const source = await createSource(api, settings.chatbotId, wanted, created);
			created.add(source.id);
			return source;
		});
	},
});

export const update = operation<Params & { sourceId: string; changes: IDataObject }>({
	value: 'update',
	name: 'Update',
	action: 'Update source',
	description: 'Change a text, a Q&A or a link, and train it again. Needs a plan with API access.',
	request: { method: 'PUT', path: sourcePath, version: version2 },
	fields: [
		toolNotice(
			'The agent can permanently replace what the chatbot has learned. Choose the source yourself, or limit use in Tool Description.',
		),
		chatbotField,
		sourceField,
		updateFieldsField(changeableFields),
		optionsField([maxConcurrencyOption, waitOption]),
	],

	read: (item) => ({
		settings: { chatbotId: readId(item, 'chatbotId', 'Chatbot') },
		sourceId: readId(item, 'sourceId', 'Source').trim(),
		changes: readChanges(item),
		wait: readWait(item),
	}),

	async sendAll(run) {
		const idOf = ({ sourceId }: { sourceId: string }) => sourceId;
		await writeEach(run, idOf, async ({ api, params: { settings, sourceId, changes } }) =>
			sourceIn(api, await putSource(api, settings.chatbotId, sourceId, changes), sourceId),
		);
	},
});

/**
 * Writes a source for each item, then waits for the training of all.
 *
 * @param keyOfItem items with the same key are written one after the other
 */
async function writeEach<ItemParams extends Params>(
	run: Run<ItemParams>,
	keyOfItem: (params: ItemParams) => string,
	write: (entry: PendingItem<ItemParams>) => Promise<Source>,
) {
	const { maxConcurrency } = run.limits;
	await forEachLimited(byChatbot(run.items), maxConcurrency, async ({ api, chatbotId, items }) => {
		const groups = [...groupBy(items, ({ params }) => keyOfItem(params)).values()];
		const written: WrittenSource[] = [];
		await forEachLimited(groups, maxConcurrency, async (group) => {
			for (const entry of group) {
				const { item, params, fail } = entry;
				const succeed = (source: Source) => entry.succeed([source]);
				try {
					written.push({ source: await write(entry), item, wait: params.wait, succeed, fail });
				} catch (error) {
					fail(error);
				}
			}
		});
		await awaitTraining(api, chatbotId, written);
	});
}

const second = 1000;

/**
 * Creates a source. It is never sent twice: after an unknown outcome, the node looks for it among the sources created
 * since, for as long as a response may take.
 *
 * @param others IDs of sources that the request can't have created
 * @throws NodeApiError that says whether the source may exist
 */
export async function createSource(
	api: ApiClient,
	chatbotId: string,
	wanted: WantedSource,
	others: ReadonlySet<string>,
): Promise<Source> {
	const { type, name } = wanted;
	const startedAt = Date.now();
	const response = await api.send({
		method: 'POST',
		path: fillPath(sourcesPath, { chatbotId }),
		body: { type, ...wanted.body },
		resource: 'agentSources',
		version: version2,
	});
	const { outcome, mayHaveRun } = response;
	if (outcome && !mayHaveRun) throw api.failure(response);
	const created = sourceOf(response.body);
	if (!outcome && created) return created;
	try {
		// Some services answer 500 for an unknown chatbot.
		await assertChatbotKnown(api, chatbotId, 'agentSources');
		let waited = 0;
		for (let pause = second; ; pause *= 2) {
			const found = await findCreated(api, chatbotId, wanted, startedAt);
			const ours = found.filter(({ id }) => !others.has(id));
			if (ours.length === 1) return ours[0];
			if (ours.length > 1 || !mayHaveRun || waited >= api.timeout) break;
			await api.wait(pause);
			waited += pause;
		}
	} catch (error) {
		throw mayExist(error as NodeApiError, name);
	}
	throw mayExist(outcome ? api.failure(response) : api.unexpected(response), name);
}

/** @param startedAt when the request was sent, by the clock of n8n */
async function findCreated(
	api: ApiClient,
	chatbotId: string,
	{ type, name }: WantedSource,
	startedAt: number,
): Promise<Source[]> {
	const found: Source[] = [];
	const query = { type, ...(type !== 'link' && { name }) };
	for await (const { page, fresh } of walkPages(sourcePages(api, chatbotId, query))) {
		// Clocks differ, so only the time between the requests counts.
		const since = page.sentAt - (Date.now() - startedAt);
		const isNew = ({ createdAt }: IDataObject) => (readTimestamp(createdAt) ?? Infinity) >= since;
		found.push(...(fresh as Source[]).filter(isNew));
	}
	return found.filter((source) => keyOf(source) === keyOf({ type, name }));
}

function mayExist(error: NodeApiError, name: string): NodeApiError {
	const words = `The source "${name}" may exist. Create or Update finds it by its name.`;
	if (error.httpCode !== '404') {
		error.description = `${error.description ?? ''} ${escapeHtml(words)}`.trim();
	}
	return error;
}
