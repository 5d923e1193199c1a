/** One PATCH for each item, where the requests themselves are the work. */
import { ratio, type Bench } from '../bench.mjs';
import { grouped, standingsTable, times, type Section } from '../report.mjs';

export const title = 'Update one contact for each item';

export async function run(bench: Bench): Promise<Section> {
	const contacts = bench.isQuick ? 200 : 2000;
	const concurrency = 5;
	const peer = (name: string, contender: string, own: number | undefined) => ({
		name,
		measure: async (isWarmUp: boolean) =>
			await bench.measure({
				contender,
				scene: { contacts: isWarmUp ? 100 : contacts, delayMs: 25 },
				task: { concurrency: own },
				outcome: { kind: 'newNumbers' },
			}),
	});
	const standings = await bench.compare(bench.isQuick ? 1 : 2, [
		peer('this node, five at once', 'ours.patchEach', concurrency),
		peer('axios, five at once', 'script.patchEach', concurrency),
		peer(
			"empty declarative node with n8n's request helper, five at once (floor)",
			'floor.patchEach',
			concurrency,
		),
		peer('HTTP Request, all at once', 'httpRequest.patchEach', undefined),
		peer('declarative node, all at once', 'template.patchEach', undefined),
	]);
	const [ours, axios, floor] = standings;
	const toAxios = ratio(ours, axios);
	const toFloor = ratio(ours, floor);
	const job = `patch ${grouped(contacts)} contacts, 25 ms`;
	return {
		title,
		setting: `${grouped(contacts)} contacts get another telephone number; every answer delayed by 25 ms and no rate limit, which favours peers that send everything at once. A result is complete when every contact has its number.`,
		tables: [standingsTable(standings, 'peer')],
		aims: [
			{
				job,
				against: 'axios, five at once',
				aim: 'at most 1.5 of its time',
				measured: times(toAxios),
				holds: toAxios <= 1.5 && !ours.wrong,
			},
			{
				job,
				against: "n8n's own floor (its request helper, five at once)",
				aim: 'at most 1.2 of it',
				measured: times(toFloor),
				holds: toFloor <= 1.2 && !ours.wrong,
			},
		],
	};
}
