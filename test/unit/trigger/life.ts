import type { IDataObject } from 'n8n-workflow';

import type { ListState } from '../../../nodes/ChatbaseTrigger/listState';
import type { Damage, Happening, History, Step } from './history';
import { type TestRecord, World } from './world';

const minute = 60;
const day = 24 * 3600;

type Poll = Extract<Step, { kind: 'poll' }>;

const quiet: Poll = { kind: 'poll', meanwhile: [] };

/** Two passes see everything; if the total is never right, it takes a few more until the watermark follows. */
const quietPolls = 8;

/** When the event happened to a record, as far as it did. */
export const momentOf: Record<string, (record: TestRecord) => number | undefined> = {
	contactCreated: ({ created }) => created,
	contactUpdated: ({ created, updated }) => (updated > created + 1 ? updated : undefined),
	contactCreatedOrUpdated: ({ updated }) => updated,
	conversationStarted: ({ created }) => created,
	leadCreated: ({ created }) => created,
	ticketCreated: ({ created }) => created,
	ticketUpdated: ({ created, updated }) => (updated > created ? updated : undefined),
	ticketCreatedOrUpdated: ({ updated }) => updated,
};

export function kindOf(event: string): 'contacts' | 'days' {
	return event === 'conversationStarted' || event === 'leadCreated' ? 'days' : 'contacts';
}

/** Runs a history and compares every poll with it. */
export class Life {
	/** The static data in n8n's memory and in its database. */
	private stored: IDataObject = {};

	private saved = '{}';

	/** Changes, each as moment and ID: those that must not be reported, that may be, and that were. */
	private readonly old = new Set<string>();

	private readonly optional = new Set<string>();

	private readonly reported = new Set<string>();

	/** What the user has set as the beginning, and what it was at the last poll. */
	private since?: number;

	private lastSince?: number;

	/** The earliest beginning, or none after a damage. */
	private earliest = Infinity;

	/** Whether the next successful poll starts with a new state. */
	private isLearning = true;

	private readonly activated: number;

	private readonly world: World;

	constructor(
		private readonly event: string,
		private readonly history: History,
	) {
		const { habits, size, before, since } = history;
		this.world = new World(habits);
		this.happen({ kind: 'create', count: size });
		for (const each of before) this.happen(each);
		this.activated = this.world.now;
		if (since) this.since = this.activated + since.first;
	}

	async live(): Promise<void> {
		const { duringActivation, steps } = this.history;
		await this.take({ kind: 'poll', meanwhile: duringActivation });
		for (const step of steps) await this.take(step);
		await this.take({ kind: 'correct' });
		this.world.jump(this.world.now - this.world.local / 1000);
		for (let polls = 0; polls < quietPolls; polls++) await this.take(quiet);
		this.expectAllReported();
		this.expectSmallState();
	}

	private async take(step: Step) {
		const { since } = this.history;
		if (step.kind === 'restart') this.stored = JSON.parse(this.saved) as IDataObject;
		else if (step.kind === 'clock') this.world.jump(step.seconds);
		else if (step.kind === 'correct') this.since = since && this.activated + since.corrected;
		else if (step.kind === 'damage') this.damage(step.damage);
		else if (step.kind === 'poll') await this.poll(step);
		else this.happen(step);
	}

	/** It is unknown what was reported; from the next poll on, everything counts again. */
	private damage(damage: Damage) {
		this.stored = damaged(this.stored, damage);
		this.save();
		this.isLearning = true;
		this.earliest = -Infinity;
		this.forget();
	}

	/** From now on, everything may be reported once more. */
	private forget() {
		for (const set of [this.old, this.reported]) {
			for (const change of set) this.optional.add(change);
			set.clear();
		}
	}

	/** An earlier beginning starts over: everything since then has to be reported, even if it was before. */
	private heed(since: number, began: number) {
		const isCorrected = this.lastSince !== undefined && since !== this.lastSince;
		this.lastSince = since;

		if (isCorrected && since < this.earliest) this.reported.clear();
		// What counts as the beginning is not known exactly: after a damage, and if it was not over yet.
		else if (isCorrected && since <= Math.max(this.earliest, this.activated)) this.forget();

		// A beginning that is not over yet is taken for the present.
		this.earliest = Math.min(this.earliest, since, began);
	}

	private async poll({ meanwhile, refused }: Poll) {
		const { world, since, isLearning } = this;
		const began = this.world.now;
		const before = JSON.stringify(this.stored);
		const existing = this.changes();
		const beforeAnswer = this.playing(meanwhile, refused);
		const mayFail = refused !== undefined || this.isSinceAhead() || this.isAllUndated();
		let items: IDataObject[];
		try {
			items = await world.poll(this.event, this.stored, beforeAnswer, since);
		} catch (error) {
			expect({ mayFail: mayFail || this.isAllUndated(), error }).toMatchObject({ mayFail: true });
			expect(JSON.stringify(this.stored)).toBe(before);
			return;
		}
		if (since !== undefined) this.heed(since, began);
		if (isLearning) this.learn(existing, items);
		this.judge(items);
		// n8n saves what a poll remembers together with the execution that it starts, and at the activation.
		if (isLearning || items.length > 0) this.save();
	}

