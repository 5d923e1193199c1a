/** A credential whose key is an expression: what it costs, and whether every item gets its own. */
import { type Bench, type Standing } from '../bench.mjs';
import { grouped, type Section } from '../report.mjs';

export const title = 'A credential whose key is an expression';

export async function run(bench: Bench): Promise<Section> {
	const contacts = bench.isQuick ? 200 : 1000;
	const scene = { contacts, delayMs: 0 };
	const peer = (name: string, contender: string) => ({
		name,
		measure: async () => await bench.measure({ contender, scene }),
	});
	const standings = await bench.compare(bench.isQuick ? 2 : 5, [
		peer('a key that was typed', 'ours.readEach'),
		peer('`{{ $json.api_key }}`, the same for all items', 'ours.readEachByExpression'),
	]);
	bench.report('two keys, taken by turns');
	const twoKeys = await bench.measure({
		contender: 'ours.readEachByTwoKeys',
		scene,
		task: { continues: true },
		output: 'byKey',
	});
	await bench.forget();
	const [typed, byExpression] = standings;
	const each = (ms: number) => `${((ms / contacts) * 1000).toFixed(0)} µs`;
	const expressions = ({ evaluations }: Standing) => (evaluations / contacts).toFixed(2);
	return {
		title,
		setting: `Get of one contact for each of ${grouped(contacts)} items, the contact by an expression; the service answers at once. CPU time of n8n's process, the requests included. With two keys, every second item brings along one that the service does not know.`,
		tables: [
			{
				head: [
					'key in the credential',
					'an item',
					'more than typed',
					'expressions an item',
					'result',
				],
				rows: standings.map((standing) => [
					standing.name,
					each(standing.cpuMs),
					standing === typed ? '' : each(standing.cpuMs - typed.cpuMs),
					expressions(standing),
					standing.wrong ? `WRONG: ${standing.wrong}` : 'complete',
				]),
			},
		],
		aims: [
			{
				job: `${grouped(contacts)} items, two keys by turns, one of them unknown`,
				against: 'the key that each item brings along',
				aim: 'answered with the one, refused with the other',
				measured: twoKeys.wrong ?? 'each of them',
				holds: twoKeys.wrong === undefined,
				cause: `${grouped(twoKeys.requests)} requests reached the service.`,
				anySize: true,
			},
		],
		notes: [
			`An expression costs ${each(byExpression.cpuMs - typed.cpuMs)} more an item than a key that was typed.`,
		],
	};
}
