import type { ApiClient } from '../../api/client';
import { dryRunOption, dryRunToggle } from '../../fields/dryRun';
import type { InputItem } from '../../execution/item';
import { commaSeparated, hasValue, readAs, readChoice, readId } from '../../fields/values';
import { attributePrefix, readAttributesIfAny } from '../customAttribute/attributes';
import type { ChangeRules } from './difference';
import { baseFields } from './fields';
import type { MatchBy } from './match';

export interface WriteSettings extends ChangeRules {
	chatbotId: string;
	matchBy: MatchBy;
	onDroppedFields: 'warn' | 'error' | 'ignore';
	dryRun: boolean;
}

export type WriteOperation = 'create' | 'mirror' | 'update' | 'upsert';

export function readEmptyValues(item: InputItem): 'ignore' | 'clear' {
	return readChoice(item, 'options.emptyValues', 'Empty Values', ['ignore', 'clear']);
}

export function readWriteSettings(item: InputItem, operation: WriteOperation): WriteSettings {
	return {
		chatbotId: readId(item, 'chatbotId', 'Chatbot'),
		matchBy: readChoice<MatchBy>(item, 'matchBy', 'Match Contacts By', [
			'externalId',
			'externalIdThenEmail',
		]),
		mode: readChoice(item, 'options.customAttributesMode', 'Unmapped Custom Attributes', [
			'merge',
			'replace',
		]),
		onlyIfEmpty: readFieldNames(
			item,
			'options.setOnlyIfEmpty',
			'Set Only If Empty: Field Names or IDs',
		).sort(),
		onDroppedFields: readChoice(item, 'options.onDroppedFields', 'If Fields Are Dropped', [
			'warn',
			'error',
			'ignore',
		]),
		dryRun: (operation === 'mirror' ? dryRunToggle : dryRunOption).read(item),
	};
}

/** Throws if Set Only If Empty has an unknown attribute, which would protect nothing. */
export async function assertAttributesExist(
	item: InputItem,
	api: ApiClient,
	{ chatbotId, onlyIfEmpty }: WriteSettings,
) {
	const names = onlyIfEmpty.filter((name) => name.startsWith(attributePrefix));
	if (names.length === 0) return;
	const attributes = await readAttributesIfAny(api, chatbotId);
	const known = attributes?.map(({ name }) => attributePrefix + name);
	const unknown = known && names.find((name) => !known.includes(name));
	if (unknown === undefined) return;
	throw item.error(
		'Set Only If Empty has an unknown custom attribute',
		`The chatbot has no "${unknown}". Use the exact name of the attribute, not its label.`,
	);
}

/** Fields that can be empty. Payment accounts have one of two names, depending on the service. */
const clearableFields = new Set([
	...baseFields.map(({ id }) => id).filter((id) => id !== 'external_id'),
	'payment_accounts',
	'stripe_accounts',
]);

/** Attributes are not checked: clearing an unknown one changes nothing, and a check costs a request in every run. */
export function readFieldNames(item: InputItem, path: string, label: string): string[] {
	const value = item.parameter(path);
	const names = hasValue(item, value) ? readAs(item, value, commaSeparated, label) : [];
	const other = names.find(
		(name) => !name.startsWith(attributePrefix) && !clearableFields.has(name),
	);
	if (other === undefined) return names;
	throw item.error(
		'A field name is unknown',
		`${label} has "${other}". Possible names are ${[...clearableFields].join(', ')}. A custom attribute needs its prefix, such as custom_attributes.plan.`,
	);
}
