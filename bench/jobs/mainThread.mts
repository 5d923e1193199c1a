/** How long the node holds n8n's main thread at a stretch while it compares a long list. */
import { type Bench } from '../bench.mjs';
import { grouped, seconds, type Section } from '../report.mjs';

export const title = "The longest time that n8n's main thread is held";

/** Most milliseconds at a stretch, by the number of contacts. */
const maxHeldMs = new Map([
	[10_000, 200],
	[100_000, 1000],
]);

export async function run(bench: Bench): Promise<Section> {
	const sizes = bench.isQuick ? [10_000] : [...maxHeldMs.keys()];
	const peer = (name: string, contender: string, contacts: number) => ({
		name: `${grouped(contacts)} contacts, ${name}`,
		most: maxHeldMs.get(contacts)!,
		measure: async (isWarmUp: boolean) =>
			await bench.measure({
				contender,
				scene: { contacts: isWarmUp ? 1000 : contacts, delayMs: 0 },
				task: { percent: 0 },
				output: 'synced',
			}),
	});
	const peers = sizes.flatMap((contacts) => [
		peer('automatic mapping', 'ours.sync', contacts),
		peer('automatic mapping of a mirror', 'ours.mirrorContacts', contacts),
		peer('two mapped expressions that n8n evaluates', 'ours.syncByExpressions', contacts),
	]);
	const standings = await bench.compare(bench.isQuick ? 1 : 3, peers);
	await bench.forget();
	const heldMs = (standing: (typeof standings)[number]) =>
		Math.max(...standing.results.map((result) => result.heldMs ?? Infinity));
	const milliseconds = (value: number) => `${value.toFixed(0)} ms`;
	return {
		title,
		setting: `Create or Update, and Mirror, of customers, none of whom has changed, in as many contacts. The longest time between two turns of the event loop, with everything that n8n does around the node.`,
		tables: [
			{
				head: ['input', 'longest stretch', 'the whole run'],
				rows: standings.map((standing) => [
					standing.name,
					milliseconds(heldMs(standing)),
					seconds(standing.ms),
				]),
			},
		],
		aims: standings.map((standing, index) => ({
			job: `longest time that the main thread is held while it compares ${standing.name}`,
			against: '—',
			aim: `at most ${peers[index].most} ms`,
			measured: milliseconds(heldMs(standing)),
			holds: heldMs(standing) <= peers[index].most && !standing.wrong,
			cause: `the run takes ${seconds(standing.ms)} in all.`,
		})),
	};
}
