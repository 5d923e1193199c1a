/** Updates against a service that allows few requests. */
import type { Bench, Result } from '../bench.mjs';
import { grouped, seconds, type Section } from '../report.mjs';

export const title = 'Update contacts against a rate limit';

export async function run(bench: Bench): Promise<Section> {
	const contacts = bench.isQuick ? 300 : 1000;
	const windowMs = bench.isQuick ? 3000 : 10_000;
	const scene = {
		contacts,
		delayMs: 25,
		rateLimit: { requests: 100, windowMs, retryAfter: 'seconds' as const },
	};
	const batching = { batchSize: 10, batchInterval: windowMs / 10 };
	// They mostly wait, each for a different service, so they can run at the same time.
	const peers: Array<[string, string, object]> = [
		['this node', 'ours.patchEach', { continues: true }],
		['naive declarative node, On Error: Continue', 'template.patchEach', { continues: true }],
		['naive declarative node, On Error: Stop', 'template.patchEach', {}],
		['HTTP Request, On Error: Continue', 'httpRequest.patchEach', { continues: true }],
		['HTTP Request, batched to the limit by its user', 'httpRequest.patchEach', { batching }],
	];
	bench.report(`${peers.length} peers side by side`);
	const results = await Promise.all(
		peers.map(
			async ([, contender, task]) =>
				await bench.measure({ contender, scene, task, outcome: { kind: 'newNumbers' } }),
		),
	);
	const [ours, naive] = results;
	const succeeded = ({ wrongRecords }: Result) => contacts - wrongRecords;
	return {
		title,
		setting: `${grouped(contacts)} contacts get another phone number from a service that allows 100 requests in ${windowMs / 1000} s and says in \`Retry-After\` how long to wait.`,
		tables: [
			{
				head: ['peer', 'succeeded', 'refused requests', 'time', 'result'],
				rows: peers.map(([name], index) => [
					name,
					`${grouped(succeeded(results[index]))} of ${grouped(contacts)}`,
					grouped(results[index].refused),
					seconds(results[index].ms),
					outcomeOf(results[index], succeeded(results[index]) === contacts),
				]),
			},
		],
		aims: [
			{
				job: `${grouped(contacts)} patches against 100 requests per ${windowMs / 1000} s`,
				against: 'a naive declarative node',
				aim: 'all succeed where it loses most',
				measured: `${grouped(succeeded(ours))} against ${grouped(succeeded(naive))}`,
				holds: succeeded(ours) === contacts && succeeded(naive) < contacts / 2,
				cause: 'the table of results says what became of the others.',
				anySize: true,
			},
		],
	};
}

function outcomeOf({ error }: Result, isComplete: boolean): string {
	if (isComplete) return error ? `complete, yet red: ${error}` : 'complete';
	return error ? `red: ${error}` : 'green and short';
}
