import type { ApiClient } from '../../api/client';
import { type ApiResponse, codeOf } from '../../api/response';
import type { InputItem } from '../../execution/item';
import type { ReadyItem } from '../../execution/run';
import { optionsField } from '../../panel/collections';
import { maxConcurrencyOption } from '../../panel/maxConcurrency';
import { writeNotice } from '../../panel/notices';
import { choiceOption } from '../../panel/field';
import { operation } from '../../panel/operation';
import { chatbotField } from '../../chatbots/chatbots';
import {
	createFields,
	linkOptions,
	shownForTypes,
	sourceTypeField,
} from './contentFields';
import { isGone, sourceNameOf, type Source } from './plan/source';
import type { WantedSource } from './plan/sourceInput';
import { readStated, readWanted } from './read/wantedSource';
import { createdSource, type NewSource, sendNew } from './requests';
import { readSources, sourcesPath } from './sources';
import { waitOption, type WritableParams, writeEachItem } from './writeSources';

const existsOption = choiceOption('onExists', 'If Exists', {
	description: 'What to do if the chatbot already has a link with this URL and type',
	choices: {
		error: [
			'Fail',
			'The item fails. On Error in the settings decides what happens next.',
		],
		skip: [
			'Skip',
			'Returns the existing source unchanged, so the workflow can run again',
		],
	},
});

export const create = operation({
	value: 'create',
	description:
		'Teach the chatbot a text, a Q&A, a file or a link. May need a higher plan.',
	request: { method: 'POST', path: sourcesPath, resource: 'agentSources' },
	maxConcurrency: maxConcurrencyOption,
	fields: [
		chatbotField,
		writeNotice,
		...createFields,
		optionsField([
			...linkOptions,
			...shownForTypes(['link'], [existsOption], '/sourceType'),
			maxConcurrencyOption,
			waitOption,
		]),
	],

	neverTwice: 'create the sources of all items again',

	read: async (item, api) => ({
		settings: { chatbotId: chatbotField.read(item), wait: waitOption.read(item) },
		wanted: await readWanted(item, api, readStated(item, sourceTypeField)),
		skipsExisting: existsOption.read(item) === 'skip',
	}),

	async sendAll(run) {
		await writeEachItem(run, { send: createOne });
	},
});

interface CreateParams extends WritableParams {
	readonly wanted: WantedSource;
	/** Whether a link that the chatbot has is a result, not an error. */
	readonly skipsExisting: boolean;
}

async function createOne({
	item,
	api,
	params,
}: ReadyItem<CreateParams>): Promise<Source> {
	const { settings, wanted, skipsExisting } = params;
	const target = { chatbotId: settings.chatbotId, wanted };
	const response = await sendNew(api, target);

	const isThere = skipsExisting && codeOf(response) === 'SOURCE_DUPLICATE';
	if (isThere) return await existingLink(item, api, { ...target, refusal: response });
	return createdSource(api, response, target);
}

interface Duplicate extends NewSource {
	/** The response by which the service refused the link. */
	refusal: ApiResponse;
}

/** The source that has the same link for the service. Throws unless the list has exactly one. */
async function existingLink(
	item: InputItem,
	api: ApiClient,
	{ chatbotId, wanted, refusal }: Duplicate,
): Promise<Source> {
	const links = await readSources(item, api, { chatbotId, filters: { type: 'link' } });
	const same = links.filter(
		(source) =>
			!isGone(source) &&
			sourceNameOf(source) === wanted.name &&
			source.metadata?.type === wanted.body.linkType,
	);
	const [only, ...others] = same;
	if (only && others.length === 0) return only;

	const found =
		same.length === 0 ? 'No listed source has' : `${same.length} listed sources have`;
	throw api.failure(refusal).and(`${found} this URL and link type.`);
}
