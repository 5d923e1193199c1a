import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { project } from './copy.mjs';

/** Results of one run, a line each, so that a run that was stopped goes on where it stopped. */
export class Results<Result extends { id: string }> {
	readonly path: string;

	private readonly byId = new Map<string, Result>();

	constructor(kind: 'mends' | 'mutants', name: string, { startsOver = false } = {}) {
		this.path = join(project, 'test/net/results', `${kind}-${name}.jsonl`);
		if (startsOver) rmSync(this.path, { force: true });
		if (!existsSync(this.path)) return;

		for (const line of readFileSync(this.path, 'utf8').split('\n').filter(Boolean)) {
			const result = JSON.parse(line) as Result;
			this.byId.set(result.id, result);
		}
	}

	get(id: string): Result | undefined {
		return this.byId.get(id);
	}

	get all(): Result[] {
		return [...this.byId.values()];
	}

	add(result: Result): void {
		this.byId.set(result.id, result);
		appendFileSync(this.path, `${JSON.stringify(result)}\n`);
	}
}
