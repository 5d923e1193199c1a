import { readTimestamp } from '../Chatbase/values/time';
import type { Sighting } from './memory';

/** What a list is made of, as far as changes are concerned. */
export interface RecordKind<Item> {
	/** Tells records apart; undefined where a record has nothing to tell it by. */
	keyOf(item: Item): string | undefined;
	/** The time of the last change, as the service wrote it. */
	timeOf(item: Item): unknown;
	/** Whether the change is one that matters; absent where all do. */
	matters?(item: Item, moment: number): boolean;
}

/** Records without a time that can be read: nobody can tell when they changed. */
export interface Undated {
	count: number;
	/** The key of one of them. */
	example: string;
}

/** Gathers what one poll sees of a list, and of the items only those that matter. */
export class Sightings<Item> {
	readonly all: Array<Sighting<Item>> = [];

	/** The newest moment of all; -Infinity before the first. */
	newest = -Infinity;

	/** Keys of the records whose time cannot be read. */
	private readonly undatedKeys = new Set<string>();

	private readonly keys = new Set<string>();

	/**
	 * @param kind what the list is made of
	 * @param since the moment from which on records matter
	 * @param clock knows the last moment that can be right: one far ahead must not become the mark
	 */
	constructor(
		private readonly kind: RecordKind<Item>,
		private readonly since: number,
		private readonly clock: { readonly latest: number },
	) {}

	/** How many different records there were. */
	get count(): number {
		return this.keys.size;
	}

	get undated(): Undated | undefined {
		const [example] = this.undatedKeys;
		return example === undefined ? undefined : { count: this.undatedKeys.size, example };
	}

	/** Tells records apart. */
	keyOf(item: Item): string {
		return this.kind.keyOf(item) ?? JSON.stringify(item);
	}

	/**
	 * Adds a page.
	 *
	 * @returns how many of the items came for the first time
	 */
	add(items: Item[]): number {
		const { kind, since, clock } = this;
		const before = this.count;
		for (const item of items) {
			const key = this.keyOf(item);
			const moment = readTimestamp(kind.timeOf(item));
			this.keys.add(key);
			if (moment === undefined) {
				this.undatedKeys.add(key);
			} else if (kind.matters?.(item, moment) ?? true) {
				if (moment <= clock.latest) this.newest = Math.max(this.newest, moment);
				if (moment >= since) this.all.push({ key, moment, item });
			}
		}
		return this.count - before;
	}
}
