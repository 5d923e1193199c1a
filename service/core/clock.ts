/** The service's clock: the real time, until a test takes hold of it. */
export class Clock {
	private held: number | undefined;

	/** Milliseconds since 1970. */
	now(): number {
		return this.held ?? Date.now();
	}

	/** Unix seconds, the unit of a contact's timestamps. */
	seconds(): number {
		return Math.floor(this.now() / 1000);
	}

	/** ISO 8601, the form of every other timestamp. */
	iso(): string {
		return new Date(this.now()).toISOString();
	}

	/** Stops the clock at a moment, given in milliseconds since 1970, as a Date or as ISO 8601. */
	set(moment: number | Date | string): void {
		this.held = new Date(moment).getTime();
	}

	/** Moves the clock on by milliseconds and stops it there. */
	advance(milliseconds: number): void {
		this.held = this.now() + milliseconds;
	}

	/** Lets the real time run again. */
	release(): void {
		this.held = undefined;
	}
}
