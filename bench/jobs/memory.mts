/** The peak memory of a long list and a large sync. */
import { median, type Bench, type Trial } from '../bench.mjs';
import type { Memory } from '../processes/engine.mjs';
import { grouped, type Aim, type Section, type Table } from '../report.mjs';

export const title = 'Peak memory';

interface Peer {
	name: string;
	trial: Trial;
}

export async function run(bench: Bench): Promise<Section> {
	const read = await compare(bench, listReaders(bench.isQuick ? 10_000 : 100_000), 3);
	const synced = await compare(bench, syncers(bench.isQuick ? 1000 : 10_000), 2);
	return {
		title,
		setting:
			'Each peer in a separate process. Peak: the most resident memory, over what n8n had before the run. Held: what is left of it after garbage collection while the result is still there.',
		tables: [read.table, synced.table],
		aims: [read.aim, synced.aim],
	};
}

function listReaders(contacts: number): Comparison {
	const peer = (name: string, contender: string): Peer => ({
		name,
		trial: { contender, scene: { contacts, delayMs: 5 }, output: 'contacts' },
	});
	return {
		job: `read ${grouped(contacts)} contacts`,
		peers: [
			peer('this node', 'ours.readAll'),
			peer('HTTP Request and Split Out', 'httpRequest.readAll'),
		],
	};
}

function syncers(contacts: number): Comparison {
	const percent = 1;
	const peer = (name: string, contender: string, batching?: object): Peer => ({
		name,
		trial: {
			contender,
			scene: { contacts, delayMs: 5 },
			task: { percent, batching: batching as never },
			outcome: { kind: 'synced', percent },
		},
	});
	return {
		job: `sync ${grouped(contacts)} contacts of which ${percent} % differ`,
		peers: [
			peer('this node', 'ours.sync'),
			peer('HTTP Request, a PATCH for each', 'httpRequest.patchAll', {
				batchSize: 50,
				batchInterval: 1,
			}),
		],
	};
}

/** This node and the node to compare with. */
interface Comparison {
	job: string;
	peers: Peer[];
}

async function compare(bench: Bench, { job, peers }: Comparison, rounds: number) {
	const found: Memory[][] = peers.map(() => []);
	for (let round = 0; round < (bench.isQuick ? 1 : rounds); round++) {
		for (const [index, { name, trial }] of peers.entries()) {
			bench.report(`${job}, round ${round + 1}: ${name}`);
			const engine = await bench.freshEngine();
			const result = await bench.withTarget(
				trial,
				async (target) => await engine.call('remember', bench.request(trial, target)),
			);
			await engine.end();
			if (result.wrong) throw new Error(`${name}: ${result.wrong}`);
			found[index].push(result);
		}
	}
	await bench.forget();
	const peak = ({ peakMb }: Memory) => peakMb;
	const held = ({ heldMb }: Memory) => heldMb;
	const over = (memory: Memory) => peak(memory) - held(memory);
	const text = (of: Memory[], what: (memory: Memory) => number) =>
		`${median(of.map(what)).toFixed(0)} MB`;
	const [ours, other] = found;
	const table: Table = {
		head: [job, 'peak', 'held', 'peak over held'],
		rows: peers.map(({ name }, index) => [
			name,
			text(found[index], peak),
			text(found[index], held),
			text(found[index], over),
		]),
	};
	const aim: Aim = {
		job: `peak memory: ${job}`,
		against: peers[1].name,
		aim: 'less',
		measured: `${text(ours, peak)} against ${text(other, peak)}`,
		holds: median(ours.map(peak)) < median(other.map(peak)),
		cause: `of the peak, the result itself holds ${text(ours, held)} against ${text(other, held)}; ${text(ours, over)} against ${text(other, over)} come on top.`,
	};
	return { table, aim };
}
