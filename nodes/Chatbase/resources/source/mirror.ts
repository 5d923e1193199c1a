import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { failureOf } from '../../api/failure';
import type { RunContext } from '../../execution/context';
import { InputItem } from '../../execution/item';
import type { Run } from '../../execution/run';
import { optionsField } from '../../panel/collections';
import { maxConcurrencyOption } from '../../panel/maxConcurrency';
import { notice } from '../../panel/notices';
import { dryRunToggle } from '../../panel/dryRun';
import { operation } from '../../panel/operation';
import { choiceField, optionalField, requiredField } from '../../panel/field';
import { chatbotField } from '../../chatbots/chatbots';
import { commaSeparated, filledText, only, type ValueType } from '../../panel/types';
import { assertFullRun, assertStartsOnce } from '../../sync/completeList';
import {
	assertExpectedItems,
	limitOptions,
	limitWords,
	type MissingSettings,
	readMissingSettings,
} from '../../sync/limit';
import type { MirrorPlan } from '../../sync/missing';
import { recordOf } from '../../sync/records';
import { listRule, notAsTool, type MirrorRun, runMirror } from '../../sync/runMirror';
import { groupBy } from '../../values/list';
import { countFormat } from '../../values/json';
import { matchableFields, matchableTypeField, matchableTypes } from './contentFields';
import { isGone, sourceKeyOf, sourceNameOf, type Source } from './plan/source';
import { removeSource, sendToSource, sourceIn } from './requests';
import { nouns, sourcesPath } from './sources';
import { readStated, readWanted } from './read/wantedSource';
import {
	readMatches,
	readUpsertSettings,
	sourceUpsertOptions,
	type UpsertParams,
	upsertSources,
} from './upsertSources';

interface MirrorParams extends UpsertParams {
	mirror: SourceMirrorSettings;
}

interface SourceMirrorSettings extends MissingSettings {
	namePrefix: string;
	/** If empty, the mirror manages the types of the items. */
	manageTypes: string[];
}

const prefix: ValueType<string> = {
	...filledText,
	rule: 'Enter the start of the names in your input, such as Docs:.',
	read: (value) => filledText.read(value)?.trimStart().normalize('NFC'),
};
const namePrefixField = requiredField('namePrefix', 'Name Prefix', prefix, {
	description:
		'Start of the names to manage (case-sensitive). The node adds the prefix to names that lack it. Sources without the prefix are left alone.',
	placeholder: 'e.g. Docs:',
});

const managedTypes = only(commaSeparated, 'a list of text, qna and file', (types) =>
	types.every((type) => Object.hasOwn(matchableTypes, type)),
);

const manageTypesField = optionalField(
	'manageTypes',
	'Source Types to Manage',
	managedTypes,
	{
		description:
			'Only sources of these types can be missing. If none is chosen, the types of your items count.',
		type: 'multiOptions',
		default: [],
		options: Object.entries(matchableTypes).map(([value, [name]]) => ({ name, value })),
	},
);

const missingField = choiceField('onMissing', 'Missing Sources', {
	description: 'What happens to a managed source that is not in the input',
	choices: {
		report: ['Report Only', 'Lists the source in the output and changes nothing'],
		delete: [
			'Delete',
			'Deletes the source permanently. Its record is in the output, without content.',
		],
	},
	default: 'report',
});

const limits = limitOptions(nouns);

const request = { method: 'POST', path: sourcesPath, resource: 'agentSources' } as const;

export const mirror = operation<MirrorParams>({
	value: 'mirror',
	notAsTool,
	action: 'Mirror source list',
	description:
		'Match the sources to your complete list, and handle missing ones. May need a higher plan.',
	builderHint:
		'The input must be the complete list, all of it in one run: sources that it lacks can be deleted. Read all pages before, and put no loop, filter or second branch in front. For a part of a list, use Create or Update.',
	request,
	dryRun: dryRunToggle,
	// The errors of a mirror say it themselves.
	nothingDone: '',
	maxConcurrency: maxConcurrencyOption,
	onFailedItems: nouns.outcomeOptions.onFailedItems,
	fields: [
		chatbotField,
		notice('completeListNotice', listRule),
		...matchableFields,
		namePrefixField,
		manageTypesField,
		missingField,
		notice('deleteMissingNotice', `Deletion is permanent. ${limitWords(nouns)}`, {
			show: { onMissing: ['delete'] },
		}),
		dryRunToggle,
		optionsField([...sourceUpsertOptions, ...Object.values(limits)]),
	],

	validateRun(context) {
		assertFullRun(context, nouns);
		const { onMissing } = readSourceMirrorSettings(new InputItem(context, 0, request));
		if (onMissing === 'delete') assertStartsOnce(context, nouns);
	},

	async read(item, api) {
		// The name is read first, since errors show it.
		const stated = readStated(item, matchableTypeField);
		const mirror = item.context.readSettings('mirror', () =>
			readSourceMirrorSettings(item),
		);
		const { namePrefix: prefix } = mirror;
		const wanted = await readWanted(item, api, { ...stated, prefix });
		return { mirror, wanted, settings: readUpsertSettings(item, dryRunToggle) };
	},

	sendAll: async (run) =>
		await runMirror(run, {
			nouns,
			idLabel: 'Source Type and Name',
			planOf: planMirror,
		}),
});