	/** Records before the first poll are old; records during it may count as old, too. */
	private learn(existing: string[], items: IDataObject[]) {
		this.isLearning = false;
		const isFirst = this.earliest !== -Infinity;
		if (isFirst && this.since !== undefined) return;
		if (isFirst) expect(items).toEqual([]);
		for (const change of existing) (isFirst ? this.old : this.optional).add(change);
		for (const change of this.changes()) if (!this.old.has(change)) this.optional.add(change);
	}

	private isSinceAhead(): boolean {
		const { since = 0, world } = this;
		return since > Math.min(world.now + minute, world.local / 1000 + day);
	}

	private isAllUndated(): boolean {
		const { records } = this.world;
		return records.length > 0 && records.every(({ isUndated }) => isUndated);
	}

	/** Applies events before each response; returns its status. */
	private playing(meanwhile: Happening[][], refused?: number): () => number {
		let request = 0;
		return () => {
			for (const each of meanwhile[request] ?? []) this.happen(each);
			return request++ === refused ? 403 : 200;
		};
	}

	private judge(items: IDataObject[]) {
		const moments = items.map(({ id, created_at, updated_at }) => {
			const record = { id: String(id), created: seconds(created_at), updated: seconds(updated_at) };
			const moment = momentOf[this.event](record)!;
			const change = `${moment} ${record.id}`;
			const isOld = this.old.has(change);
			const isEarly = this.since !== undefined && moment < this.earliest;
			expect([change, isOld, isEarly, this.reported.has(change)]).toEqual([
				change,
				false,
				false,
				false,
			]);
			this.reported.add(change);
			return moment;
		});
		expect(moments).toEqual([...moments].sort((one, other) => one - other));
	}

	private expectAllReported() {
		const done = [this.old, this.optional, this.reported];
		const { since = -Infinity } = this;
		const missing = this.changes().filter((change) => {
			const moment = Number(change.split(' ')[0]);
			return moment >= since && !done.some((set) => set.has(change));
		});
		expect(missing).toEqual([]);
	}

	/** After a quiet time only the records at the watermark are saved. */
	private expectSmallState() {
		if (this.isAllUndated()) return;
		const { watermark, newest, reported } = savedIn<ListState>(this.stored);
		const times = Object.keys(reported).filter((time) => time !== String(watermark));
		expect({ times, newest }).toEqual({ times: [], newest: watermark });
	}

	private changes(): string[] {
		return this.world.records.flatMap((record) => {
			const moment = record.isUndated ? undefined : momentOf[this.event](record);
			return moment === undefined ? [] : [`${moment} ${record.id}`];
		});
	}

	private save() {
		this.saved = JSON.stringify(this.stored);
	}

	private happen(happening: Happening) {
		const { world } = this;
		// A page of conversations has ten times as many records.
		const scale = this.event === 'conversationStarted' ? 10 : 1;
		if (happening.kind === 'create') world.create(happening.count * scale);
		if (happening.kind === 'edit') world.edit(happening.position * scale);
		if (happening.kind === 'remove') world.remove(happening.position * scale);
		if (happening.kind === 'pass') world.pass(happening.seconds);
	}
}

/** The only state that a trigger has saved. */
export function savedIn<State>(stored: IDataObject): State {
	const all = Object.values(stored.state as Record<string, string>);
	// What a damage has added under another name stays.
	const states = all.filter((text) => text.startsWith('{"version":'));
	expect(states).toHaveLength(1);
	return (JSON.parse(states[0]) as { state: State }).state;
}

/** The static data of n8n after a change. */
function damaged(stored: IDataObject, damage: Damage): IDataObject {
	const state = stored.state as IDataObject | undefined;
	if (damage.kind === 'replaced') {
		const [key = 'nothing'] = Object.keys(state ?? {});
		return { state: { ...state, [key]: damage.by as IDataObject } };
	}
	if (damage.kind === 'truncated') {
		return { state: JSON.stringify(state ?? null).slice(0, damage.length) };
	}
	let position = 0;
	return JSON.parse(
		JSON.stringify(stored, (name, value: unknown) => {
			if (name === '' || position++ !== damage.position) return value;
			return damage.kind === 'value' ? damage.by : undefined;
		}),
	) as IDataObject;
}

function seconds(stamp: unknown): number {
	const isDate = typeof stamp === 'string' && stamp.includes('-');
	const moment = isDate ? Date.parse(stamp) : Number(stamp);
	return moment > 1e11 ? moment / 1000 : moment;
}
