/* eslint-disable @n8n/community-nodes/no-restricted-globals */
/** `.ci/run` sets PROPERTY_RUNS; `npm test` takes a sample that keeps it short. */
const factor = Number(process.env.PROPERTY_RUNS ?? 0.5);

/** How often fast-check tries a property: half as often as usual, and with PROPERTY_RUNS so many times as often. */
export function propertyRuns(usual: number): { numRuns: number } {
	return { numRuns: Math.ceil(usual * factor) };
}

/** One value for `npm test`, and another with PROPERTY_RUNS. */
export function sampled<Value>(sample: Value, whole: Value): Value {
	return factor < 1 ? sample : whole;
}

/** Characters of a text that must be read in one pass. Half a megabyte shows work that grows with its square, too. */
export const longText = sampled(500_000, 1_000_000);

/** Seconds of processor time that something takes, which other programs of the machine don't lengthen. */
export async function processorTime(work: () => unknown): Promise<number> {
	const before = process.cpuUsage();
	await work();
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1e6;
}

/** Fails if something was seen in no run of a property: a sample may miss it, `.ci/run` must not. */
export function expectSeen(tally: Record<string, number>): void {
	if (factor < 1) return;
	const missed = Object.keys(tally).filter((name) => tally[name] === 0);
	expect(missed).toEqual([]);
}

/** A part of the cases, evenly spread, and with PROPERTY_RUNS all of them. */
export function caseRuns<Case>(cases: Case[], oneIn: number): Case[] {
	return factor < 1 ? cases.filter((_, index) => index % oneIn === 0) : cases;
}
