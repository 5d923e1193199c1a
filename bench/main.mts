/** Measures what README promises in figures: `npm run bench -- --help` says how. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { buildNode, installNode } from '../lab/package.mjs';
import { projectFolder } from '../lab/paths.mjs';
import { ensureRuntime } from '../lab/runtime.mjs';
import { Bench } from './bench.mjs';
import { jobs } from './jobs/index.mjs';
import { conditions } from './conditions.mjs';
import { aimsText, sectionText, withFigures, type Figures, type Section } from './report.mjs';

const usage = `npm run bench does the same jobs with this node and with what people would use instead.

  npm run bench                       runs all jobs in about twenty minutes, and writes RESULTS.md and
                                      the figures of README.md
  npm run bench -- --quick            runs all jobs with less data, and judges few aims
  npm run bench -- --only <job>       runs one job:
                                      ${Object.keys(jobs).join(', ')}
  npm run bench -- --only files       how much memory large files take: 50 of 20 MB, in a few minutes
  npm run bench -- --no-build         uses dist as it is
`;

const { values } = parseArgs({
	options: {
		quick: { type: 'boolean', default: false },
		only: { type: 'string' },
		build: { type: 'boolean', default: true },
		help: { type: 'boolean', default: false },
	},
	allowNegative: true,
});
if (values.help) {
	console.log(usage);
	process.exit();
}

if (values.only === 'files') {
	// In a process of its own, which measures its memory.
	const execArgv = process.execArgv;
	const [code] = await once(fork(join(import.meta.dirname, 'files.mts'), { execArgv }), 'exit');
	process.exit((code as number | null) ?? 1);
}

const began = performance.now();
const report = (line: string) => process.stderr.write(`  ${line}\n`);
const chosen = Object.entries(jobs).filter(([name]) => !values.only || name === values.only);
if (chosen.length === 0) throw new Error(`Jobs: ${Object.keys(jobs).join(', ')}`);

await ensureRuntime(report);
if (values.build) await buildNode();
const folder = await mkdtemp(join(tmpdir(), 'n8n-bench-'));
const unfinished: string[] = [];
try {
	const bench = await Bench.start(await installNode(folder), values.quick, report);
	const sections: Section[] = [];
	const secondsSince = (start: number) => (performance.now() - start) / 1000;
	for (const [index, [name, { title, run }]] of chosen.entries()) {
		const before = performance.now();
		process.stderr.write(`${index + 1} of ${chosen.length}: ${title}\n`);
		try {
			sections.push(await run(bench));
		} catch (error) {
			process.stderr.write(`${(error as Error).stack}\n`);
			unfinished.push(name);
		}
		report(
			`done in ${secondsSince(before).toFixed(0)} s, ${secondsSince(began).toFixed(0)} s in all`,
		);
	}
	const about = await conditions(bench, secondsSince(began));
	await bench.end();
	const text = [
		'# Measured against what people would use instead',
		about,
		'## Aims',
		aimsText(
			sections.flatMap(({ aims }) => aims),
			values.quick,
		),
		...sections.map(sectionText),
	].join('\n\n');
	process.stdout.write(`\n${text}\n`);
	if (unfinished.length === 0 && !values.quick && !values.only) {
		await writeFile(join(import.meta.dirname, 'RESULTS.md'), `${text}\n`);
		const figures = Object.assign({}, ...sections.map(({ readme }) => readme)) as Figures;
		const readme = join(projectFolder, 'README.md');
		await writeFile(readme, withFigures(await readFile(readme, 'utf8'), figures));
	}
} finally {
	await rm(folder, { recursive: true, force: true });
	if (unfinished.length > 0) {
		process.exitCode = 1;
		process.stderr.write(`Jobs that did not get to their end: ${unfinished.join(', ')}\n`);
	}
}
