/** How much memory a long list takes at its worst moment, beyond what the result itself takes. */
import { median, type Bench } from '../bench.mjs';
import type { Memory } from '../processes/engine.mjs';
import { grouped, type Section } from '../report.mjs';

export const title = 'Peak memory of a long list';

export async function run(bench: Bench): Promise<Section> {
	const contacts = bench.isQuick ? 10_000 : 100_000;
	const peers = [
		['this node', 'ours.readAll'],
		['HTTP Request and Split Out', 'httpRequest.readAll'],
	];
	const found: Memory[][] = peers.map(() => []);
	for (let round = 0; round < (bench.isQuick ? 1 : 3); round++) {
		for (const [index, [name, contender]] of peers.entries()) {
			bench.report(`round ${round + 1}: ${name}`);
			const engine = await bench.freshEngine();
			const trial = { contender, scene: { contacts, delayMs: 5 }, output: 'contacts' as const };
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
	const over = ({ peakMb, heldMb }: Memory) => peakMb - heldMb;
	const [ours, httpRequest] = found.map((each) => median(each.map(over)));
	const megabytes = (values: number[]) => `${median(values).toFixed(0)} MB`;
	return {
		title,
		setting: `${grouped(contacts)} contacts, each peer in a process of its own. Peak: the most resident memory, over what n8n had before the run. Held: what is left of it after garbage collection while the result is still there.`,
		tables: [
			{
				head: ['peer', 'peak', 'held', 'peak over held'],
				rows: peers.map(([name], index) => [
					name,
					megabytes(found[index].map(({ peakMb }) => peakMb)),
					megabytes(found[index].map(({ heldMb }) => heldMb)),
					megabytes(found[index].map(over)),
				]),
			},
		],
		aims: [
			{
				job: `peak memory over what n8n holds for ${grouped(contacts)} contacts`,
				against: 'HTTP Request',
				aim: 'less',
				measured: `${ours.toFixed(0)} MB against ${httpRequest.toFixed(0)} MB`,
				holds: ours < httpRequest,
			},
		],
	};
}
