/** The same sync with columns mapped one by one. */
import { ratio, type Bench } from '../bench.mjs';
import { plannedRequests, mappedAttributes } from '../data.mjs';
import { grouped, spent, standingsTable, times, type Section } from '../report.mjs';

export const title = 'Sync a CRM, six columns mapped one by one';

export async function run(bench: Bench): Promise<Section> {
	const contacts = bench.isQuick ? 100 : 500;
	const percent = 1;
	const delayMs = 25;
	const peer = (name: string, contender: string, isOurs = false) => ({
		name,
		measure: async (isWarmUp: boolean) =>
			await bench.measure({
				contender,
				scene: { contacts: isWarmUp ? 50 : contacts, delayMs },
				task: { percent },
				output: isOurs ? 'synced' : undefined,
				outcome: { kind: 'synced', percent },
			}),
	});
	const standings = await bench.compare(bench.isQuick ? 1 : 3, [
		peer('this node', 'ours.syncManually', true),
		peer('empty declarative node, one mapper', 'empty.mapManually'),
	]);
	const [ours, empty] = standings;
	// It is meant to write nothing.
	empty.wrong = undefined;
	const share = ratio(ours, empty);
	const planned = plannedRequests(contacts, percent, mappedAttributes);
	const job = `sync ${grouped(contacts)} contacts of which ${percent} % differ, six columns mapped by hand, 25 ms`;
	return {
		title,
		setting: `${grouped(contacts)} customers, six mapped columns such as \`{{ $json.name }}\`, otherwise as above. The empty node has the same parameters and does nothing with them: it shows what n8n's routing engine takes to evaluate them for every item.`,
		tables: [standingsTable(standings, 'peer')],
		aims: [
			{
				job,
				against: empty.name,
				aim: 'at most 0.1 of its time',
				measured: times(share),
				holds: share <= 0.1 && !ours.wrong,
				cause: `${spent(ours, delayMs)}. For the empty node: ${spent(empty, delayMs)}.`,
			},
			{
				job,
				against: 'the requests of the plan',
				aim: `exactly ${planned}`,
				measured: String(ours.requests),
				holds: ours.requests === planned && !ours.wrong,
				cause: spent(ours, delayMs),
				anySize: true,
			},
		],
		notes: [
			`An item costs ${(empty.ms / contacts).toFixed(2)} ms in the empty node, and ${(ours.ms / contacts).toFixed(2)} ms in this one.`,
		],
	};
}
