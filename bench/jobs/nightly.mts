/** The example "Nightly contact sync" as a whole, beside the same job built of n8n's own nodes. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { examplesFolder } from '../../lab/paths.mjs';
import type { Workflow } from '../../lab/workflow.mjs';
import { median, type Bench } from '../bench.mjs';
import { range, row } from '../data.mjs';
import { Instance, type WholeRun } from '../instance.mjs';
import type { Seen } from '../processes/service.mjs';
import { faster, grouped, seconds, times, type Aim, type Section } from '../report.mjs';

export const title = 'The nightly sync as a whole';

const peersFolder = join(import.meta.dirname, '../peers');

type Run = WholeRun & Seen;

export async function run(bench: Bench): Promise<Section> {
	const count = bench.isQuick ? 1000 : 10_000;
	const peers = [
		{ name: 'this node', workflow: await read(join(examplesFolder, 'nightly-contact-sync.json')) },
		{
			name: 'HTTP Request and Code',
			workflow: await read(join(peersFolder, 'nightly-code.json')),
		},
		{
			name: 'HTTP Request and Compare Datasets',
			workflow: await read(join(peersFolder, 'nightly-compare-datasets.json')),
		},
	];
	const runs: Run[][] = peers.map(() => []);
	bench.report('n8n starts');
	const instance = await Instance.start();
	try {
		bench.report('warming up');
		for (const { workflow } of peers) await execute(bench, instance, workflow, 1000);
		const rounds = bench.isQuick ? 1 : 5;
		for (let round = 0; round < rounds; round++) {
			for (let turn = 0; turn < peers.length; turn++) {
				const index = (round + turn) % peers.length;
				const { name, workflow } = peers[index];
				bench.report(`round ${round + 1} of ${rounds}: ${name}`);
				runs[index].push(await execute(bench, instance, workflow, count));
			}
		}
	} finally {
		await instance.stop();
	}

	const [ours] = runs;
	const results = runs.map((each) => each.find(({ wrong }) => wrong)?.wrong);
	const job = `Nightly contact sync, ${grouped(count)} customers of which 1 % changed`;
	const aimOf = (index: number, measure: string, most: number, of: (run: Run) => number): Aim => {
		const share = median(ours.map((each, round) => of(each) / of(runs[index][round])));
		const wrong = results[0] ?? results[index];
		return {
			job: `${job}: ${measure}`,
			against: peers[index].name,
			aim: `at most ${most} of it`,
			measured: times(share),
			holds: share <= most && !wrong,
			cause: wrong ?? 'the table of its nodes shows what each takes and returns.',
		};
	};
	const shareOfCode = median(ours.map(({ ms }, round) => ms / runs[1][round].ms));
	return {
		title,
		readme: { nightly: faster(shareOfCode) },
		setting: `Executed in a real n8n, as the editor's Execute button does. ${grouped(count)} customers of a simulated CRM: 1 % have another name than their contact, 0.1 % are new. Every response of the service is delayed by 25 ms. The other workflows read all pages, compare, patch what differs, and create what is missing in batches; they have no more nodes than that. Time: from the start of the execution to its end, as n8n's database has them. Size: what the execution's data takes in that database. A result is complete when the service has every customer.`,
		tables: [
			{
				head: ['workflow', 'time', 'size', 'requests', 'result'],
				rows: peers.map(({ name }, index) => [
					name,
					seconds(median(runs[index].map(({ ms }) => ms))),
					megabytes(median(runs[index].map(({ bytes }) => bytes))),
					grouped(median(runs[index].map(({ requests }) => requests))),
					results[index] ? `WRONG: ${results[index]}` : 'complete',
				]),
			},
			{
				head: ['workflow', 'node', 'time', 'items returned'],
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
		aims: [1, 2].flatMap((index) => [
			// HTTP Request and Code send the same requests, whose delays are half of the time.
			aimOf(index, 'time', index === 1 ? 0.9 : 0.4, ({ ms }) => ms),
			aimOf(index, "size in n8n's database", 0.5, ({ bytes }) => bytes),
		]),
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
	const scene = { contacts: count - count / 1000, delayMs: 25 };
	return await bench.withTarget(
		{ scene, outcome: { kind: 'rowsSynced', percent, count } },
		async (target) => await instance.run(workflow, customers, target),
	);
}

/** What each node took, as the median of the runs, and returned. */
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
