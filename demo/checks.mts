/** Expectations about the outcome, counted as a test runner counts. */
export class Checks {
	private passed = 0;
	private failed = 0;
	private skipped = 0;

	/** Prints an expectation and whether it holds. */
	expect(sentence: string, holds: boolean): void {
		if (holds) this.passed++;
		else this.failed++;
		console.log(`${holds ? '✔' : '✖'} ${sentence}`);
	}

	/** Prints an expectation with what was found, and whether it is the same. */
	expectEqual(sentence: string, found: unknown, expected: unknown): void {
		const same = JSON.stringify(found) === JSON.stringify(expected);
		const difference = ` (expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)})`;
		this.expect(sentence + (same ? '' : difference), same);
	}

	skip(reason: string): void {
		this.skipped++;
		console.log(`- skipped: ${reason}`);
	}

	/** Prints the counts and decides the exit code. */
	conclude(): void {
		const skipped = this.skipped > 0 ? `, ${this.skipped} skipped` : '';
		console.log(`\n${this.passed} passed, ${this.failed} failed${skipped}`);
		process.exitCode = this.failed > 0 ? 1 : 0;
	}
}
