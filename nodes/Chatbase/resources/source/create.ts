import { fillPath } from '../../api/address';
import type { ApiClient } from '../../api/client';
import { withSentence } from '../../api/errors';
import { createdSince, lookUntil, resultOf } from '../../api/unknownOutcome';
import { version2 } from '../../api/versions';
import { operation, optionsField } from '../../fields/define';
import { chatbotField } from '../../fields/locators';
import { maxConcurrencyOption } from '../../fields/paging';
import { readId } from '../../fields/values';
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
		settings: { chatbotId: readId(item, 'chatbotId', 'Chatbot'), wait: readWait(item) },
		wanted: readWanted(item, ['text', 'qna', 'link']),
	}),

	async sendAll(run) {
		const created = new Set<string>();
		const keyOfItem = ({ wanted }: { wanted: WantedSource }) => keyOf(wanted);
		await writeEach(run, keyOfItem, async ({ api, params: { settings, wanted } }) => {
			const source = await createSource(api, settings.chatbotId, wanted, created);
			created.add(source.id);
			return source;
		});
	},
});

/**
 * Creates a source. It is never sent twice: after an unknown outcome, the node looks for a source created since.
 *
 * @param others IDs of sources that the request can't have created
 */
export async function createSource(
	api: ApiClient,
	chatbotId: string,
	{ type, name, body }: WantedSource,
	others: ReadonlySet<string>,
): Promise<Source> {
	const startedAt = Date.now();
	const response = await api.send({
		method: 'POST',
		path: fillPath(sourcesPath, { chatbotId }),
		body: { type, ...body },
		resource: 'agentSources',
		version: version2,
	});
	const created = resultOf(api, response, sourceOf);
	if (created) return created;
	const mayExist = `The source "${name}" may exist. Create or Update finds it by its name.`;
	const look = async () => {
		// Some services answer 500 for an unknown chatbot.
		await assertChatbotKnown(api, chatbotId, 'agentSources');
		const pages = sourcePages(api, chatbotId, { type, ...(type !== 'link' && { name }) });
		const found: Source[] = [];
		for await (const record of createdSince(pages, startedAt)) {
			const source = record as Source;
			if (keyOf(source) === keyOf({ type, name }) && !others.has(source.id)) found.push(source);
		}
		return found;
	};
	const [ours, ...alike] = await lookUntil(api, look, ({ length }) => length > 0, mayExist);
	if (ours && alike.length === 0) return ours;
	throw withSentence(api.failure(response), mayExist);
}
