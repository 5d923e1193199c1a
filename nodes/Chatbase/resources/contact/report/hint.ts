import type { NodeExecutionHint } from 'n8n-workflow';

import type { BuildOutput, Run } from '../../../execution/operation';
import { outputOf } from '../../../execution/run';
import { escapeHtml } from '../../../api/html';
import type { RunLimits } from '../../../api/runLimits';
import type { Summary } from './summary';
import { summaryOf } from './summary';

const number = new Intl.NumberFormat('en-US');

/**
 * What the editor says after a run: what was done, with how many requests, and what to look at.
 *
 * @param summary what became of the contacts
 * @param limits what the run has sent
 */
export function hintsOf(summary: Summary, limits: RunLimits): NodeExecutionHint[] {
	const { dryRun, dropped, overLimit, waitedSeconds } = summary;
	const counts = [
		...(['created', 'updated', 'unchanged', 'unmanaged'] as const),
		...(['left', 'marked', 'removed', 'kept', 'failed'] as const),
	].filter((name) => summary[name] > 0);
	const done = counts.map((name) => `${number.format(summary[name])} ${labels[name] ?? name}`);
	const sent = [counted(limits.reads, 'read'), counted(limits.writes, 'write')];
	const waited =
		waitedSeconds > 0 ? ` The service made the node wait for ${waitedSeconds} seconds.` : '';
	// What would be done is not to be taken for done.
	const told = dryRun ? [`Would be: ${done.join(', ')}. Sent: ${sent[0]}`] : [...done, ...sent];
	const hints = [hint('info', `${told.join(', ')}.${waited}`)];
	if (dryRun) hints.push(hint('warning', 'Dry Run is on: nothing was written.'));
	if (overLimit) {
		hints.push(
			hint(
				'warning',
				'More contacts have left the list than the guard allows: such a run would fail. If they are right, set Max Removals to their number for one run.',
			),
		);
	}
	const names = Object.entries(dropped).map(([name, count]) => `${name} (${number.format(count)})`);
	if (names.length > 0) {
		hints.push(hint('warning', `The service dropped: ${names.join(', ')}.`));
	}
	return hints;
}

function counted(count: number, word: string): string {
	return `${number.format(count)} ${word}${count === 1 ? '' : 's'}`;
}

const labels: Partial<Record<keyof Summary, string>> = {
	left: 'left the list',
	unmanaged: 'of other syncs',
	kept: 'left the list and stay',
};

/**
 * The usual output of a run, with a hint about it.
 *
 * @param settings whether nothing was written; what has become of an item that says nothing about it
 */
export function showRunHint<Task>(
	run: Run<Task>,
	{ dryRun = false, action }: { dryRun?: boolean; action?: 'created' },
): BuildOutput {
	return (answers) => {
		const records = answers.flatMap((answer) => ('records' in answer ? answer.records : []));
		const failed = answers.filter((answer) => 'error' in answer).length;
		const summary = summaryOf(records, failed, answers.length, run.limits, dryRun);
		if (action) summary[action] = answers.length - failed;
		showHints(run, summary);
		return answers.flatMap((answer) => outputOf(run.context, answer));
	};
}

/** Shows what became of the contacts of a run, where a person may look. */
export function showHints<Task>({ context, limits }: Run<Task>, summary: Summary) {
	if (context.isTool) return;
	context.functions.addExecutionHints?.(...hintsOf(summary, limits));
}

function hint(type: 'info' | 'warning', message: string): NodeExecutionHint {
	return { type, message: escapeHtml(message), location: 'outputPane' };
}
