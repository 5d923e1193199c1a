/** The node's own time for one item, without requests. */
import { contactRecord } from '../../service/v1/contactRecord.js';
import { defaultBehaviour } from '../../service/index.js';
import { ratio, type Bench, type Result, type Standing } from '../bench.mjs';
import { contactAt, requestedId } from '../data.mjs';
import { grouped, times, type Section } from '../report.mjs';

export const title = "The node's own time an item";

export async function run(bench: Bench): Promise<Section> {
	const contacts = bench.isQuick ? 200 : 1000;
	const engine = await bench.freshEngine();
	const data = { ...contactRecord(contactAt(0), defaultBehaviour), external_id: requestedId };
	await engine.call('answerAtOnce', { message: 'Success', data });
	const peer = (name: string, contender: string) => ({
		name,
		measure: async () => {
			const trial = { contender, scene: { contacts, delayMs: 0 } };
			return await bench.withTarget(
				trial,
				async (target) => await engine.call('run', bench.request(trial, target)),
			);
		},
	});
	const standings = await bench.compare(bench.isQuick ? 3 : 9, [
		peer('this node, every request answered at once', 'ours.readEach'),
		peer('empty declarative node, same parameters', 'empty.readEach'),
		peer('a node that reads the two parameters and no more', 'bare.readEach'),
	]);
	await bench.forget();
	await engine.end();
	const [ours, empty, bare] = standings;
	if (ours.requests > 0) throw new Error('Requests have left the process: they are timed too');
	const thread = ({ threadMs }: Result) => threadMs;
	const share = ratio(ours, empty, thread);
	const each = ({ threadMs }: Standing) => `${((threadMs / contacts) * 1000).toFixed(0)} µs`;
	const expressions = ({ evaluations }: Standing) => (evaluations / contacts).toFixed(2);
	return {
		title,
		setting: `Get of one contact for each of ${grouped(contacts)} items, the contact by an expression. Requests are answered inside the process at once, so what is left is n8n's engine and the node. CPU time of the thread that runs them: on another one, n8n starts a new isolate for the expressions of the next execution, which takes about 0.1 s for any number of items.`,
		tables: [
			{
				head: ['node', 'an item', 'of the empty declarative node', 'expressions evaluated an item'],
				rows: standings.map((standing) => [
					standing.name,
					each(standing),
					times(ratio(standing, empty, thread)),
					expressions(standing),
				]),
			},
		],
		aims: [
			{
				job: "node's own time an item, no request",
				against: 'an empty declarative node',
				aim: 'at most 0.1 of it',
				measured: times(share),
				holds: share <= 0.1 && !ours.wrong,
				cause: `an item takes ${each(ours)} and ${expressions(ours)} expressions here, ${each(empty)} and ${expressions(empty)} in the empty node, ${each(bare)} and ${expressions(bare)} in one that only reads the same two parameters.`,
			},
		],
	};
}
