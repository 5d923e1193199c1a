/** The conditions of the measurement. */
import { readFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';

import { projectFolder, runtimeFolder } from '../lab/paths.mjs';
import type { Bench } from './bench.mjs';

/** Machine, versions, date and load, as a paragraph. */
export async function conditions(bench: Bench, seconds: number): Promise<string> {
	const { node, expressions } = (await bench.engine.call('about', undefined as never)) as {
		node: string;
		expressions: string;
	};
	const versionOf = async (folder: string) =>
		(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string })
			.version;
	const n8n = await versionOf(join(runtimeFolder, 'node_modules/n8n'));
	const nodesBase = await versionOf(join(runtimeFolder, 'node_modules/n8n-nodes-base'));
	const axios = await versionOf(join(projectFolder, 'node_modules/axios'));
	const gigabytes = (totalmem() / 1024 ** 3).toFixed(0);
	const load = loadavg()[1].toFixed(1);
	const isBusy = loadavg()[1] > 1.5 * availableParallelism();
	return [
		`- Date: ${new Date().toISOString().slice(0, 10)}, ${Math.round(seconds)} s in all${bench.isQuick ? ', in small (`--quick`): not for quoting' : ''}`,
		`- Machine: ${availableParallelism()} cores (${cpus()[0].model}), ${gigabytes} GB; load average over the last five minutes ${load}${isBusy ? ': **other programs kept the machine busy**, so times are too long and ratios uncertain' : ''}`,
		`- n8n ${n8n} with n8n-nodes-base ${nodesBase} on its own Node.js ${node}, expression engine \`${expressions}\`; axios ${axios}`,
		"- Where nothing else is said, every peer runs in the same process of n8n's engine (credentials in memory, no database), the simulated service in another one. Peers take turns within each round; times are medians, ratios are medians of the ratios round by round. Ratios can be quoted, seconds cannot.",
	].join('\n');
}
