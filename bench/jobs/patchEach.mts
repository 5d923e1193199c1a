/** One PATCH for each item, where the requests themselves are the work. */
import { ratio, type Bench } from '../bench.mjs';
import { grouped, spent, standingsTable, times, type Section } from '../report.mjs';

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
	const standings = await bench.compare(bench.isQuick ? 1 : 2, [
		peer('this node, five at once', 'ours.patchEach', concurrency),
		peer('axios, five at once', 'script.patchEach', concurrency),
		peer("n8n's request helper and nothing else, five at once", 'bare.patchEach', concurrency),
		peer('HTTP Request, all at once', 'httpRequest.patchEach', undefined),
		peer('declarative node, all at once', 'template.patchEach', undefined),
	]);
	const [ours, axios, bare] = standings;
	const share = ratio(ours, axios);
	return {
		title,
		setting: `${grouped(contacts)} contacts get another phone number; every answer delayed by 25 ms and no rate limit, which favours peers that send everything at once. A result is complete when every contact has its number.`,
		tables: [standingsTable(standings, 'peer')],
		aims: [
			{
				job: `patch ${grouped(contacts)} contacts, 25 ms`,
				against: axios.name,
				aim: 'at most 1.15 of its time',
				measured: times(share),
				holds: share <= 1.15 && !ours.wrong,
				cause: `n8n's request helper alone takes ${times(ratio(bare, axios))} of it, and this node ${times(ratio(ours, bare))} of that; ${spent(ours, delayMs)}.`,
			},
		],
		notes: [
			`This node takes ${times(ratio(ours, bare))} of the time that n8n's request helper takes with nothing around it.`,
		],
	};
}
