/** A sync of contacts with a CRM, with automatic mapping. */
import { ratio, type Bench } from '../bench.mjs';
import { plannedRequests } from '../data.mjs';
import {
	faster,
	grouped,
	seconds,
	spent,
	standingsTable,
	times,
	type Section,
} from '../report.mjs';

export const title = 'Sync a CRM, automatic mapping';

/** How many requests of one run the node has in flight, unless Max Concurrency says otherwise. */
const defaultConcurrency = 5;

export async function run(bench: Bench): Promise<Section> {
	const contacts = bench.isQuick ? 1000 : 10_000;
	const percent = 1;
	const delayMs = 25;
	const remoteDelayMs = 100;
	const rounds = bench.isQuick ? 1 : 3;

	const peerAt =
		(delay: number) =>
		(name: string, contender: string, isOurs = false) => ({
			name,
			measure: async (isWarmUp: boolean) =>
				await bench.measure({
					contender,
					scene: { contacts: isWarmUp ? 300 : contacts, delayMs: delay },
					task: {
						percent,
						concurrency: contender.startsWith('script') ? defaultConcurrency : undefined,
						// Without it, all requests leave at once, and a remote service closes connections.
						batching: isOurs ? undefined : { batchSize: 50, batchInterval: 1 },
					},
					output: isOurs ? 'synced' : undefined,
					outcome: { kind: 'synced', percent },
				}),
		});

	const peer = peerAt(delayMs);
	const standings = await bench.compare(rounds, [
		peer('this node', 'ours.sync', true),
		peer('HTTP Request, a PATCH for each', 'httpRequest.patchAll'),
		peer('List, Compare Datasets and HTTP Request', 'httpRequest.compareAndPatch'),
		peer('axios, five at once, knowing who has changed', 'script.sync'),
	]);
	const [ours, patchAll, compared, script] = standings;

	const remotePeer = peerAt(remoteDelayMs);
	const remote = await bench.compare(rounds, [
		remotePeer('this node', 'ours.sync', true),
		remotePeer('axios, five at once, knowing who has changed', 'script.sync'),
	]);
	const [oursRemote, scriptRemote] = remote;
	const remoteShare = ratio(oursRemote, scriptRemote);

	const percentOf = (share: number) => `${(share * 100).toFixed(1)} %`;
	const planned = plannedRequests(contacts, percent);
	const shareOfRequests = ours.requests / patchAll.requests;
	const floorMs = (planned * delayMs) / defaultConcurrency;
	const share = ratio(ours, script);
	const job = `sync ${grouped(contacts)} contacts of which ${percent} % differ, automatic mapping, 25 ms`;
	return {
		title,
		setting: `${grouped(contacts)} customers, ${percent} % of whom have another name and company than their contact; every answer delayed by 25 ms, and in the second table by 100 ms, as real services answer. A result is complete when every contact of the service is what its customer is.`,
		tables: [standingsTable(standings, 'peer'), standingsTable(remote, 'peer')],
		readme: { syncRequests: grouped(ours.requests), sync: faster(ratio(ours, patchAll)) },
		aims: [
			{
				job,
				against: 'HTTP Request, a PATCH for each',
				aim: 'at most 1.2 % of its requests',
				measured: percentOf(shareOfRequests),
				holds: shareOfRequests <= 0.012 && !ours.wrong,
				cause: `the plan needs ${grouped(planned)} requests, and ${grouped(ours.requests)} were sent.`,
			},
			{
				job,
				against: script.name,
				aim: 'at most 1.6 of its time',
				measured: times(share),
				holds: share <= 1.6 && !ours.wrong,
				cause: spent(ours, delayMs),
			},
			{
				job: job.replace(/25 ms$/, `${remoteDelayMs} ms`),
				against: scriptRemote.name,
				aim: 'at most 1.2 of its time',
				measured: times(remoteShare),
				holds: remoteShare <= 1.2 && !oursRemote.wrong,
				cause: spent(oursRemote, remoteDelayMs),
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
			`It takes ${percentOf(ratio(ours, patchAll))} of the time of HTTP Request with a PATCH for each, and ${percentOf(ratio(ours, compared))} of the time of the workflow with Compare Datasets.`,
			`A script that sends the same requests with axios, and need not compare, takes ${times(script.ms / floorMs)} of the floor: ${planned} requests × ${delayMs} ms / ${defaultConcurrency} at once = ${seconds(floorMs)}.`,
		],
	};
}
