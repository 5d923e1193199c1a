/* eslint-disable @n8n/community-nodes/no-restricted-globals */
const factor = Number(process.env.PROPERTY_RUNS ?? 1);

/** How often fast-check tries a property: `.ci/run` sets PROPERTY_RUNS to try it so many times as often. */
export function propertyRuns(usual: number): { numRuns: number } {
	return { numRuns: usual * factor };
}
