import { escapeHtml } from '../api/errors';
import { countFormat } from '../values/scalar';
import { firstOf } from '../values/firstOf';
import type { MissingRecords, Nouns, Summary, WritingRun } from './summary';
import { actions } from './summary';

const hintWords: Record<string, string> = {
	skipped: 'skipped, because another mirror manages them',
	kept: 'missing and kept',
};

/** Shows in the editor the result of a run, the number of requests, and what to check. */
export function showHints(
	{ context: { functions, isTool }, limits }: WritingRun,
	summary: Summary,
	nouns: Nouns,
	missing?: MissingRecords,
) {
	if (isTool) return;
	const show = (type: 'info' | 'warning', message: string) =>
		functions.addExecutionHints?.({ type, message: escapeHtml(message), location: 'outputPane' });
	const { one, many } = nouns;
	const { dryRun, dropped, waitedSeconds, requests } = summary;
	const { failed = [], newAttributes = [], overLimit } = missing ?? {};
	const off = missing?.warning ? ` ${missing.warning}` : '';
	if (dryRun) {
		show('warning', `Nothing was written. A real run would ${verdictOf(summary, nouns, missing)}`);
	} else {
		const told = [...actions, 'failed' as const]
			.filter((name) => summary[name] > 0)
			.map((name, index) => {
				const noun = index > 0 ? '' : `${summary[name] === 1 ? one : many} `;
				return `${countFormat.format(summary[name])} ${noun}${hintWords[name] ?? name}`;
			});
		const what = limits.writes > 0 ? 'API request' : 'read';
		const sent = `${countFormat.format(requests)} ${what}${requests === 1 ? '' : 's'}.`;
		const waited =
			waitedSeconds > 0 ? ` The service made the node wait for ${waitedSeconds} seconds.` : '';
		const none = limits.writes > 0 ? '' : 'Nothing written, ';
		show('info', `${told.join(', ')}. ${none}${sent}${waited}${off}`);
	}
	if (dryRun && newAttributes.length > 0) {
		show('info', `A real run first creates these attributes: ${newAttributes.join(', ')}.`);
	}
	if (overLimit?.isLeft) {
		const stay = dryRun ? 'would stay' : 'stay';
		show(
			'warning',
			`Missing ${many} ${stay} unchanged: ${overLimit.words} Check that the input is complete.`,
		);
	}
	if (failed.length > 0) {
		const noun = failed.length === 1 ? one : many;
		const count = countFormat.format(failed.length);
		show('warning', `${count} missing ${noun} could not be marked or deleted: ${firstOf(failed)}.`);
	}
	const names = Object.entries(dropped).map(
		([name, count]) => `${name} (${countFormat.format(count)})`,
	);
	if (names.length > 0) show('warning', `The service dropped: ${names.join(', ')}.`);
}

const maxNames = 3;

/** What a real run would do, after the words "A real run would". */
function verdictOf(summary: Summary, { one, many }: Nouns, missing?: MissingRecords): string {
	const { doneAs, names = [], overLimit, unmanaged = 0, warning = '' } = missing ?? {};
	if (overLimit && !overLimit.isLeft) return `fail: ${overLimit.words}`;
	const verbs = {
		deleted: 'delete',
		marked: 'mark',
		created: 'create',
		updated: 'update',
	} as const;
	const steps = Object.entries(verbs)
		.filter(([name]) => summary[name as 'created'] > 0 || [doneAs, 'updated'].includes(name))
		.map(([name, verb], index) => {
			const count = summary[name as 'created'];
			const noun = index > 0 ? '' : count === 1 ? ` ${one}` : ` ${many}`;
			const isNamed = name === doneAs && count > 0;
			const more = names.length > maxNames ? ' …' : '';
			const shown = isNamed ? ` (${names.slice(0, maxNames).join(', ')}${more})` : '';
			return `${verb} ${countFormat.format(count)}${noun}${shown}`;
		});
	const states: Array<[count: number, singular: string, plural: string]> = [
		[summary.unchanged, 'is unchanged', 'are unchanged'],
		[summary.missing, 'is missing', 'are missing'],
		[summary.kept, 'is missing and kept', 'are missing and kept'],
		[summary.skipped, 'is skipped', 'are skipped'],
		[summary.failed, 'would fail', 'would fail'],
		[unmanaged, "other isn't managed by this mirror", "others aren't managed by this mirror"],
	];
	const told = states
		.filter(([count]) => count > 0)
		.map(
			([count, singular, plural]) =>
				`${countFormat.format(count)} ${count === 1 ? singular : plural}`,
		);
	const rest = told.length > 0 ? `; ${told.join(', ')}` : '';
	return `${steps.join(', ').replace(/, (?=[^,)]*$)/, ' and ')}${rest}. ${warning}`.trim();
}
