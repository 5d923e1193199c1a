/** How long the node holds n8n's main thread at a stretch while it compares a long list. */
import { type Bench } from '../bench.mjs';
import { grouped, seconds, type Section } from '../report.mjs';

export const title = "The longest time that n8n's main thread is held";

const maxHeldMs = 200;

export async function run(bench: Bench): Promise<Section> {
	const contacts = bench.isQuick ? 10_000 : 100_000;
	const peer = (name: string, contender: string) => ({
		name,
		measure: async (isWarmUp: boolean) =>
			await bench.measure({
				contender,
				scene: { contacts: isWarmUp ? 1000 : contacts, delayMs: 0 },
				task: { percent: 0 },
				output: 'synced',
			}),
	});
	const standings = await bench.compare(bench.isQuick ? 1 : 3, [
		peer('automatic mapping', 'ours.sync'),
		peer('automatic mapping of a mirror', 'ours.mirrorContacts'),
		peer('two mapped expressions that n8n evaluates', 'ours.syncByExpressions'),
	]);
	await bench.forget();
	const heldMs = (standing: (typeof standings)[number]) =>
		Math.max(...standing.results.map((result) => result.heldMs ?? Infinity));
	const milliseconds = (value: number) => `${value.toFixed(0)} ms`;
	return {
		title,
		setting: `Create or Update, and Mirror, of ${grouped(contacts)} customers, none of whom has changed, in as many contacts. The longest time between two turns of the event loop, with everything that n8n does around the node.`,
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
		aims: standings.map((standing) => ({
			job: `longest time that the main thread is held while ${grouped(contacts)} contacts are compared, ${standing.name}`,
			against: '—',
			aim: `at most ${maxHeldMs} ms`,
			measured: milliseconds(heldMs(standing)),
			holds: heldMs(standing) <= maxHeldMs && !standing.wrong,
			cause: `the run takes ${seconds(standing.ms)} in all.`,
		})),
	};
}
