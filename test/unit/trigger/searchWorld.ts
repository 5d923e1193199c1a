/** A chatbot whose conversations a search shows late, each change after a time of its own. */
import type { IDataObject } from 'n8n-workflow';

import { usualHabits, World } from './world';

/** What the index shows of a conversation from some moment on, in seconds since 1970. */
interface Version {
	visibleAt: number;
	updated: number;
	isInside: boolean;
}

export class SearchWorld extends World {
	/** Each by its ID, with the versions in order. */
	readonly conversations = new Map<string, Version[]>();

	/** What the last poll has read: the newest version of each conversation. */
	readonly read = new Map<string, Version>();

	requests = 0;

	/** Whether the search departs from its documented order. */
	isOldestFirst = false;

	private changes = 0;

	private sorted: { key: string; rows: Array<Version & { id: string }> } = { key: '', rows: [] };

	constructor(skew = 0) {
		super({ ...usualHabits, skew });
	}

	/** @param updated when it was active last; a change of the state alone does not move it */
	change(id: string, isInside: boolean, lag = 0, updated = this.now): void {
		this.changes++;
		const versions = this.conversations.get(id) ?? [];
		this.conversations.set(id, versions);
		versions.push({ visibleAt: this.now + lag, updated, isInside });
	}

	/** What the index shows now. */
	visible(id: string): Version | undefined {
		const versions = this.conversations.get(id) ?? [];
		return [...versions].reverse().find(({ visibleAt }) => visibleAt <= this.now);
	}

	override async poll(...given: Parameters<World['poll']>): Promise<IDataObject[]> {
		this.read.clear();
		this.requests = 0;
		return await super.poll(...given);
	}

	/** What the index shows, sorted, until something changes. */
	private rows(order: (one: [number, string], other: [number, string]) => number) {
		const key = `${this.now} ${this.changes}`;
		if (this.sorted.key === key) return this.sorted.rows;
		const rows = [...this.conversations.keys()].flatMap((id) => {
			const version = this.visible(id);
			return version ? [{ id, ...version }] : [];
		});
		rows.sort((one, other) => order([one.updated, one.id], [other.updated, other.id]));
		this.sorted = { key, rows };
		return rows;
	}

	/** Pages of 25. A cursor names the row before it. */
	protected override bodyOf(url: string, qs: IDataObject): object {
		this.requests++;
		if (!url.endsWith('/search')) return { id: 'bot' };
		const after = Date.parse(String(qs.updatedAfter ?? '1970-01-01')) / 1000;
		const sign = this.isOldestFirst ? -1 : 1;
		const order = (one: [number, string], other: [number, string]) =>
			sign * (other[0] - one[0] || (one[1] < other[1] ? 1 : -1));
		const start = qs.cursor && (JSON.parse(String(qs.cursor)) as [number, string]);
		const rest = this.rows(order).filter(
			({ id, updated, isInside }) =>
				updated >= after &&
				(isInside || !qs.escalated) &&
				(!start || (start[1] !== id && order(start, [updated, id]) < 0)),
		);
		const shown = rest.slice(0, 25);
		for (const { id, ...version } of shown) {
			if (version.updated >= (this.read.get(id)?.updated ?? 0)) this.read.set(id, version);
		}
		const hasMore = rest.length > shown.length;
		const last = shown.at(-1);
		return {
			data: shown.map(({ id, updated, isInside }) => ({
				id,
				updatedAt: updated,
				status: isInside ? 'ended' : 'ongoing',
			})),
			pagination: { cursor: hasMore ? JSON.stringify([last!.updated, last!.id]) : null, hasMore },
		};
	}
}
