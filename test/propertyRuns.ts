/* eslint-disable @n8n/community-nodes/no-restricted-globals */
const factor = Number(process.env.PROPERTY_RUNS ?? 1);

/** How often fast-check tries a property: `.ci/run` sets PROPERTY_RUNS to try it so many times as often. */
export function propertyRuns(usual: number): { numRuns: number } {
	return { numRuns: usual * factor };
}

/** A part of the cases, evenly spread, and with PROPERTY_RUNS so many times as many, up to all of them. */
export function caseRuns<Case>(cases: Case[], oneIn: number): Case[] {
	const step = Math.max(1, Math.floor(oneIn / factor));
	return cases.filter((_, index) => index % step === 0);
}
