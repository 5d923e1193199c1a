/** A seeded generator of pseudo-random numbers: the same seed gives the same sequence everywhere. */
export class Random {
	private state: number;

	/** @param seed any integer */
	constructor(seed: number) {
		this.state = seed | 0;
	}

	/** The next integer from 0 to 2^32 - 1 (the mulberry32 generator). */
	next(): number {
		this.state = (this.state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return (mixed ^ (mixed >>> 14)) >>> 0;
	}

	/** An integer from 0 to `limit` - 1. */
	below(limit: number): number {
		return this.next() % limit;
	}

	/** One element of a list that is not empty. */
	pick<Element>(list: readonly Element[]): Element {
		return list[this.below(list.length)];
	}

	/** An identifier in the form of a UUID of version 4, as the service's own IDs look. */
	uuid(): string {
		const [a, b, c, d] = [this.next(), this.next(), this.next(), this.next()].map((value) =>
			value.toString(16).padStart(8, '0'),
		);
		return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-a${c.slice(1, 4)}-${c.slice(4)}${d}`;
	}

	/** An identifier of 21 letters and digits, the present form of a chatbot's ID. */
	nanoid(): string {
		const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
		return Array.from({ length: 21 }, () => this.pick([...alphabet])).join('');
	}
}
