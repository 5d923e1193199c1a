/** How many expectations held, did not hold and could not be looked at. */
export interface Counts {
	passed: number;
	failed: number;
	skipped: number;
}

/** Expectations about the outcome, counted as a test runner counts. */
export class Checks {
	private passed = 0;
	private failed = 0;

	/** What could not be looked at, and why not. */
	readonly skips: string[] = [];

	/** What has been counted so far. */
	get counts(): Counts {
		return { passed: this.passed, failed: this.failed, skipped: this.skips.length };
	}

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

	/** Prints an expectation about a text, and the text unless it is as expected. */
	expectMatch(sentence: string, text: string, expected: RegExp): void {
		const matches = expected.test(text);
		this.expect(sentence + (matches ? '' : ` (expected ${expected}, found "${text}")`), matches);
	}

	/** Does something that throws when the expectation does not hold. */
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
	 * Prints what cannot be looked at.
	 *
	 * @param what also says why not, in a few words
	 * @param help what a person can do about it
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
