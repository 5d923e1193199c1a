import type { InputItem } from '../../execution/item';
import { maxConcurrencyOption } from '../../panel/maxConcurrency';
import { type Field, type Shown, toggleOption } from '../../panel/field';
import { chatbotField } from '../../chatbots/chatbots';
import type { UpsertSettings, WantedSource } from './plan/sourceInput';
import { nouns } from './sources';
import { waitOption } from './writeSources';

/** What Create or Update and Mirror read of an item. */
export interface UpsertParams {
	readonly wanted: WantedSource;
	readonly settings: UpsertSettings;
}

const alwaysSendOption = toggleOption('alwaysSend', 'Always Send', {
	description:
		'Whether to send every source, even if it has not changed. Use it once after an edit in the dashboard. The chatbot trains each one again.',
});

export const sourceUpsertOptions: Shown[] = [
	alwaysSendOption,
	maxConcurrencyOption,
	...Object.values(nouns.outcomeOptions),
	waitOption,
];

export function readUpsertSettings(
	item: InputItem,
	dryRunField: Field<boolean>,
): UpsertSettings {
	return item.context.readSettings('settings', () => ({
		chatbotId: chatbotField.read(item),
		dryRun: dryRunField.read(item),
		alwaysSend: alwaysSendOption.read(item),
		wait: waitOption.read(item),
	}));
}
