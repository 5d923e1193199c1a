/**
 * Measures the figures that the README promises, side by side with the alternatives.
 *
 *   npm run bench                    everything, in about thirteen minutes, and writes RESULTS.md
 *   npm run bench -- --quick         everything in small, in about two minutes; most aims are not judged
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
	const secondsSince = (start: number) => (performance.now() - start) / 1000;
	for (const [index, [, { title, run }]] of chosen.entries()) {
		const before = performance.now();
		process.stderr.write(`${index + 1} of ${chosen.length}: ${title}\n`);
		sections.push(await run(bench).catch((error: Error) => unfinished(title, error)));
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
	if (!values.quick && !values.only) {
		await writeFile(join(import.meta.dirname, 'RESULTS.md'), `${text}\n`);
	}
} finally {
	await rm(folder, { recursive: true, force: true });
}

/** A failed job doesn't end the others. */
function unfinished(title: string, error: Error): Section {
	process.exitCode = 1;
	process.stderr.write(`${error.stack}\n`);
	const setting = `**Did not get to its end:** ${error.message.split('\n')[0]}`;
	return { title, setting, tables: [], aims: [] };
}
