import { escapeHtml } from '../api/errors';
import { firstOf } from '../values/firstOf';
import { countFormat } from '../values/scalar';
import type { MissingRecords, Nouns, Summary, WritingRun } from './summary';
import { actions } from './summary';

/** Shows in the editor the result of a run, the number of requests, and what to check. */
export function showHints(
	run: WritingRun,
	summary: Summary,
	nouns: Nouns,
	missing?: MissingRecords,
) {
	const { functions, isTool } = run.context;
	if (isTool) return;
	const show = (type: 'info' | 'warning', message: string) =>
		functions.addExecutionHints?.({ type, message: escapeHtml(message), location: 'outputPane' });
	if (summary.dryRun) {
		const words = verdictOf(summary, nouns, missing);
		show('warning', `Nothing was written. A real run would ${words}`);
	} else show('info', resultOf(run, summary, nouns, missing));
	warningsOf(summary, nouns, missing).forEach((message) => show('warning', message));
}

function countOf(count: number, { one, many }: Pick<Nouns, 'one' | 'many'>): string {
	return `${countFormat.format(count)} ${count === 1 ? one : many}`;
}

const resultWords: Record<string, string> = {
	skipped: 'skipped, because another mirror manages them',
	kept: 'missing and kept',
};

function resultOf(
	{ limits }: WritingRun,
	summary: Summary,
	nouns: Nouns,
	missing?: MissingRecords,
): string {
	const told = [...actions, 'failed' as const]
		.filter((name) => summary[name] > 0)
		.map((name, index) => {
			const count = summary[name];
			const counted = index > 0 ? countFormat.format(count) : countOf(count, nouns);
			return `${counted} ${resultWords[name] ?? name}`;
		});
	const { requests, waitedSeconds } = summary;
	const sentences = [
		`${told.join(', ')}.`,
		limits.writes > 0
			? `${countOf(requests, { one: 'API request', many: 'API requests' })}.`
			: `Nothing written, ${countOf(requests, { one: 'read', many: 'reads' })}.`,
		waitedSeconds > 0 && `The service made the node wait for ${waitedSeconds} seconds.`,
		missing?.warning,
	];
	return sentences.filter(Boolean).join(' ');
}

const maxNames = 3;
const verbs = { deleted: 'delete', marked: 'mark', created: 'create', updated: 'update' };

/** What a real run would do, after the words "A real run would". */
function verdictOf(summary: Summary, nouns: Nouns, missing?: MissingRecords): string {
	const { doneAs, names = [], overLimit, unmanaged = 0, warning, newAttributes } = missing ?? {};
	if (overLimit && !overLimit.isLeft) return `fail: ${overLimit.words}`;
	const steps = (Object.keys(verbs) as Array<keyof typeof verbs>)
		.filter((name) => summary[name] > 0 || name === doneAs || name === 'updated')
		.map((name, index) => {
			const count = summary[name];
			const counted = index > 0 ? countFormat.format(count) : countOf(count, nouns);
			const more = names.length > maxNames ? ' …' : '';
			const isNamed = name === doneAs && count > 0;
			const shown = isNamed ? ` (${names.slice(0, maxNames).join(', ')}${more})` : '';
			return `${verbs[name]} ${counted}${shown}`;
		});
	const last = steps.pop();
	const states: Array<[count: number, one: string, many: string]> = [
		[summary.unchanged, 'is unchanged', 'are unchanged'],
		[summary.missing, 'is missing', 'are missing'],
		[summary.kept, 'is missing and kept', 'are missing and kept'],
		[summary.skipped, 'is skipped', 'are skipped'],
		[summary.failed, 'would fail', 'would fail'],
		[unmanaged, "other isn't managed by this mirror", "others aren't managed by this mirror"],
	];
	const told = states
		.filter(([count]) => count > 0)
		.map(([count, one, many]) => countOf(count, { one, many }));
	const done = steps.length > 0 ? `${steps.join(', ')} and ${last}` : last;
	const sentences = [
		`${[done, told.join(', ')].filter(Boolean).join('; ')}.`,
		newAttributes?.length && `It first creates these attributes: ${newAttributes.join(', ')}.`,
		warning,
	];
	return sentences.filter(Boolean).join(' ');
}

function warningsOf(
	{ dropped, dryRun }: Summary,
	nouns: Nouns,
	missing?: MissingRecords,
): string[] {
	const warnings: string[] = [];
	if (missing?.overLimit?.isLeft) {
		const stay = dryRun ? 'would stay' : 'stay';
		const { words } = missing.overLimit;
		warnings.push(
			`Missing ${nouns.many} ${stay} unchanged: ${words} Check that the input is complete.`,
		);
	}
	if (missing && missing.failed.length > 0) {
		const { failed } = missing;
		const noun = { one: `missing ${nouns.one}`, many: `missing ${nouns.many}` };
		const counted = countOf(failed.length, noun);
		warnings.push(`${counted} could not be marked or deleted: ${firstOf(failed)}.`);
	}
	const names = Object.entries(dropped).map(
		([name, count]) => `${name} (${countFormat.format(count)})`,
	);
	if (names.length > 0) warnings.push(`The service dropped: ${names.join(', ')}.`);
	return warnings;
}
