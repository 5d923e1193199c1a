/** How time and requests grow with the contacts, with the share that differs, and with the delay. */
import type { Bench } from '../bench.mjs';
import { plannedRequests } from '../data.mjs';
import { grouped, seconds, type Section, type Table } from '../report.mjs';

export const title = 'Cost as the work grows';

interface Case {
	contacts: number;
	percent: number;
	delayMs: number;
}

export async function run(bench: Bench): Promise<Section> {
	const most = bench.isQuick ? 1000 : 100_000;
	const base: Case = { contacts: bench.isQuick ? 300 : 1000, percent: 10, delayMs: 25 };
	const sizes = [1000, 10_000, 100_000].filter((contacts) => contacts <= most);
	const cases = {
		'contacts, 1 % of them changed, 25 ms': sizes.map((contacts) => ({
			...base,
			contacts,
			percent: 1,
		})),
		[`share that differs, ${grouped(base.contacts)} contacts, 25 ms`]: [1, 10, 100].map(
			(percent) => ({ ...base, percent }),
		),
		[`delay, ${grouped(base.contacts)} contacts, 10 % changed`]: [0, 25, 200].map((delayMs) => ({
			...base,
			delayMs,
		})),
	};
	const tables: Table[] = [];
	let isExact = true;
	for (const [headline, group] of Object.entries(cases)) {
		const rows: string[][] = [];
		for (const each of group) {
			const { contacts, percent, delayMs } = each;
			bench.report(`sync ${grouped(contacts)} contacts, ${percent} % changed, ${delayMs} ms`);
			const result = await sync(bench, each);
			const planned = plannedRequests(contacts, percent);
			isExact &&= result.requests === planned && !result.wrong;
			rows.push([
				`${grouped(contacts)}, ${percent} %, ${delayMs} ms`,
				seconds(result.ms),
				`${((result.ms / contacts) * 1000).toFixed(0)} µs`,
				grouped(result.requests),
				grouped(planned),
				grouped(contacts),
				result.wrong ? `WRONG: ${result.wrong}` : 'complete',
			]);
		}
		tables.push({
			head: [headline, 'time', 'a contact', 'requests', 'planned', 'a PATCH for each', 'result'],
			rows,
		});
	}
	return {
		title,
		setting:
			'Create or Update with automatic mapping; a new name and company for each customer that differs. Planned: the pages, one PATCH for each that differs, and the list of attributes where the plan needs it. Each row is one run.',
		tables: [...tables, await lists(bench, sizes)],
		aims: [
			{
				job: 'every sync of the tables on growth',
				against: 'the requests of the plan',
				aim: 'exactly that number',
				measured: isExact ? 'each of them' : 'not each of them',
				holds: isExact,
				cause: 'those tables show planned and sent requests side by side.',
				anySize: true,
			},
		],
	};
}

async function sync(bench: Bench, { contacts, percent, delayMs }: Case) {
	return await bench.measure({
		contender: 'ours.sync',
		scene: { contacts, delayMs },
		task: { percent },
		output: 'synced',
		outcome: { kind: 'synced', percent },
	});
}

async function lists(bench: Bench, sizes: number[]): Promise<Table> {
	const rows: string[][] = [];
	for (const contacts of sizes) {
		bench.report(`read ${grouped(contacts)} contacts`);
		const trial = {
			contender: 'ours.readAll',
			scene: { contacts, delayMs: 25 },
			output: 'contacts' as const,
		};
		const results = [await bench.measure(trial), await bench.measure(trial)];
		const [, { ms, requests, wrong }] = results;
		rows.push([
			grouped(contacts),
			seconds(ms),
			`${((ms / contacts) * 1000).toFixed(0)} µs`,
			grouped(requests),
			grouped(Math.ceil(contacts / 1000)),
			wrong ? `WRONG: ${wrong}` : 'complete',
		]);
		await bench.forget();
	}
	return {
		head: ['reading the list, 25 ms', 'time', 'a contact', 'requests', 'planned', 'result'],
		rows,
	};
}
