/** What one item costs in the node while no request leaves it, and what that is spent on. */
import { contactRecord } from '../../test/service/contactRecord.js';
import { defaultBehaviour } from '../../test/service/index.js';
import { ratio, type Bench, type Engine, type Result } from '../bench.mjs';
import { contactAt } from '../data.mjs';
import { grouped, times, type Section } from '../report.mjs';

export const title = "The node's own time an item";

export async function run(bench: Bench): Promise<Section> {
	const contacts = bench.isQuick ? 200 : 1000;
	const [whole, hollow] = [await bench.freshEngine(), await bench.freshEngine()];
	const body = { message: 'Success', data: contactRecord(contactAt(0), defaultBehaviour) };
	const reply = { status: 200, body, unclear: false, attempts: 1, rateLimitWait: 0 };
	await whole.call('answerAtOnce', reply);
	await hollow.call('hollowOut', undefined as never);
	const peer = (name: string, engine: Engine, contender: string) => ({
		name,
		measure: async () => {
			const trial = { contender, scene: { contacts, delayMs: 0 } };
			return await bench.withTarget(
				trial,
				async (target) => await engine.call('run', bench.request(trial, target)),
			);
		},
	});
	const standings = await bench.compare(bench.isQuick ? 3 : 9, [
		peer('this node, every request answered at once', whole, 'ours.readEach'),
		peer('its description, without its code', hollow, 'ours.readEach'),
		peer('empty declarative node, same parameters', whole, 'floor.readEach'),
	]);
	await bench.forget();
	await whole.end();
	await hollow.end();
	const [ours, description, empty] = standings;
	const cpu = ({ cpuMs }: Result) => cpuMs;
	const toEmpty = ratio(ours, empty, cpu);
	const each = (ms: number) => `${((ms / contacts) * 1000).toFixed(0)} µs`;
	return {
		title,
		setting: `Get of one contact for each of ${grouped(contacts)} items, the contact by an expression. Requests are answered inside the process at once, so what is left is n8n's engine and the node. CPU time, which other programs on the machine disturb least.`,
		tables: [
			{
				head: ['node', 'an item', 'of the empty node', 'expressions evaluated an item'],
				rows: standings.map((standing) => [
					standing.name,
					each(standing.cpuMs),
					times(ratio(standing, empty, cpu)),
					(standing.evaluations / contacts).toFixed(0),
				]),
			},
			{
				head: ['spent on', 'an item'],
				rows: [
					['n8n, for an empty node with these parameters', each(empty.cpuMs)],
					["n8n, for the rest of this node's description", each(description.cpuMs - empty.cpuMs)],
					[
						"the node's code: reading the item, queueing, retry rules, pairing",
						each(ours.cpuMs - description.cpuMs),
					],
				],
			},
		],
		aims: [
			{
				job: "node's own time an item, no request",
				against: 'an empty declarative node',
				aim: 'at most 1.2',
				measured: times(toEmpty),
				holds: toEmpty <= 1.2,
			},
		],
	};
}
