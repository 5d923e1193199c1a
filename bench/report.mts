/** Tables for the terminal and for RESULTS.md: the same text serves both. */
import { ratio, type Standing } from './bench.mjs';

/** A promised figure and its measurement. */
export interface Aim {
	job: string;
	against: string;
	aim: string;
	measured: string;
	holds: boolean;
	/** The measured parts of the time, shown if the aim is missed. */
	cause: string;
	/** Whether a small run can judge it. */
	anySize?: boolean;
}

/** Figures of README.md, by the names of their marks there. */
export type Figures = Record<string, string>;

/** The result of one job. */
export interface Section {
	title: string;
	/** What was measured, and under which conditions. */
	setting: string;
	tables: Table[];
	aims: Aim[];
	/** What the figures mean. */
	notes?: string[];
	readme?: Figures;
}

export interface Table {
	head: string[];
	rows: string[][];
}

/** A Markdown table with aligned columns. */
function tableText({ head, rows }: Table): string {
	const widths = head.map((_, column) =>
		Math.max(3, ...[head, ...rows].map((row) => row[column].length)),
	);
	const line = (cells: string[]) =>
		`| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
	return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

export function sectionText({ title, setting, tables, notes = [] }: Section): string {
	const list = notes.map((note) => `- ${note}`).join('\n');
	return [`## ${title}`, setting, ...tables.map(tableText), list].filter(Boolean).join('\n\n');
}

/**
 * All aims, with notes about missed ones.
 *
 * @param isQuick whether the run was small: most aims are not judged then
 */
export function aimsText(aims: Aim[], isQuick: boolean): string {
	const isJudged = ({ anySize }: Aim) => !isQuick || anySize;
	const rows = aims.map((one) => {
		const { job, against, aim, measured, holds } = one;
		const kept = isJudged(one) ? (holds ? 'yes' : 'NO') : 'not judged at this size';
		return [job, against, aim, measured, kept];
	});
	const causes = aims
		.filter((one) => isJudged(one) && !one.holds)
		.map(({ job, against, cause }) => `- Missed, ${job} (${against}): ${cause}`);
	const table = tableText({ head: ['job', 'against', 'aim', 'measured', 'kept'], rows });
	return [table, causes.join('\n')].filter(Boolean).join('\n\n');
}

/**
 * What the time of a peer consists of.
 *
 * @param delayMs what the service waits before each answer
 */
export function spent(
	{ ms, cpuMs, evaluations, requests, together, wrong }: Standing,
	delayMs: number,
): string {
	const delays = (requests / Math.max(together, 1)) * delayMs;
	return [
		`of ${seconds(ms)}, ${seconds(delays)} are the delays of ${grouped(requests)} requests, ${together} at once`,
		`n8n's process worked for ${seconds(cpuMs)} and evaluated ${grouped(evaluations)} expressions`,
		...(wrong ? [`and the result is wrong: ${wrong}`] : []),
	].join('; ');
}

/** Peers beside each other, this node first. */
export function standingsTable(standings: Standing[], headline: string): Table {
	const [first] = standings;
	return {
		head: [
			headline,
			'time',
			'this node takes of it',
			'CPU',
			'expressions',
			'requests',
			'at once',
			'result',
		],
		rows: standings.map((standing) => [
			standing.name,
			seconds(standing.ms),
			standing === first ? '' : times(ratio(first, standing)),
			seconds(standing.cpuMs),
			grouped(standing.evaluations),
			grouped(standing.requests),
			String(standing.together),
			standing.wrong ? `WRONG: ${standing.wrong}` : 'complete',
		]),
	};
}

/** What a share of another one's time means for people, such as 4× faster or 26% slower. */
export function faster(share: number): string {
	if (share <= 0.5) return `${Math.round(1 / share)}× faster`;
	if (share > 1) return `${Math.round((share - 1) * 100)}% slower`;
	return `${Math.round((1 - share) * 100)}% faster`;
}

/**
 * A document with the figures that were measured, each between a mark such as `<!-- bench:readList -->` and `<!-- /bench -->`.
 *
 * @throws Error if the document has no such mark, or a figure that nobody has measured
 */
export function withFigures(document: string, figures: Figures): string {
	const open = new Set(Object.keys(figures));
	const marked = /(<!-- bench:(\w+) -->).*?(<!-- \/bench -->)/gs;
	const result = document.replace(marked, (_whole, begin: string, name: string, end: string) => {
		if (!(name in figures)) throw new Error(`No job measures "${name}" for README.md.`);
		open.delete(name);
		return begin + figures[name] + end;
	});
	if (open.size > 0) throw new Error(`README.md has no mark for ${[...open].join(', ')}.`);
	return result;
}

export function seconds(ms: number): string {
	return ms < 1000 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(2)} s`;
}

export function times(value: number): string {
	return value.toFixed(value < 0.1 ? 3 : 2);
}

export function grouped(value: number): string {
	return value.toLocaleString('en-US');
}
