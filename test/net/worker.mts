/**
 * Runs suites of a copied project, one after the other, in one process: n8n-core, which takes seconds to load, is loaded
 * once. `suites.mts` starts it and tells it what to run.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { runCLI } from 'jest';

export interface SuiteRequest {
	readonly suite: string;
	/** The build has changed since the last suite, so it is loaded again. */
	readonly hasChanged: boolean;
	/** Where code that notes what it reaches writes to. */
	readonly notes?: string;
}

export interface SuiteAnswer {
	readonly passed: boolean;
	/** Time of the processor in milliseconds, which other programs of the machine don't lengthen. */
	readonly milliseconds: number;
	/** The first test that fails. */
	readonly failed?: string;
	/** Memory of the process in megabytes. */
	readonly memory: number;
}

const folder = process.cwd();
const { cache } = createRequire(import.meta.url);
const argv = {
	_: [] as string[],
	$0: 'jest',
	runInBand: true,
	reporters: [],
	silent: true,
	watchman: false,
};

async function run({ suite, hasChanged, notes }: SuiteRequest): Promise<SuiteAnswer> {
	if (hasChanged) forgetBuild();
	process.env.NET_NOTES = notes ?? '';

	const began = process.cpuUsage();
	const { results } = await runCLI({ ...argv, _: [suite], runTestsByPath: true } as never, [
		folder,
	]);
	const tests = results.testResults.flatMap(({ testResults }) => testResults);
	const { user, system } = process.cpuUsage(began);
	return {
		passed: results.success && results.numPassedTests > 0,
		milliseconds: Math.round((user + system) / 1000),
		failed: tests.find(({ status }) => status === 'failed')?.fullName,
		memory: Math.round(process.memoryUsage.rss() / 1e6),
	};
}

function forgetBuild(): void {
	const built = Object.keys(cache).filter((path) => path.startsWith(join(folder, 'dist')));
	for (const path of built) delete cache[path];
}

process.on('message', async (request: SuiteRequest) => {
	process.send!(await run(request));
});
process.on('disconnect', () => process.exit());
