/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
import { inspect } from 'node:util';

import { textFor } from '../../../nodes/Chatbase/api/errorTexts';
import { caseRuns } from '../../propertyRuns';
import { illegalities, startService, type SimulatedService } from '../../../service';
import { skippedTime } from '../fastTime';
import { createEngine, type Engine, type RunResult } from '../harness';
import { prepare } from './jobs';
import { type Cell, cells } from './matrix';
import { faultsTowards, timeouts } from './outcomes';

const played = caseRuns(cells, 13);

/** How many cells run at the same time, each with a separate service. */
const lanes = 8;

/** The result of a cell, for its test. */
interface Outcome {
	result: RunResult;
	requests: number;
	redirected: number;
	illegal: string[];
	isWhole: boolean;
	isDone: boolean;
	apiKey: string;
}

let engine: Engine;
const records = new Map<Cell, Outcome>();
let held = 0;

beforeAll(async () => {
	engine = await createEngine();
	const pairs = await Promise.all(
		Array.from({ length: lanes }, async () => [await startService(), await startService()]),
	);
	const services = pairs.flat();
	const restore = skippedTime(...services);
	const waiting = [...played];
	const lane = async ([service, elsewhere]: SimulatedService[]) => {
		for (let cell = waiting.shift(); cell; cell = waiting.shift()) {
			records.set(cell, await play(cell, service, elsewhere));
		}
	};
	try {
		await Promise.all(pairs.map(lane));
	} finally {
		restore();
		await Promise.all(services.map(async (service) => await service.close()));
	}
}, 300_000);

afterAll(() => {
	engine.close();
	process.stdout.write(`fault matrix: ${held} of ${played.length} cells held\n`);
});

async function play(cell: Cell, service: SimulatedService, elsewhere: SimulatedService) {
	const { job, fault, struck } = cell;
	prepare(service);
	elsewhere.clearRequests();
	const when = struck && { matches: struck.matches, times: 1 };
	service.faults.add({ when, fault: faultsTowards(`${elsewhere.baseUrl}/chat`)[fault] });
	const timeout = fault === 'a stall beyond the timeout' ? timeouts.short : timeouts.long;
	const { apiKey, baseUrl } = service;
	const result = await engine.run({
		parameters: { ...job.parameters, requestOptions: { timeout } },
		input: job.input,
		nodeSettings: { onError: 'continueRegularOutput' },
		credentials: { chatbaseV1Api: { apiKey, baseUrl } },
	});
	return {
		result,
		requests: service.requests.length,
		redirected: elsewhere.requests.length,
		illegal: illegalities(service.requests),
		isWhole: job.isWhole(service),
		isDone: job.isDone(service),
		apiKey,
	};
}

/** The errors of failed items by number. */
function failuresOf({ items }: RunResult) {
	return items
		.filter(({ json }) => typeof json.error === 'string')
		.map(({ json, pairedItem }) => ({
			item: (pairedItem as { item: number }).item,
			error: String(json.error),
		}));
}

const rows = played.map((cell) => [`${cell.fault}, ${cell.jobName}, ${cell.place}`, cell] as const);

it.each(rows)('%s', (_, cell) => {
	const { result, requests, redirected, illegal, isWhole, isDone, apiKey } = records.get(cell)!;
	const { outcome, failing, job } = cell;
	const failures = failuresOf(result);
	expect(result.error).toBeUndefined();
	expect({ failing: failures.map(({ item }) => item), requests }).toEqual({
		failing,
		requests: cell.requests,
	});
	for (const { error } of failures) {
		const request = { method: 'POST', resource: job.subject, isAbout: () => false };
		const { title, nextStep = '', advice = '' } = textFor(outcome!, request);
		expect(error).toMatch(new RegExp(`^${title}`));
		const mayBeDone = /Check (the ticket )?before you run again/.test(error);
		expect(error).toContain(nextStep);
		// "Try again" never stands beside "may have done it".
		if (mayBeDone) expect(error).not.toMatch(/try again/i);
		else expect(error).toContain(advice);
	}
	expect(illegal).toEqual([]);
	expect(redirected).toBe(0);
	expect(isWhole).toBe(true);
	if (outcome === undefined) expect(isDone).toBe(true);
	expect(inspect(result, { depth: Infinity, showHidden: true })).not.toContain(apiKey);
	held++;
});

it('says that a chat was not sent a second time, and that a reply may have arrived', () => {
	for (const [cell, { result }] of records) {
		const isUnclear = ['5xx', 'broken', 'timeout'].includes(cell.outcome ?? '');
		if (!/^(chat|reply)/.test(cell.jobName) || !isUnclear) continue;
		for (const { error } of failuresOf(result)) {
			const words = cell.jobName.startsWith('chat') ? 'did not send the request again' : 'may have';
			expect(error).toContain(words);
		}
	}
});
