import type { ApiClient } from '../../api/client';
import { dryRunOption, dryRunToggle } from '../../fields/dryRun';
import type { InputItem } from '../../execution/item';
import { chatbotField } from '../../fields/locators';
import { attributePrefix, readAttributesIfAny } from '../customAttribute/attributes';
import type { ChangeRules } from './difference';
import {
	attributesOption,
	droppedOption,
	matchByField,
	matchByOption,
	setOnlyIfEmptyOption,
} from './fields';
import type { MatchBy } from './match';

export interface WriteSettings extends ChangeRules {
	chatbotId: string;
	matchBy: MatchBy;
	onDroppedFields: 'warn' | 'error' | 'ignore';
	dryRun: boolean;
}

export type WriteOperation = 'create' | 'mirror' | 'update' | 'upsert';

export function readWriteSettings(item: InputItem, operation: WriteOperation): WriteSettings {
	const isMirror = operation === 'mirror';
	return {
		chatbotId: chatbotField.read(item),
		matchBy: (isMirror ? matchByOption : matchByField).read(item),
		mode: attributesOption.read(item),
		onlyIfEmpty: setOnlyIfEmptyOption.read(item).sort(),
		onDroppedFields: droppedOption.read(item),
		dryRun: (isMirror ? dryRunToggle : dryRunOption).read(item),
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
