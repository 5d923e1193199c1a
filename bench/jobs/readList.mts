/** Reading a whole contact list, and doing it while the service refuses a page. */
import { ratio, type Bench, type Standing, type Trial } from '../bench.mjs';
import {
	faster,
	grouped,
	spent,
	standingsTable,
	times,
	type Aim,
	type Section,
} from '../report.mjs';

export const title = 'Read the whole contact list';

export async function run(bench: Bench): Promise<Section> {
	const contacts = bench.isQuick ? 10_000 : 100_000;
	const scene = { contacts, delayMs: 25 };
	const peer = (name: string, contender: string, concurrency?: number) => ({
		name,
		measure: async (isWarmUp: boolean) =>
			await bench.measure({
				contender,
				scene: isWarmUp ? { contacts: 5000, delayMs: 0 } : scene,
				output: 'contacts',
				task: { concurrency },
			}),
	});
	const standings = await bench.compare(bench.isQuick ? 1 : 9, [
		peer('this node', 'ours.readAll'),
		peer('axios, one page after the other', 'script.readAll', 1),
		peer('axios, five pages at once', 'script.readAll', 5),
		peer('HTTP Request and Split Out', 'httpRequest.readAll'),
		peer('declarative node, generic pagination', 'template.readAll'),
	]);
	await bench.forget();
	const [ours, sequential, together, httpRequest] = standings;
	const faults = await refusedPage(bench);
	const aim = (against: Standing, most: number): Aim => {
		const share = ratio(ours, against);
		return {
			job: `read ${grouped(contacts)} contacts, 25 ms a page`,
			against: against.name,
			aim: `at most ${most} of its time`,
			measured: times(share),
			holds: share <= most && !ours.wrong,
			cause: `${spent(ours, scene.delayMs)}. For ${against.name}: ${spent(against, scene.delayMs)}.`,
		};
	};
	return {
		title,
		setting: `${grouped(contacts)} contacts, pages of 1,000, every answer delayed by 25 ms. A result is complete when every contact is there once, in order and equal to what the service holds.`,
		tables: [standingsTable(standings, 'peer'), faults.table],
		readme: { readList: faster(ratio(ours, httpRequest)) },
		aims: [
			aim(sequential, 0.4),
			aim(httpRequest, 0.4),
			aim(together, 1.1),
			{
				job: 'the same while one page is refused',
				against: 'all peers',
				aim: 'complete, or red',
				measured: faults.summary,
				holds: faults.holds,
				cause: 'see the table of refused pages.',
				anySize: true,
			},
		],
	};
}

/** The second of three pages is answered with a fault, once. */
async function refusedPage(bench: Bench) {
	const peers = [
		['this node', 'ours.readAll'],
		['axios, one page after the other', 'script.readAll'],
		['HTTP Request and Split Out', 'httpRequest.readAll'],
		['declarative node, generic pagination', 'template.readAll'],
	];
	const statuses = [429, 500];
	const rows: string[][] = [];
	let oursHolds = true;
	for (const [name, contender] of peers) {
		const cells: string[] = [];
		for (const status of statuses) {
			bench.report(`page 2 refused with ${status}: ${name}`);
			const scene = { contacts: 3000, delayMs: 0, fault: { page: 2, status } };
			const trial: Trial = { contender, scene, output: 'contacts' };
			const { wrong } = await bench.measure(trial).catch((error: Error) => ({
				wrong: `failed: ${error.message.split('\n')[0]}`,
			}));
			cells.push(wrong?.startsWith('green') ? `WRONG: ${wrong}` : (wrong ?? 'complete'));
			if (contender === 'ours.readAll') oursHolds &&= wrong === undefined;
		}
		rows.push([name, ...cells]);
	}
	return {
		table: { head: ['page 2 of 3 refused once', ...statuses.map(String)], rows },
		summary: oursHolds ? 'complete both times' : 'incomplete',
		holds: oursHolds,
	};
}
