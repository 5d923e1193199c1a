import type { Sighting } from './memory';

/** What a list is made of, as far as changes are concerned. */
export interface RecordKind<Item> {
	/** Tells records apart; undefined where a record has nothing to tell it by. */
	keyOf(item: Item): string | undefined;
	/** When the change happened, in milliseconds since 1970; undefined where there was none. */
	momentOf(item: Item): number | undefined;
}

/** Gathers what one poll sees of a list, and of the items only those that matter. */
export class Sightings<Item> {
	readonly all: Array<Sighting<Item>> = [];

	/** The newest moment of all. */
	newest = -Infinity;

	private readonly keys = new Set<string>();

	/**
	 * @param kind what the list is made of
	 * @param since the moment from which on records matter
	 * @param latest the last moment that can be right: one far ahead must not become the mark
	 */
	constructor(
		private readonly kind: RecordKind<Item>,
		private readonly since: number,
		private readonly latest: number,
	) {}

	/**
	 * Adds a page.
	 *
	 * @returns how many of the items came for the first time
	 */
	add(items: Item[]): number {
		const before = this.keys.size;
		for (const item of items) {
			const key = this.kind.keyOf(item) ?? JSON.stringify(item);
			const moment = this.kind.momentOf(item);
			this.keys.add(key);
			if (moment === undefined) continue;
			if (moment <= this.latest) this.newest = Math.max(this.newest, moment);
			if (moment >= this.since) this.all.push({ key, moment, item });
		}
		return this.keys.size - before;
	}
}
