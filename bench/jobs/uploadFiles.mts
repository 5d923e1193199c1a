/** Files that are sources, on a night on which one of them has changed. */
import { ratio, type Bench } from '../bench.mjs';
import { grouped, seconds, spent, standingsTable, times, type Section } from '../report.mjs';

export const title = 'Files as sources';

/** Uploads of one run without a wait. */
const uploadsAtOnce = 10;

export async function run(bench: Bench): Promise<Section> {
	const count = bench.isQuick ? 20 : 50;
	const percent = bench.isQuick ? 10 : 2;
	const delayMs = 25;
	const rateLimit = { requests: 100_000, windowMs: 10_000, retryAfter: 'seconds' as const };
	const peer = (name: string, contender: string, remembers: boolean) => ({
		name,
		measure: async (isWarmUp: boolean) => {
			const files = isWarmUp ? uploadsAtOnce : count;
			// Each run has the files of the ones before, since n8n remembers the sources of the last run.
			const runs = Array.from({ length: files / uploadsAtOnce }, (_, index) => index);
			return await bench.measure({
				contender,
				scene: { contacts: 0, files, delayMs, rateLimit },
				before: remembers
					? runs.map((index) => ({ count: (index + 1) * uploadsAtOnce, percent: 0 }))
					: undefined,
				task: { count: files, percent, batching: { batchSize: 50, batchInterval: 1 } },
				outcome: { kind: 'uploaded', count: files, percent },
			});
		},
	});
	const standings = await bench.compare(bench.isQuick ? 1 : 3, [
		peer('this node', 'ours.upsertFiles', true),
		peer('HTTP Request, an upload of each', 'httpRequest.uploadFiles', false),
	]);
	const [ours, uploadEach] = standings;
	const changed = (count * percent) / 100;
	const job = `${count} files of 1 MB of which ${changed} changed, 25 ms`;
	return {
		title,
		setting: `${count} files of 1 MB are sources already, and ${changed} of them changed; every answer delayed by 25 ms. Create or Update has sent all of them in earlier runs, which are not measured, and remembers a hash of each. The peer has the IDs of the sources in its input. The limit of 10 uploads a minute is off. A result is complete when every source has the bytes of its file.`,
		tables: [standingsTable(standings, 'peer')],
		aims: [
			{
				job,
				against: 'the requests of the plan',
				aim: `exactly ${1 + changed}: a page of the list, and an upload of each file that changed`,
				measured: String(ours.requests),
				holds: ours.requests === 1 + changed && !ours.wrong,
				cause: spent(ours, delayMs),
				anySize: true,
			},
		],
		notes: [
			`It takes ${seconds(ours.ms)} and ${grouped(ours.requests)} requests, HTTP Request ${seconds(uploadEach.ms)} and ${grouped(uploadEach.requests)}: ${times(ratio(ours, uploadEach))} of the time. With the limit of 10 uploads a minute, 50 uploads take four minutes more.`,
		],
	};
}
