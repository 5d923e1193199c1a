/**
 * Measures what design and README promise in figures, side by side with what people would use instead.
 *
 *   npm run bench                    everything, in about ten minutes, and writes RESULTS.md
 *   npm run bench -- --quick         everything in small, in about a minute
 *   npm run bench -- --only readList one job
 *   npm run bench -- --no-build      with dist as it stands
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { buildNode, installNode } from '../test/n8n/package.mjs';
import { ensureRuntime } from '../test/n8n/runtime.mjs';
import { Bench } from './bench.mjs';
import { jobs } from './jobs/index.mjs';
import { conditions } from './conditions.mjs';
import { aimsText, sectionText, type Section } from './report.mjs';

const { values } = parseArgs({
	options: {
		quick: { type: 'boolean', default: false },
		only: { type: 'string' },
		build: { type: 'boolean', default: true },
	},
	allowNegative: true,
});

const began = performance.now();
const report = (line: string) => process.stderr.write(`  ${line}\n`);
const chosen = Object.entries(jobs).filter(([name]) => !values.only || name === values.only);
if (chosen.length === 0) throw new Error(`Jobs: ${Object.keys(jobs).join(', ')}`);

await ensureRuntime(report);
if (values.build) await buildNode();
const folder = await mkdtemp(join(tmpdir(), 'n8n-bench-'));
try {
	const bench = await Bench.start(await installNode(folder), values.quick, report);
	const sections: Section[] = [];
	for (const [, { title, run }] of chosen) {
		const before = performance.now();
		process.stderr.write(`${title}\n`);
		sections.push(await run(bench));
		report(`done in ${((performance.now() - before) / 1000).toFixed(0)} s`);
	}
	const about = await conditions(bench, (performance.now() - began) / 1000);
	await bench.end();
	const text = [
		'# Measured against what people would use instead',
		about,
		'## Aims',
		aimsText(sections.flatMap(({ aims }) => aims)),
		...sections.map(sectionText),
	].join('\n\n');
	process.stdout.write(`\n${text}\n`);
	if (!values.quick && !values.only) {
		await writeFile(join(import.meta.dirname, 'RESULTS.md'), `${text}\n`);
	}
} finally {
	await rm(folder, { recursive: true, force: true });
}
