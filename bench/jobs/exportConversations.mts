/** Exporting every conversation, in version 2 of the API. */
import { ratio, type Bench } from '../bench.mjs';
import { grouped, spent, standingsTable, times, type Section } from '../report.mjs';

export const title = 'Export every conversation';

export async function run(bench: Bench): Promise<Section> {
	const conversations = bench.isQuick ? 400 : 2000;
	const delayMs = 25;
	const peer = (name: string, contender: string) => ({
		name,
		measure: async (isWarmUp: boolean) => {
			const count = isWarmUp ? 100 : conversations;
			return await bench.measure({
				contender,
				scene: { contacts: 0, conversations: count, delayMs: isWarmUp ? 0 : delayMs },
				output: 'conversations',
				task: { count },
			});
		},
	});
	const standings = await bench.compare(bench.isQuick ? 1 : 5, [
		peer('this node', 'ours.exportAll'),
		peer('HTTP Request and Split Out', 'httpRequest.exportAll'),
	]);
	await bench.forget();
	const [ours, httpRequest] = standings;
	const share = ratio(ours, httpRequest);
	const job = `export ${grouped(conversations)} conversations, 25 ms a page`;
	return {
		title,
		setting: `${grouped(conversations)} conversations of 8 messages, begun within a year and more each month; pages of 20, the most that version 2 allows, every answer delayed by 25 ms. Each page needs the cursor of the page before, so the peer reads one at a time. This node reads parts of the year at the same time. A result is complete when every conversation is there once, in order and with its messages.`,
		tables: [standingsTable(standings, 'peer')],
		aims: [
			{
				job,
				against: httpRequest.name,
				aim: 'complete, at most 0.3 of its time',
				measured: times(share),
				holds: share <= 0.3 && !ours.wrong,
				cause: `${spent(ours, delayMs)}. For ${httpRequest.name}: ${spent(httpRequest, delayMs)}.`,
			},
		],
	};
}
