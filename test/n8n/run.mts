import { Checks, type Counts } from '../../lab/expectations.mjs';
import { HelpfulError } from '../../lab/help.mjs';
import { type Stage } from '../../lab/stage.mjs';

/** One row of the table at the end. */
interface Row extends Counts {
	name: string;
	seconds: number;
	/** What was done, the counts, and what was skipped. */
	what: string;
}

/** Runs parts one after another and collects their results. */
export class Run {
	readonly checks = new Checks();
	private readonly rows: Row[] = [];
	stage: Stage | undefined;

	/** A part that throws counts as one failed expectation. */
	async time(name: string, part: () => Promise<string>): Promise<void> {
		console.log(`\n${name}`);
		const before = this.checks.counts;
		const start = performance.now();
		const done = await part().catch(async (error: unknown) => {
			console.error(error instanceof HelpfulError ? error.message : error);
			this.checks.expect(`"${name}" runs to its end`, false);
			await this.stage?.editor?.screenshot(`failed-${name.replaceAll(' ', '-')}`).catch(() => {});
			return '';
		});
		const after = this.checks.counts;
		const skips = this.checks.skips.slice(before.skipped).map((skip) => `skipped ${skip}`);
		this.rows.push({
			name,
			seconds: (performance.now() - start) / 1000,
			passed: after.passed - before.passed,
			failed: after.failed - before.failed,
			skipped: after.skipped - before.skipped,
			what: [done, ...skips].filter((text) => text !== '').join('; '),
		});
	}

	/** Prints the summary and decides the exit code. */
	conclude(): void {
		printSummary(this.rows);
		this.checks.conclude();
	}
}

/** Prints what was checked, how often, and how long it took. */
function printSummary(rows: Row[]): void {
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
