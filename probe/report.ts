/** The answer of a run as text. */
import type { Verdict } from './answer';
import type { Row } from './findings';
import type { ProbeResult } from './run';

const verdicts: Verdict[] = ['as assumed', 'handled', 'DIFFERS', 'not found out'];

/** A Markdown table with aligned columns, and remarks about the run. */
export function textOf(result: ProbeResult, isDefaultBaseUrl: boolean): string {
	const head = ['question', 'answer', 'verdict'];
	const rows = result.rows.map(({ asked, came, expected, verdict }) => [
		asked,
		verdict === 'DIFFERS' ? `${came} (expected: ${expected})` : came,
		verdict,
	]);

	const widths = head.map((_, column) =>
		Math.max(...[head, ...rows].map((row) => row[column].length)),
	);
	const line = (cells: string[]) =>
		`| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;

	// The URL itself may identify the user.
	const address = isDefaultBaseUrl ? 'the default address' : 'the address in --base-url';
	const counts = verdicts.map((verdict) => `${countOf(result.rows, verdict)} ${verdict}`);

	return [
		line(head),
		line(widths.map((width) => '-'.repeat(width))),
		...rows.map(line),
		'',
		`${counts.join(', ')}. ${result.requests} requests, all to ${address}.`,
		...remarks(result),
	].join('\n');
}

/** Exit status: 1 if the node handles something wrongly, 130 if the run was interrupted. */
export function statusOf({ rows, isInterrupted }: ProbeResult): number {
	if (isInterrupted) return 130;
	return countOf(rows, 'DIFFERS') > 0 ? 1 : 0;
}

function countOf(rows: Row[], verdict: Verdict): number {
	return rows.filter((row) => row.verdict === verdict).length;
}

function remarks({ left, leftovers, isInterrupted }: ProbeResult): string[] {
	return [
		...(isInterrupted ? ['Interrupted: the questions after the last answer were not asked.'] : []),
		...(leftovers > 0 ? [`Found ${leftovers} scratch contacts or sources of an earlier run.`] : []),
		...(left.length > 0
			? ['Left behind:', ...left.map((line) => `- ${line}`)]
			: ['Nothing is left behind.']),
	];
}
