/** What installing the package brings, and how long n8n takes to load it. */
import { execa } from 'execa';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { median, type Bench } from '../bench.mjs';
import type { LoadTimes } from '../processes/nodeTypes.mjs';
import { grouped, type Section } from '../report.mjs';

export const title = 'The package';

export async function run(bench: Bench): Promise<Section> {
	const { stdout } = await execa('npm', ['pack', '--json', '--dry-run'], {
		cwd: bench.packageFolder,
	});
	const [{ size, unpackedSize, entryCount }] = JSON.parse(stdout) as Array<
		Record<'size' | 'unpackedSize' | 'entryCount', number>
	>;
	const manifest = JSON.parse(
		await readFile(join(bench.packageFolder, 'package.json'), 'utf8'),
	) as { dependencies?: object };
	const dependencies = Object.keys(manifest.dependencies ?? {}).length;
	const loads: LoadTimes[] = [];
	for (let start = 0; start < (bench.isQuick ? 2 : 5); start++) {
		bench.report(`start ${start + 1} of n8n's engine`);
		const engine = await bench.freshEngine();
		loads.push(
			((await engine.call('about', undefined as never)) as { loadTimes: LoadTimes }).loadTimes,
		);
		await engine.end();
	}
	const ours = median(loads.map((load) => load.ours));
	const httpRequest = median(loads.map((load) => load.httpRequest));
	const kilobytes = `${(size / 1000).toFixed(1)} kB`;
	return {
		title,
		setting:
			'Size as npm packs it. Loading is timed in processes that have loaded nothing but the engine; n8n loads each package once when it starts.',
		tables: [
			{
				head: ['measure', 'value'],
				rows: [
					['packed', kilobytes],
					['unpacked', `${(unpackedSize / 1000).toFixed(1)} kB in ${grouped(entryCount)} files`],
					['dependencies', String(dependencies)],
					["n8n loads the package's nodes and credential in", `${ours.toFixed(0)} ms`],
					['n8n loads its own HTTP Request node in', `${httpRequest.toFixed(0)} ms`],
				],
			},
		],
		aims: [
			{
				job: 'packed package',
				against: '—',
				aim: 'no dependency',
				measured: dependencies === 0 ? 'none' : String(dependencies),
				holds: dependencies === 0,
				cause: 'package.json names dependencies.',
				anySize: true,
			},
		],
	};
}
