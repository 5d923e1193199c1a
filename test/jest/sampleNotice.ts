/* eslint-disable @n8n/community-nodes/no-restricted-globals */

/** What jest hands to a module that ends a run, as far as it is used here. */
interface JestRun {
	testPathPatterns: { patterns: string[] };
}

/** Says at the end of `npm test` that it drew a sample. A run of chosen suites says nothing. */
export default function sayThatItIsASample({ testPathPatterns }: JestRun): void {
	const isWhole = process.env.PROPERTY_RUNS !== undefined;
	if (isWhole || testPathPatterns.patterns.length > 0) return;

	process.stdout.write(
		'Random worlds and long tables were a sample. PROPERTY_RUNS=4 npm test draws more worlds and runs all cases.\n',
	);
}
