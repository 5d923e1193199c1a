/** A batch of new contacts that the service refuses because of a few. */
import type { Bench } from '../bench.mjs';
import { isFlawed, range, type Flaw } from '../data.mjs';
import { grouped, seconds, type Section } from '../report.mjs';

export const title = 'A batch with a few bad contacts';

const mostRequests = 350;

export async function run(bench: Bench): Promise<Section> {
	const contacts = bench.isQuick ? 3000 : 100_000;
	const count = bench.isQuick ? 200 : 1000;
	const bad = range(count).filter(isFlawed).length;
	const operations = { Create: 'ours.create', 'Create or Update': 'ours.createOrUpdate' };
	const flaws: Record<Flaw, string> = {
		field: 'a payment account with only a label (400)',
		address: 'an email that another contact has (409)',
	};
	const rows: string[][] = [];
	const requests: number[] = [];
	let wrong: string | undefined;
	for (const [operation, contender] of Object.entries(operations)) {
		for (const [flaw, what] of Object.entries(flaws) as Array<[Flaw, string]>) {
			bench.report(`${operation}: ${what}`);
			const result = await bench.measure({
				contender,
				scene: { contacts, delayMs: 5 },
				task: { count, flaw, continues: true },
				outcome: { kind: 'joined', count, flaw },
			});
			wrong ??= result.wrong;
			requests.push(result.requests);
			const { GET = 0, POST = 0, PATCH = 0 } = result.methods;
			rows.push([
				operation,
				what,
				grouped(result.requests),
				grouped(GET),
				grouped(POST),
				grouped(PATCH),
				seconds(result.ms),
				result.wrong ? `WRONG: ${result.wrong}` : 'complete',
			]);
		}
	}
	const most = Math.max(...requests);
	const [operation, what, , GET, POST, PATCH] = rows[requests.indexOf(most)];
	return {
		title,
		setting: `${grouped(count)} new contacts with ${bad} bad ones among them, evenly spread, for a chatbot that has ${grouped(contacts)}; On Error: Continue. A result is complete when all are created but the bad ones.`,
		tables: [
			{
				head: ['operation', 'bad', 'requests', 'GET', 'POST', 'PATCH', 'time', 'result'],
				rows,
			},
		],
		aims: [
			{
				job: `a refused batch of ${grouped(count)}, ${bad} bad, ${grouped(contacts)} contacts in the list`,
				against: `one request for each contact: ${grouped(count)}`,
				aim: `at most ${mostRequests} requests`,
				measured: wrong ?? grouped(most),
				holds: most <= mostRequests && !wrong,
				cause: `the most were sent by ${operation} with ${what}: ${GET} GET, ${POST} POST, ${PATCH} PATCH. One look at the list takes ${grouped(Math.ceil(contacts / 1000))} GET.`,
			},
		],
	};
}
