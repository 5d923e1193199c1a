import { type Counts } from './expectations.mjs';

/** One row of the table at the end. */
export interface Row extends Counts {
	name: string;
	seconds: number;
	/** What was done, and how often. */
	what: string;
}

/** Prints what was checked, how often, and how long it took. */
export function printSummary(rows: Row[]): void {
	const lines = [
		['', 'passed', 'failed', 'skipped', 'seconds', ''],
		...rows.map(({ name, passed, failed, skipped, seconds, what }) => [
			name,
			...[passed, failed, skipped].map(String),
			seconds.toFixed(1),
			what,
		]),
	];
	const widths = lines[0]!.map((_, column) =>
		Math.max(...lines.map((line) => line[column]!.length)),
	);
	console.log();
	for (const line of lines) {
		const cells = line.map((cell, column) => {
			const isText = column === 0 || column === 5;
			return isText ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!);
		});
		console.log(cells.join('  ').trimEnd());
	}
}
