/** Sources that follow a list of documents, on a night on which few of them have changed. */
import { ratio, type Bench } from '../bench.mjs';
import { grouped, seconds, spent, standingsTable, times, type Section } from '../report.mjs';

export const title = 'Mirror documents as sources';

/** Sources in a page of the list, at most. */
const pageSize = 100;

export async function run(bench: Bench): Promise<Section> {
	const count = bench.isQuick ? 200 : 1000;
	const percent = 1;
	const delayMs = 25;
	// The limit of version 2 would make the peer with a PUT for each wait.
	const rateLimit = { requests: 100_000, windowMs: 10_000, retryAfter: 'seconds' as const };
	const peer = (name: string, contender: string, remembers: boolean) => ({
		name,
		measure: async (isWarmUp: boolean) => {
			const sources = isWarmUp ? 50 : count;
			return await bench.measure({
				contender,
				scene: { contacts: 0, sources, delayMs, rateLimit },
				before: remembers ? [{ count: sources, percent: 0 }] : undefined,
				task: { count: sources, percent, batching: { batchSize: 50, batchInterval: 1 } },
				outcome: { kind: 'taught', count: sources, percent },
			});
		},
	});
	const standings = await bench.compare(bench.isQuick ? 1 : 3, [
		peer('this node', 'ours.mirrorSources', true),
		peer('HTTP Request, a PUT for each', 'httpRequest.putSources', false),
	]);
	const [ours, putEach] = standings;
	const pages = count / pageSize;
	const changed = (count * percent) / 100;
	const share = ratio(ours, putEach);
	const job = `mirror ${grouped(count)} documents of which ${changed} changed, 25 ms`;
	return {
		title,
		setting: `${grouped(count)} documents are sources already, and ${percent} % of them have another text; every answer delayed by 25 ms. This node has written all of them in an earlier run, which is not measured, and remembers a fingerprint of each. The peer has the IDs of the sources in its input. A result is complete when every source has the text of its document.`,
		tables: [standingsTable(standings, 'peer')],
		aims: [
			{
				job,
				against: 'the requests of the plan',
				aim: `exactly ${pages + changed}: ${pages} pages of the list, and a PUT for each that changed`,
				measured: String(ours.requests),
				holds: ours.requests === pages + changed && !ours.wrong,
				cause: spent(ours, delayMs),
				anySize: true,
			},
			{
				job,
				against: putEach.name,
				aim: 'at most 0.3 of its time',
				measured: times(share),
				holds: share <= 0.3 && !ours.wrong,
				cause: `this node takes ${seconds(ours.ms)}; ${spent(ours, delayMs)}.`,
			},
		],
		notes: [
			`It sends ${grouped(ours.requests)} requests instead of ${grouped(putEach.requests)}. Each PUT also trains the chatbot.`,
		],
	};
}
