import type { IDataObject, NodeApiError } from 'n8n-workflow';

import { fillPath } from '../../api/address';
import type { ApiClient } from '../../api/client';
import { withSentence } from '../../api/errors';
import { walkPages } from '../../api/paginate';
import { lookUntil, resultOf } from '../../api/unknownOutcome';
import { version2 } from '../../api/versions';
import { operation, optionsField } from '../../fields/define';
import { chatbotField } from '../../fields/locators';
import { maxConcurrencyOption } from '../../fields/paging';
import { readId } from '../../fields/values';
import { readTimestamp } from '../../values/time';
import { assertChatbotKnown } from '../conversation/conversations';
import type { WantedSource } from './fields';
import { createFields, linkOptions, readWanted } from './fields';
import type { Source } from './sources';
import { keyOf, sourceOf, sourcePages, sourcesPath } from './sources';
import type { WriteParams } from './training';
import { readWait, waitOption, writeEach } from './training';

export const create = operation<WriteParams & { wanted: WantedSource }>({
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
	const created = resultOf(api, response, sourceOf);
	if (created) return created;
	const mayExist = `The source "${name}" may exist. Create or Update finds it by its name.`;
	// Some services answer 500 for an unknown chatbot.
	await assertChatbotKnown(api, chatbotId, 'agentSources').catch((error: NodeApiError) => {
		throw error.httpCode === '404' ? error : withSentence(error, mayExist);
	});
	const look = async () => {
		const found = await findCreated(api, chatbotId, wanted, startedAt);
		return found.filter(({ id }) => !others.has(id));
	};
	const isEnough = ({ length }: Source[]) => length > 0 || !response.mayHaveRun;
	const [ours, ...alike] = await lookUntil(api, look, isEnough, mayExist);
	if (ours && alike.length === 0) return ours;
	throw withSentence(api.failure(response), mayExist);
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
