/** How long the first piece of a streamed answer takes. */
import { median, type Bench } from '../bench.mjs';
import type { Section } from '../report.mjs';

export const title = 'First piece of a streamed answer';

export async function run(bench: Bench): Promise<Section> {
	const scene = { contacts: 0, delayMs: 25, behaviour: { streamDelayMs: 5 } };
	const peers = ['ours.chat', 'script.chat', 'bare.chat'];
	const rounds = bench.isQuick ? 9 : 25;
	const times: number[][] = peers.map(() => []);
	const expressions: number[] = [];
	for (let round = -3; round < rounds; round++) {
		for (const [index, contender] of peers.entries()) {
			const {
				firstChunkMs = Infinity,
				error,
				evaluations,
			} = await bench.measure({ contender, scene });
			if (error) throw new Error(`${contender}: ${error}`);
			if (round >= 0) times[index].push(firstChunkMs);
			expressions[index] = evaluations;
		}
	}
	await bench.forget();
	const [ours, direct, bare] = times.map(median);
	const later = median(times[0].map((ms, round) => ms - times[1][round]));
	const toBare = median(times[0].map((ms, round) => ms - times[2][round]));
	const text = (ms: number) => `${ms.toFixed(1)} ms`;
	return {
		title,
		setting: `Send with Stream on, message and conversation ID taken from the input, in a workflow whose trigger answers as a stream, against axios with a stream; the service begins to answer after 25 ms. ${rounds} rounds, from the start of the workflow's first node.`,
		tables: [
			{
				head: ['peer', 'first piece after', 'expressions evaluated'],
				rows: [
					['this node', text(ours), String(expressions[0])],
					['axios', text(direct), ''],
					['a node that only passes on', text(bare), String(expressions[2])],
				],
			},
		],
		aims: [
			{
				job: 'first streamed piece',
				against: 'a node that only passes on',
				aim: 'at most 5 ms later',
				measured: `${text(toBare)} later`,
				holds: toBare <= 5,
				cause: `n8n evaluated ${expressions[0]} expressions for this node and ${expressions[2]} for the other.`,
				anySize: true,
			},
		],
		notes: [
			`Against axios, which no workflow surrounds, the first piece comes ${text(later)} later.`,
		],
	};
}
