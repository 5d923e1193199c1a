/** The options for what a run returns, and whether it goes on after a failure. */
import type { InputItem } from '../execution/item';
import { choiceField, type Field } from '../panel/field';
import { shownInTool } from '../panel/notices';
import type { Nouns } from './records';

export interface OutcomeSettings {
	output: 'all' | 'changes' | 'summary';
	onFailedItems: 'stop' | 'finish';
}

interface OutcomeOptions {
	onFailedItems: Field<OutcomeSettings['onFailedItems']>;
	output: Field<OutcomeSettings['output']>;
}

/** Options for the result of a run. A tool has none of them, since an agent writes one record at a time. */
const outcomeOptions = ({ one, many, title }: Nouns): OutcomeOptions => ({
	onFailedItems: choiceField('options.onFailedItems', `If ${title} Fail`, {
		description: `What to do if some ${many} can't be written`,
		choices: {
			stop: [
				'Stop',
				'The first failure ends the run, unless On Error is set to Continue',
			],
			finish: [
				'Write the Rest, Then Fail',
				`Writes all other ${many}, then fails once with a list of the failures`,
			],
		},
		...shownInTool(false),
	}),
	output: choiceField('options.output', 'Output', {
		description: 'What the node returns',
		choices: {
			all: [
				'All Items',
				`One item for each input item, and in Mirror one for each missing ${one}`,
			],
			changes: [
				'Changes Only',
				`${title} that were created, updated or failed, or are missing. Unchanged ones are left out.`,
			],
			summary: [
				'Summary',
				'One item with counts, such as created, updated, unchanged and failed',
			],
		},
		...shownInTool(false),
	}),
});

/** The words for the records of a resource, and the options with these words. */
export interface OutcomeNouns extends Nouns {
	outcomeOptions: OutcomeOptions;
}

export function withOutcomeOptions(nouns: Nouns): OutcomeNouns {
	return { ...nouns, outcomeOptions: outcomeOptions(nouns) };
}

export const plainOutcome: OutcomeSettings = { output: 'all', onFailedItems: 'stop' };

export function readOutcome(
	item: InputItem,
	{ outcomeOptions }: OutcomeNouns,
): OutcomeSettings {
	const { onFailedItems, output } = outcomeOptions;
	return item.context.readSettings('outcome', () => ({
		output: output.read(item),
		onFailedItems: onFailedItems.read(item),
	}));
}
