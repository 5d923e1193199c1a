/** The time that a poll may take. */
export class TimeBudget {
	private readonly end: number;

	private stepBegan = Date.now();

	private longestStep = 0;

	/** @param milliseconds how long, from now on */
	constructor(milliseconds: number) {
		this.end = this.stepBegan + milliseconds;
	}

	/** Asked after each step: whether another one fits in that takes as long as the longest so far. */
	get allowsAnother(): boolean {
		const now = Date.now();
		this.longestStep = Math.max(this.longestStep, now - this.stepBegan);
		this.stepBegan = now;
		return now + this.longestStep < this.end;
	}
}
