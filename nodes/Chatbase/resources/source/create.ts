import type { IDataObject, NodeApiError } from 'n8n-workflow';

import { fillPath } from '../../api/address';
import type { ApiClient } from '../../api/client';
import { escapeHtml } from '../../api/errors';
import { walkPages } from '../../api/paginate';
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
import { readWait, waitOption, writeEach } from './training';

interface CreateParams {
	settings: { chatbotId: string };
	wanted: WantedSource;
	wait: number;
}

export const create = operation<CreateParams>({
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
		await writeEach(
			run,
			({ wanted }) => keyOf(wanted),
			async ({ api, params: { settings, wanted } }) => {
				const source = await createSource(api, settings.chatbotId, wanted, created);
				created.add(source.id);
				return source;
			},
		);
	},
});

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
	{ type, name, body }: WantedSource,
	others: ReadonlySet<string>,
): Promise<Source> {
	const path = fillPath(sourcesPath, { chatbotId });
	const startedAt = Date.now();
	const response = await api.send({
		method: 'POST',
		path,
		body: { type, ...body },
		resource: 'agentSources',
		version: version2,
	});
	if (!response.mayHaveRun && response.outcome) throw api.failure(response);
	const created = sourceOf(response.body);
	if (!response.outcome && created) return created;
	try {
		// Some services answer 500 for an unknown chatbot.
		await assertChatbotKnown(api, chatbotId, 'agentSources');
		const isOurs = (source: IDataObject) =>
			keyOf(source) === keyOf({ type, name }) && !others.has(String(source.id));
		let waited = 0;
		for (let pause = second; ; pause *= 2) {
			const query = { type, ...(type !== 'link' && { name }) };
			const found = await findCreated(api, chatbotId, query, startedAt, isOurs);
			if (found.length === 1) return found[0];
			if (found.length > 1 || !response.mayHaveRun || waited >= api.timeout) break;
			await api.wait(pause);
			waited += pause;
		}
	} catch (error) {
		throw mayExist(error as NodeApiError, name);
	}
	throw mayExist(response.outcome ? api.failure(response) : api.unexpected(response), name);
}

/** @param startedAt when the request was sent, by the clock of n8n */
async function findCreated(
	api: ApiClient,
	chatbotId: string,
	query: IDataObject,
	startedAt: number,
	isOurs: (source: IDataObject) => boolean,
): Promise<Source[]> {
	const found: IDataObject[] = [];
	let since: number | undefined;
	for await (const { page, fresh } of walkPages(sourcePages(api, chatbotId, query))) {
		// Clocks differ, so only the time between the two requests counts.
		since ??= page.sentAt - (Date.now() - startedAt);
		const earliest = since;
		found.push(
			...fresh.filter(
				(source) => isOurs(source) && (readTimestamp(source.createdAt) ?? Infinity) >= earliest,
			),
		);
	}
	return found as Source[];
}

function mayExist(error: NodeApiError, name: string): NodeApiError {
	const words = `The source "${name}" may exist. Create or Update finds it by its name.`;
	if (error.httpCode !== '404') {
		error.description = `${error.description ?? ''} ${escapeHtml(words)}`.trim();
	}
	return error;
}
