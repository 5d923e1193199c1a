/** The numbers of passed, failed and skipped expectations. */
export interface Counts {
	passed: number;
	failed: number;
	skipped: number;
}

/** Expectations about the outcome, counted as in a test runner. */
export class Checks {
	private passed = 0;
	private failed = 0;

	/** The skipped expectations with their reasons. */
	readonly skips: string[] = [];

	/** The counts so far. */
	get counts(): Counts {
		return { passed: this.passed, failed: this.failed, skipped: this.skips.length };
	}

	/** Prints an expectation and its result. */
	expect(sentence: string, holds: boolean): void {
		if (holds) this.passed++;
		else this.failed++;
		console.log(`${holds ? '✔' : '✖'} ${sentence}`);
	}

	/** Prints an expectation, and the difference if the values differ. */
	expectEqual(sentence: string, found: unknown, expected: unknown): void {
		const same = JSON.stringify(found) === JSON.stringify(expected);
		const difference = ` (expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)})`;
		this.expect(sentence + (same ? '' : difference), same);
	}

	/** Prints an expectation about a text, and the text if it differs. */
	expectMatch(sentence: string, text: string, expected: RegExp): void {
		const matches = expected.test(text);
		this.expect(sentence + (matches ? '' : ` (expected ${expected}, found "${text}")`), matches);
	}

	/** Runs a task that throws if the expectation fails. */
	async attempt(sentence: string, task: () => Promise<unknown>): Promise<void> {
		try {
			await task();
			this.expect(sentence, true);
		} catch (error) {
			console.error(error);
			this.expect(sentence, false);
		}
	}

	/**
	 * Prints a skipped expectation.
	 *
	 * @param what with the reason
	 * @param help how to enable it
	 */
	skip(what: string, help?: string): void {
		this.skips.push(what);
		console.log(`- skipped: ${what}${help ? `. ${help}` : ''}`);
	}

	/** Prints the counts and decides the exit code. */
	conclude(): void {
		const { passed, failed, skipped } = this.counts;
		console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
		process.exitCode = failed > 0 ? 1 : 0;
	}
}
