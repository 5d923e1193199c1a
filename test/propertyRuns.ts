/** How often a property runs: as usual, or as often as PROPERTY_RUNS says. */
export function propertyRuns(usual: number): number {
	return Number(process.env.PROPERTY_RUNS ?? usual);
}
