/** One PATCH for each item, where the requests themselves are the work. */
import { ratio, type Bench } from '../bench.mjs';
import { faster, grouped, spent, standingsTable, times, type Section } from '../report.mjs';

export const title = 'Update one contact for each item';

export async function run(bench: Bench): Promise<Section> {
	const contacts = bench.isQuick ? 200 : 2000;
	const concurrency = 5;
	const delayMs = 25;
	const peer = (name: string, contender: string, own: number | undefined) => ({
		name,
		measure: async (isWarmUp: boolean) =>
			await bench.measure({
				contender,
				scene: { contacts: isWarmUp ? 100 : contacts, delayMs },
				task: { concurrency: own },
				outcome: { kind: 'newNumbers' },
			}),
	});
	const standings = await bench.compare(bench.isQuick ? 1 : 5, [
		peer('this node, five at once', 'ours.patchEach', concurrency),
		peer('axios, five at once', 'script.patchEach', concurrency),
		peer("n8n's request helper and nothing else, five at once", 'bare.patchEach', concurrency),
		peer('HTTP Request, all at once', 'httpRequest.patchEach', undefined),
		peer('declarative node, all at once', 'template.patchEach', undefined),
	]);
	const [ours, axios, bare] = standings;
	const share = ratio(ours, bare);
	return {
		title,
		setting: `${grouped(contacts)} contacts get another phone number; every answer delayed by 25 ms and no rate limit, which favours peers that send everything at once. A result is complete when every contact has its number.`,
		tables: [standingsTable(standings, 'peer')],
		readme: { patchEach: faster(ratio(ours, axios)) },
		aims: [
			{
				job: `patch ${grouped(contacts)} contacts, 25 ms`,
				against: bare.name,
				aim: 'at most 1.05 of its time',
				measured: times(share),
				holds: share <= 1.05 && !ours.wrong,
				cause: `${spent(ours, delayMs)}.`,
			},
		],
		notes: [
			`This node takes ${times(ratio(ours, axios))} of the time of axios, and n8n's request helper with nothing around it ${times(ratio(bare, axios))}.`,
		],
	};
}
