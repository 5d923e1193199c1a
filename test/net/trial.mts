import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { project, ProjectCopy } from './copy.mjs';
import { type Reach, reachOf } from './reach.mjs';
import { Suites } from './suites.mjs';

/** A fault in one file. */
export interface Fault {
	readonly file: string;
	/** The whole file with the fault. */
	readonly text: string;
}

/** What came of running suites with a fault. */
export interface Trial {
	readonly state: 'fell' | 'held' | 'timed out';
	/** The suite and the test that fell. */
	readonly suite?: string;
	readonly test?: string;
	/** How many suites have passed before. */
	readonly passed: number;
}

export function report(line: string): void {
	process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
}

/** A copy of the project in which faults are tried. */
export class Laboratory {
	readonly copy = ProjectCopy.make();

	readonly suites = new Suites(this.copy);

	private reached?: Promise<Reach[]>;

	/** Whether each suite passes without a fault, as far as that was asked. */
	private readonly sound = new Map<string, boolean>();

	constructor() {
		process.once('exit', () => {
			this.suites.stop();
			this.copy.remove();
		});
		for (const signal of ['SIGINT', 'SIGTERM'] as const) {
			process.once(signal, () => process.exit(1));
		}
	}

	/** What each suite executes. To find it out takes minutes, so it is kept as long as no source and no test changes. */
	async reach(): Promise<Reach[]> {
		this.reached ??= this.readReach();
		return await this.reached;
	}

	/** Whether a suite passes without a fault. Otherwise it would seem to fall because of each. */
	async passes(suite: string): Promise<boolean> {
		if (!this.suites.has(suite)) return false;
		const known = this.sound.get(suite);
		if (known !== undefined) return known;

		const { passed } = await this.suites.run(suite);
		if (!passed) report(`left out, since it fails without a fault: ${suite}`);
		this.sound.set(suite, passed);
		return passed;
	}

	/** Runs suites with a fault until one falls, or until they have taken so many seconds of the processor. */
	async try({ file, text }: Fault, suites: readonly string[], budget: number): Promise<Trial> {
		this.copy.write(file, text);
		this.suites.forgetBuild();
		try {
			let spent = 0;
			let passed = 0;
			for (const suite of suites) {
				const run = await this.suites.run(suite);
				if (run.timedOut) return { state: 'timed out', suite, passed };
				if (!run.passed) return { state: 'fell', suite, test: run.failed, passed };

				passed++;
				spent += run.milliseconds;
				if (spent > budget * 1000) break;
			}
			return { state: 'held', passed };
		} finally {
			this.copy.restore(file);
			this.suites.forgetBuild();
		}
	}

	private async readReach(): Promise<Reach[]> {
		const hash = createHash('sha256');
		for (const [file, text] of this.copy.sources) hash.update(`${file}\n${text}\n`);
		for (const suite of this.suites.all) hash.update(readFileSync(join(this.copy.folder, suite)));
		const folder = join(project, 'node_modules/.cache/net');
		const path = join(folder, `${hash.digest('hex').slice(0, 16)}.json`);

		if (!existsSync(path)) {
			report('runs each suite once, to see which code it executes');
			const reached = await reachOf(this.copy, this.suites, report);
			const kept = reached.map((reach) => ({ ...reach, blocks: [...reach.blocks] }));
			mkdirSync(folder, { recursive: true });
			writeFileSync(path, JSON.stringify(kept));
		}

		const kept = JSON.parse(readFileSync(path, 'utf8')) as Array<Reach & { blocks: string[] }>;
		return kept.map((reach) => ({ ...reach, blocks: new Set(reach.blocks) }));
	}
}

/** First what has often fallen for faults in this file, and what is quick. */
export function ranked(
	suites: readonly Reach[],
	file: string,
	earlier: ReadonlyArray<{ file: string; suite?: string }>,
): Reach[] {
	const fallsOf = (suite: string) =>
		earlier.filter((one) => one.suite === suite && one.file === file).length;
	const worthOf = ({ suite, milliseconds }: Reach) =>
		(1 + 4 * fallsOf(suite)) / (milliseconds + 300);
	const worths = new Map(suites.map((reach) => [reach, worthOf(reach)]));
	return [...suites].sort((a, b) => worths.get(b)! - worths.get(a)!);
}
