/** The example "Nightly contact sync" as a whole: what its user waits for, and what n8n keeps of it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { examplesFolder } from '../../test/n8n/paths.mjs';
import { installArchive, installNode } from '../../test/n8n/package.mjs';
import type { Workflow } from '../../test/n8n/workflow.mjs';
import { median, type Bench } from '../bench.mjs';
import { range, row } from '../data.mjs';
import { Instance, type WholeRun } from '../instance.mjs';
import type { Seen } from '../processes/service.mjs';
import { grouped, seconds, times, type Section } from '../report.mjs';

export const title = 'The nightly sync as a whole';

const file = 'nightly-contact-sync.json';

/** The sync branch of the example of version 0.1.0, with a Filter node that keeps what changed. */
const earlierFile = join(import.meta.dirname, '../peers/nightly-contact-sync-0.1.0.json');

/** Version 0.1.0 as it was packed before every operation ran once for all items. */
const earlierPackage = join(import.meta.dirname, '../peers/n8n-nodes-chatbase-0.1.0.tgz');

type Run = WholeRun & Seen;

export async function run(bench: Bench): Promise<Section> {
	const count = bench.isQuick ? 1000 : 10_000;
	bench.report('n8n starts twice, with the package of today and with that of 0.1.0');
	const [today, earlierN8n] = await Promise.all([
		Instance.start(installNode),
		Instance.start(async (userFolder) => await installArchive(userFolder, earlierPackage)),
	]);
	const earlierWorkflow = await read(earlierFile);
	const peers = [
		{ name: 'the example', instance: today, workflow: await read(join(examplesFolder, file)) },
		{ name: 'the example and the node of 0.1.0', instance: earlierN8n, workflow: earlierWorkflow },
		{
			name: 'the example of 0.1.0, with the node of today',
			instance: today,
			workflow: earlierWorkflow,
		},
	];
	const runs: Run[][] = peers.map(() => []);
	try {
		bench.report('warming up');
		for (const { instance, workflow } of peers) await execute(bench, instance, workflow, 1000);
		const rounds = bench.isQuick ? 1 : 3;
		for (let round = 0; round < rounds; round++) {
			for (let turn = 0; turn < peers.length; turn++) {
				const index = (round + turn) % peers.length;
				const { name, instance, workflow } = peers[index];
				bench.report(`round ${round + 1} of ${rounds}: ${name}`);
				runs[index].push(await execute(bench, instance, workflow, count));
			}
		}
	} finally {
		await Promise.all([today.stop(), earlierN8n.stop()]);
	}

	const [ours, earlier] = runs;
	const ratioOf = (what: (run: Run) => number) =>
		median(ours.map((each, round) => what(each) / what(earlier[round])));
	const share = ratioOf(({ ms }) => ms);
	const shareOfSize = ratioOf(({ bytes }) => bytes);
	const wrong = runs.flat().find((each) => each.wrong)?.wrong;
	const parts = nodeTimes(ours);
	const filter = nodeTimes(earlier).find(({ name }) => name === 'Only what changed')!;
	const job = `Nightly contact sync, ${grouped(count)} customers of whom 1 % changed`;
	const list = parts.map(({ name, ms }) => `${name} ${seconds(ms)}`).join(', ');
	return {
		title,
		setting: `Executed by hand in a real n8n, as the editor's Execute button does; ${grouped(count)} customers of a simulated CRM, 1 % of whom have another name than their contact; every answer of the service delayed by 25 ms. Time: from the start of the execution to its end, as n8n's database has them. Size: what its data takes in the database. The workflow of 0.1.0 runs with the node that it was shipped with, from the packed package that stands beside the peers, and once more with the node of today, which shows what the workflow alone makes of it.`,
		tables: [
			{
				head: ['workflow', 'time', 'size', 'requests', 'result'],
				rows: peers.map(({ name }, index) => [
					name,
					seconds(median(runs[index].map(({ ms }) => ms))),
					megabytes(median(runs[index].map(({ bytes }) => bytes))),
					grouped(median(runs[index].map(({ requests }) => requests))),
					runs[index].find((each) => each.wrong)?.wrong ?? 'complete',
				]),
			},
			{
				head: ['workflow', 'node', 'time', 'items given out'],
				rows: peers.flatMap((peer, index) =>
					nodeTimes(runs[index]).map(({ name, ms, items }) => [
						peer.name,
						name,
						seconds(ms),
						grouped(items),
					]),
				),
			},
		],
		aims: [
			{
				job: `${job}: time`,
				against: 'the workflow of 0.1.0 with its node',
				aim: 'at most 0.2 of it',
				measured: times(share),
				holds: share <= 0.2 && !wrong,
				cause: wrong ?? `the nodes took: ${list}.`,
			},
			{
				job: `${job}: size in n8n's database`,
				against: 'the workflow of 0.1.0 with its node',
				aim: 'at most 0.5 of it',
				measured: times(shareOfSize),
				holds: shareOfSize <= 0.5 && !wrong,
				cause:
					wrong ??
					`items given out: ${parts.map(({ name, items }) => `${name} ${grouped(items)}`).join(', ')}. n8n keeps all of them.`,
				anySize: true,
			},
		],
		notes: [
			`n8n's Filter node behind ours takes ${seconds(filter.ms)} of the ${seconds(median(earlier.map(({ ms }) => ms)))} of the earlier workflow: n8n evaluates its condition for every contact, changed or not.`,
		],
	};
}

async function read(path: string): Promise<Workflow> {
	return JSON.parse(await readFile(path, 'utf8')) as Workflow;
}

async function execute(
	bench: Bench,
	instance: Instance,
	workflow: Workflow,
	count: number,
): Promise<Run> {
	const percent = 1;
	const customers = range(count).map((index) => ({ ...row(index, percent) }));
	return await bench.withTarget(
		{ scene: { contacts: count, delayMs: 25 }, outcome: { kind: 'rowsSynced', percent } },
		async (target) => await instance.run(workflow, customers, target),
	);
}

/** What each node took, as the median of the runs, and gave out. */
function nodeTimes(runs: Run[]) {
	return runs[0].nodes.map(({ name, items }, index) => ({
		name,
		items,
		ms: median(runs.map(({ nodes }) => nodes[index].ms)),
	}));
}

function megabytes(bytes: number): string {
	return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
