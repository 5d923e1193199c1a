import type { IDataObject } from 'n8n-workflow';

import type { InputItem } from '../../../execution/item';
import type { ReadyItem } from '../../../execution/operation';
import { readChoice, readBoolean } from '../../../fields/values';
import { readId } from '../../../fields/read';
import type { AttributesMode, ChangeRules, WantedContact } from '../plan/change';
import type { MatchBy } from '../plan/match';
import { readAttributesOnce } from '../requests/attributes';
import { readFieldNames } from './additionalFields';
import type { ContactInput } from './contactInput';
import { readContactInput } from './contactInput';

/** What an operation that writes contacts has been told to do with an item. */
export interface WriteSettings extends ChangeRules {
	chatbotId: string;
	matchBy: MatchBy;
	onDroppedFields: 'warn' | 'error' | 'ignore';
	dryRun: boolean;
}

/** What an operation that writes contacts has read of an item. */
export interface WriteTask {
	settings: WriteSettings;
	input: ContactInput;
	/** Already there when the item can be understood without the attributes of the chatbot. */
	wanted?: WantedContact;
}

/** Refuses what the operation cannot write. */
export type Check = (item: InputItem, wanted: WantedContact) => void;

/**
 * Reads an item of an operation that writes contacts.
 *
 * @param isUpdate whether another field chooses the contact, so that automatic mapping leaves its ID alone
 * @param check refuses what the operation cannot write
 * @throws NodeOperationError that names the field whose value cannot work
 */
export function readWriteTask(item: InputItem, isUpdate: boolean, check: Check): WriteTask {
	const options = item.collection('options');
	const settings = readWriteSettings(item, options);
	const emptyValues = readChoice(item, options, 'emptyValues', 'Empty Values', ['ignore', 'clear']);
	const input = readContactInput(item, isUpdate, emptyValues === 'clear');
	if (input.needsSchema) return { settings, input };
	const wanted = input.toWanted([]);
	check(item, wanted);
	return { settings, input, wanted };
}

function readWriteSettings(item: InputItem, options: IDataObject): WriteSettings {
	const matchBy = { matchBy: item.parameter('matchBy') as string | undefined };
	return {
		chatbotId: readId(item, 'chatbotId', 'Chatbot'),
		matchBy: readChoice<MatchBy>(item, matchBy, 'matchBy', 'Match Contacts By', [
			'externalId',
			'externalIdThenEmail',
		]),
		mode: readChoice<AttributesMode>(
			item,
			options,
			'customAttributesMode',
			'Custom Attributes Mode',
			['merge', 'replace'],
		),
		keep: new Set(
			readFieldNames(item, options.keepExisting, 'Do Not Overwrite Field Names or IDs', 'kept'),
		),
		onDroppedFields: readChoice(item, options, 'onDroppedFields', 'If Fields Are Dropped', [
			'warn',
			'error',
			'ignore',
		]),
		dryRun: readDryRun(item, options),
	};
}

/**
 * Reads Dry Run. Where an expression has no value for it, nobody can tell what the user wants.
 *
 * @throws NodeOperationError when it is neither on nor off
 */
export function readDryRun(item: InputItem, options: IDataObject): boolean {
	const isAdded = 'dryRun' in options;
	if (isAdded && (options.dryRun === undefined || options.dryRun === null)) {
		throw item.refusal(
			'Dry Run has no value',
			'Its expression gives nothing for this item, so that nobody can tell whether to write. It needs true or false.',
		);
	}
	return readBoolean(item, options, 'dryRun', 'Dry Run');
}

/** Settings as text, to tell whether two items are written in the same way. */
export function settingsText({ keep, ...settings }: WriteSettings): string {
	return JSON.stringify({ ...settings, keep: [...keep].sort() });
}

/**
 * Finishes an item that could not be understood without the attributes of the chatbot.
 *
 * @throws NodeApiError when the attributes cannot be read
 * @throws NodeOperationError that names the field whose value does not fit
 */
export async function wantedOf(
	{ item, params, api }: ReadyItem<WriteTask>,
	check: Check,
): Promise<WantedContact> {
	if (params.wanted) return params.wanted;
	const schema = await readAttributesOnce(api, params.settings.chatbotId);
	const wanted = params.input.toWanted(schema);
	check(item, wanted);
	return wanted;
}
