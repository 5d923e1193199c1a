import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import type { ProjectCopy } from './copy.mjs';
import type { SuiteAnswer, SuiteRequest } from './worker.mjs';

/** A process that has grown to this many megabytes is replaced. */
const maxMemory = 2500;

/** In milliseconds: a busy machine takes many times as long as usual. */
const patience = 600_000;

export type SuiteResult =
	| (SuiteAnswer & { readonly timedOut?: undefined })
	| { readonly timedOut: true; readonly passed: false; readonly milliseconds?: undefined };

/** Runs suites of a copied project in one process, which is replaced if it hangs, ends or grows. */
export class Suites {
	private child?: ChildProcess;

	private hasChanged = true;

	constructor(private readonly copy: ProjectCopy) {}

	/** The suites that execute the node: those that read documents or ask a live service don't. */
	get all(): string[] {
		return ['test/unit', 'test/engine'].flatMap((folder) =>
			readdirSync(join(this.copy.folder, folder), { recursive: true, encoding: 'utf8' })
				.filter((file) => file.endsWith('.test.ts'))
				.map((file) => join(folder, file))
				.sort(),
		);
	}

	has(suite: string): boolean {
		return existsSync(join(this.copy.folder, suite));
	}

	/** The build of the copy has changed. */
	forgetBuild(): void {
		this.hasChanged = true;
	}

	async run(suite: string, notes?: string): Promise<SuiteResult> {
		const child = (this.child ??= this.start());
		const request: SuiteRequest = { suite, notes, hasChanged: this.hasChanged };
		this.hasChanged = false;

		const waiting = new AbortController();
		const timer = setTimeout(() => waiting.abort(), patience);
		try {
			child.send(request);
			const answer = await Promise.race([
				once(child, 'message', waiting) as Promise<[SuiteAnswer]>,
				once(child, 'exit', waiting).then(() => undefined),
			]);
			if (!answer) return this.lost();
			if (answer[0].memory > maxMemory) this.stop();
			return answer[0];
		} catch {
			return this.lost();
		} finally {
			clearTimeout(timer);
			waiting.abort();
		}
	}

	stop(): void {
		this.child?.kill('SIGKILL');
		this.child = undefined;
		this.hasChanged = true;
	}

	/** The process has ended, or it is busy without end. */
	private lost(): SuiteResult {
		this.stop();
		return { timedOut: true, passed: false };
	}

	private start(): ChildProcess {
		return fork(join(this.copy.folder, 'test/net/worker.mts'), {
			cwd: this.copy.folder,
			stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
			env: { ...process.env, CI: '1' },
		});
	}
}
