/** The same sync with columns mapped one by one, which n8n evaluates before any node gets to see them. */
import { ratio, type Bench } from '../bench.mjs';
import { plannedRequests, mappedAttributes } from '../data.mjs';
import { grouped, standingsTable, times, type Section } from '../report.mjs';

export const title = 'Sync a CRM, six columns mapped one by one';

export async function run(bench: Bench): Promise<Section> {
	const contacts = bench.isQuick ? 100 : 500;
	const percent = 1;
	const peer = (name: string, contender: string, isOurs = false) => ({
		name,
		measure: async (isWarmUp: boolean) =>
			await bench.measure({
				contender,
				scene: { contacts: isWarmUp ? 50 : contacts, delayMs: 25 },
				task: { percent },
				output: isOurs ? 'synced' : undefined,
				outcome: { kind: 'synced', percent },
			}),
	});
	const standings = await bench.compare(bench.isQuick ? 1 : 3, [
		peer('this node', 'ours.syncManually', true),
		peer('empty declarative node, one mapper (floor)', 'floor.mapManually'),
		peer('empty declarative node, two mappers', 'floor.mapManuallyTwice'),
	]);
	const [ours, floor, twice] = standings;
	floor.wrong = undefined;
	twice.wrong = undefined;
	const toFloor = ratio(ours, floor);
	const toTwice = ratio(ours, twice);
	const planned = plannedRequests(contacts, percent, mappedAttributes);
	const job = `sync ${grouped(contacts)} contacts of which ${percent} % differ, manual mapping, 25 ms`;
	return {
		title,
		setting: `${grouped(contacts)} customers, six mapped columns such as \`{{ $json.name }}\`, otherwise as above. The empty nodes have the same parameters and do nothing with them: what n8n takes to evaluate the columns, which it does twice for every definition of the mapper.`,
		tables: [standingsTable(standings, 'peer')],
		aims: [
			{
				job,
				against: "n8n's own floor (empty node, one mapper)",
				aim: 'at most 1.3 of it',
				measured: times(toFloor),
				holds: toFloor <= 1.3 && !ours.wrong,
			},
			{
				job,
				against: 'the same with the two mappers that the panel has',
				aim: 'at most 1.3 of it',
				measured: times(toTwice),
				holds: toTwice <= 1.3 && !ours.wrong,
			},
			{
				job,
				against: 'the requests of the plan',
				aim: `exactly ${planned}`,
				measured: String(ours.requests),
				holds: ours.requests === planned,
			},
		],
		notes: [
			'The mapper is defined twice, because Create demands an External ID and the others do not: n8n evaluates every column for each definition.',
			`An item costs ${(floor.ms / contacts).toFixed(2)} ms in the empty node, and ${(ours.ms / contacts).toFixed(2)} ms in this one.`,
		],
	};
}