function readSourceMirrorSettings(item: InputItem): SourceMirrorSettings {
	return {
		...readMissingSettings(item, { onMissing: missingField, ...limits }),
		namePrefix: namePrefixField.read(item),
		manageTypes: manageTypesField.read(item) ?? [],
	};
}

async function planMirror(run: MirrorRun<MirrorParams>): Promise<MirrorPlan<Source>> {
	const { context, items } = run;
	const [{ params, api }] = items;
	const { chatbotId } = params.settings;
	const { count, isPresent } = inputOf(run);
	const expected = params.mirror.expectedItems;
	assertExpectedItems(context, nouns, { count, expected });

	const chatbot = await readMatches(context, { api, chatbotId, items });
	const { listed } = chatbot;

	const types = managedTypesOf(run);
	const hasPrefix = (source: Source) =>
		sourceNameOf(source).startsWith(params.mirror.namePrefix);
	const isManaged = (source: Source) => hasPrefix(source) && types.has(source.type!);

	const others = listed.filter((source) => !isManaged(source));
	warnOfUnmanaged(context, others.filter(hasPrefix), params.mirror);

	return {
		managed: listed.filter(isManaged),
		unmanaged: others.filter((source) => !isPresent(source)).length,
		isPresent,
		typeOf: ({ type }) => sourceTypeLabel(type!),
		nameOf: sourceNameOf,
		write: async () => await upsertSources(run, [chatbot]),
		handle: async (source) => await deleteMissingSource(api, chatbotId, source),
	};
}

interface MirrorInput {
	/** How many sources the items name. */
	readonly count: number;
	/** Whether an item names the source. */
	isPresent(source: Source): boolean;
}

function inputOf({ items, refused }: Run<MirrorParams>): MirrorInput {
	const wanted = items.map(({ params }) => params.wanted);
	const names = new Set(wanted.map(({ name }) => name));
	const keys = new Set(wanted.map(({ key }) => key));
	// Refused items may have no valid type, so their names keep sources of every type.
	const refusedNames = new Set(refused.flatMap(({ identity }) => identity.id ?? []));
	const unread = [...refusedNames].filter((name) => !names.has(name));

	return {
		count: keys.size + unread.length,
		isPresent: (source) =>
			keys.has(sourceKeyOf(source)) || refusedNames.has(sourceNameOf(source)),
	};
}

/** The chosen types, or those of all items, including refused ones. */
function managedTypesOf({ items, refused }: MirrorRun<MirrorParams>): Set<string> {
	const { manageTypes } = items[0].params.mirror;
	if (manageTypes.length > 0) return new Set(manageTypes);

	const all = [...refused, ...items.map(({ item }) => item)];
	return new Set(all.flatMap(({ identity }) => identity.type ?? []));
}

/** @param unmanaged sources that have the prefix */
function warnOfUnmanaged(
	context: RunContext,
	unmanaged: Source[],
	{ manageTypes }: SourceMirrorSettings,
) {
	if (manageTypes.length > 0) return;
	for (const [type, { length }] of groupBy(unmanaged, (source) => source.type!)) {
		const label = type === 'qna' ? 'Q&A' : type;
		const [noun, verb] = length === 1 ? ['source', 'is'] : ['sources', 'are'];
		const counted = `${countFormat.format(length)} ${label} ${noun} ${verb}`;
		context.warn(`${counted} not managed, because the input has none.`);
	}
}

function sourceTypeLabel(type: string): string {
	return matchableTypes[type as keyof typeof matchableTypes][0];
}

/**
 * Deletes a source if it is still the same, and looks again if the response does not show whether it was deleted. Returns its
 * last record.
 */
async function deleteMissingSource(
	api: ApiClient,
	chatbotId: string,
	listed: Source,
): Promise<IDataObject> {
	const address = { chatbotId, sourceId: listed.id };
	const response = await sendToSource(api, address, { method: 'GET' });
	if (response.outcome === '404') return recordOf(listed, 'deleted');

	const current = sourceIn(api, response, listed.id);
	if (sourceKeyOf(current) !== sourceKeyOf(listed)) return recordOf(current, 'kept');

	try {
		await removeSource(api, address, true);
	} catch (error) {
		const failure = failureOf(error);
		if (failure.written !== 'unknown') throw failure;

		if (await stillExists(api, address)) throw failure.with({ written: 'no' });
	}
	return recordOf(current, 'deleted');
}

/** Whether a source exists that was perhaps deleted. Throws if that can't be seen. */
async function stillExists(
	api: ApiClient,
	address: { chatbotId: string; sourceId: string },
): Promise<boolean> {
	try {
		const response = await sendToSource(api, address, { method: 'GET' });
		return (
			response.outcome !== '404' && !isGone(sourceIn(api, response, address.sourceId))
		);
	} catch (error) {
		throw failureOf(error)
			.with({ written: 'unknown' })
			.and('The source may have been deleted.');
	}
}
