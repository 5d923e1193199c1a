import type { ApiClient } from '../../api/client';
import type { Run } from '../../execution/run';
import { optionsField } from '../../panel/collections';
import { notice } from '../../panel/notices';
import { operation } from '../../panel/operation';
import { maxConcurrencyOption } from '../../panel/paging';
import { dryRunToggle } from '../../panel/dryRun';
import { choiceField, requiredField } from '../../panel/field';
import { chatbotField } from '../chatbot/chatbotField';
import { commaSeparated, filledText, type ValueType } from '../../panel/types';
import { assertFullRun, assertPrefix, listNotice, notAsTool } from '../../sync/completeList';
import {
	assertExpectedItems,
	limitOptions,
	limitWords,
	type MissingSettings,
	readMissingSettings,
} from '../../sync/limitFields';
import type { MirrorPlan } from '../../sync/missing';
import { recordOf } from '../../sync/records';
import { runMirror } from '../../sync/runMirror';
import { matchableFields, matchableTypes } from './contentFields';
import type { Source } from './sources';
import { isGone, keyOf, nameOf, nouns, sendToSource, sourceIn, sourcesPath } from './sources';
import { writeSources } from './sync';
import type { SourceParams } from './tasks';
import { agreeingItems, readMatchable, readSourceItem, syncOptions, tasksFor } from './tasks';
import { removeSource } from './write';

interface MirrorParams extends SourceParams {
	mirror: MissingSettings & { namePrefix: string; manageTypes: string[] };
}

const prefix = {
	...filledText,
	rule: 'Enter the start of the names in your input, such as Docs:.',
};
const namePrefixField = requiredField('namePrefix', 'Name Prefix', prefix, {
	description:
		'Start of the names to manage (case-sensitive). Every item needs it. Links and all other sources are left alone.',
	placeholder: 'e.g. Docs:',
});

const managedTypes: ValueType<string[]> = {
	expected: 'a list of text, qna and file',
	read(value) {
		const types = commaSeparated.read(value) ?? [];
		const known = Object.keys(matchableTypes);
		return types.length > 0 && types.every((type) => known.includes(type)) ? types : undefined;
	},
};

const manageTypesField = requiredField('manageTypes', 'Source Types to Manage', managedTypes, {
	description: 'Sources of other types are never missing, even if their names have the prefix',
	type: 'multiOptions',
	default: ['text', 'qna'],
	options: Object.entries(matchableTypes).map(([value, [name]]) => ({ name, value })),
});

const missingField = choiceField('onMissing', 'Missing Sources', {
	description: 'What happens to a managed source that is not in the input',
	choices: {
		delete: [
			'Delete',
			'Deletes the source permanently. Its record is in the output, without content.',
		],
		report: ['Report Only', 'Lists the source in the output and changes nothing'],
	},
	default: 'report',
});

export const mirror = operation<MirrorParams>({
	value: 'mirror',
	notAsTool,
	action: 'Mirror source list',
	description:
		'Create and update sources from your complete list, and report or delete those missing from it',
	request: { method: 'POST', path: sourcesPath, resource: 'agentSources' },
	dryRun: dryRunToggle,
	maxConcurrency: maxConcurrencyOption,
	onFailedItems: nouns.outcomeOptions.onFailedItems,
	fields: [
		chatbotField,
		listNotice,
		...matchableFields,
		namePrefixField,
		manageTypesField,
		missingField,
		notice('deleteMissingNotice', `Deletion is permanent. ${limitWords(nouns)}`, {
			show: { onMissing: ['delete'] },
		}),
		dryRunToggle,
		optionsField([...syncOptions, ...Object.values(limitOptions(nouns))]),
	],

	validateRun: (context) => assertFullRun(context, nouns),

	read: async (item, api) => ({
		...(await readSourceItem(item, api, dryRunToggle)),
		mirror: item.context.readSettings('mirror', () => ({
			...readMissingSettings(item, nouns, missingField),
			namePrefix: namePrefixField.read(item).trimStart().normalize('NFC'),
			manageTypes: manageTypesField.read(item),
		})),
	}),

	sendAll: async (run) => await runMirror(run, { nouns, idLabel: 'Name', planOf: planMirror }),
});

async function planMirror(run: Run<MirrorParams>): Promise<MirrorPlan<Source>> {
	const { context, items, refused } = run;
	const [{ params, api }] = items;
	const { namePrefix, manageTypes } = params.mirror;
	const { chatbotId } = params.settings;
	assertPrefix(items, { prefix: namePrefix, title: 'A name lacks the Name Prefix', nouns });
	const keys = new Set(items.map(({ params: { wanted } }) => keyOf(wanted)));
	// Refused items may have no valid type, so that they keep the sources of all types.
	const refusedNames = new Set(refused.flatMap(({ identity: { id } }) => id ?? []));
	const wantedNames = new Set(items.map(({ params: { wanted } }) => wanted.name));
	const unread = [...refusedNames].filter((name) => !wantedNames.has(name));
	assertExpectedItems(context, params.mirror, keys.size + unread.length, nouns);
	const groups = agreeingItems(items);
	const sources = await readMatchable(context, api, chatbotId);
	const isPresent = (source: Source) => keys.has(keyOf(source)) || refusedNames.has(nameOf(source));
	const isManaged = (source: Source) =>
		manageTypes.includes(source.type!) && nameOf(source).startsWith(namePrefix);
	return {
		managed: sources.filter(isManaged),
		unmanaged: sources.filter((source) => !isManaged(source) && !isPresent(source)).length,
		isPresent,
		typeOf: ({ type }) => matchableTypes[type as keyof typeof matchableTypes][0],
		nameOf,
		write: async () => await writeSources(run, [tasksFor({ api, chatbotId }, groups, sources)]),
		handle: async (source) => await deleteMissing(api, chatbotId, source),
	};
}

/** Deletes a source if it is still the same one, and returns its last record. */
async function deleteMissing(api: ApiClient, chatbotId: string, listed: Source) {
	const response = await sendToSource(api, chatbotId, listed.id, { method: 'GET' });
	if (response.outcome === '404') return recordOf(listed, 'deleted');
	const current = sourceIn(api, response, listed.id);
	if (keyOf(current) !== keyOf(listed)) return recordOf(current, 'kept');
	if (!isGone(current)) await removeSource(api, chatbotId, listed.id, true);
	return recordOf(current, 'deleted');
}
