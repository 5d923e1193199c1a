import type { IDataObject } from 'n8n-workflow';

import type { Happening, History, Step } from './history';

/** A record as the service keeps it, in seconds since 1970 by its clock. */
export interface TestRecord {
	id: string;
	created: number;
	updated: number;
}

/** What a history is played on: a chatbot with records, and a trigger that watches it. */
export interface Stage {
	readonly records: TestRecord[];
	create(count: number): void;
	/** Positions beyond the end start anew from the first record. */
	edit(position: number): void;
	remove(position: number): void;
	pass(seconds: number): void;
	/**
	 * Polls once.
	 *
	 * @param stored what n8n keeps for the trigger; a poll writes into it
	 * @param budget milliseconds for a poll in which a request takes 100
	 * @param beforeAnswer called before each request is answered; returns the status
	 */
	poll(
		event: string,
		stored: IDataObject,
		budget: number,
		beforeAnswer: () => number,
	): Promise<IDataObject[]>;
}

/** Milliseconds that no poll needs, however much time passes in it. */
const plenty = 600_000;

const quiet: Step = { kind: 'poll', budget: plenty, meanwhile: [] };

/** When the event happened to a record, as far as it did. */
export const momentOf: Record<string, (record: TestRecord) => number | undefined> = {
	contactCreated: ({ created }) => created,
	contactUpdated: ({ created, updated }) => (updated > created ? updated : undefined),
	contactCreatedOrUpdated: ({ updated }) => updated,
	conversationStarted: ({ created }) => created,
	leadCreated: ({ created }) => created,
};

export const contactEvents = ['contactCreated', 'contactUpdated', 'contactCreatedOrUpdated'];

/** Lives through a history and holds every poll against it. */
export class Life {
	/** What n8n holds, and what of it would survive a restart. */
	private stored: IDataObject = {};

	private saved = '{}';

	/** Changes, each as moment and ID: those that must not be reported, that may be, and that were. */
	private readonly old = new Set<string>();

	private readonly optional = new Set<string>();

	private readonly reported = new Set<string>();

	constructor(
		private readonly event: string,
		private readonly history: History,
		private readonly stage: Stage,
	) {}

	async live(): Promise<void> {
		const { size, before, steps } = this.history;
		this.happen({ kind: 'create', count: size });
		for (const each of before) this.happen(each);
		await this.activate();
		for (const step of steps) await this.take(step);
		// A round that was begun is finished, and the next one sees everything.
		await this.take(quiet);
		await this.take(quiet);
		await this.take(quiet);
		this.expectAllReported();
		this.expectSmallMemory();
	}

	/** What is there before is old; what happens during the first poll may count as that as well. */
	private async activate() {
		for (const change of this.changes()) this.old.add(change);
		const { duringActivation } = this.history;
		const beforeAnswer = this.playing(duringActivation);
		expect(await this.stage.poll(this.event, this.stored, plenty, beforeAnswer)).toEqual([]);
		for (const change of this.changes()) if (!this.old.has(change)) this.optional.add(change);
		this.save();
	}

	private async take(step: Step) {
		if (step.kind === 'restart') this.stored = JSON.parse(this.saved) as IDataObject;
		else if (step.kind === 'poll') await this.poll(step);
		else this.happen(step);
	}

	private async poll({ budget, meanwhile, refused }: Extract<Step, { kind: 'poll' }>) {
		const before = JSON.stringify(this.stored);
		const items = await this.stage
			.poll(this.event, this.stored, budget, this.playing(meanwhile, refused))
			.catch(() => undefined);
		if (items) return this.judge(items);
		expect(refused).toBeDefined();
		expect(JSON.stringify(this.stored)).toBe(before);
	}

	/** Lets things happen before each request is answered; the answer is its status. */
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
			expect([change, this.old.has(change), this.reported.has(change)]).toEqual([
				change,
				false,
				false,
			]);
			this.reported.add(change);
			return moment;
		});
		expect(moments).toEqual([...moments].sort((one, other) => one - other));
		// n8n saves what a poll remembers together with the execution that it starts.
		if (items.length > 0) this.save();
	}

	private expectAllReported() {
		const done = [this.old, this.optional, this.reported];
		const missing = this.changes().filter((change) => !done.some((set) => set.has(change)));
		expect(missing).toEqual([]);
	}

	/** After a quiet time nothing but the records at the mark is remembered. */
	private expectSmallMemory() {
		const { settled, recent, round } = this.stored.memory as {
			settled: number;
			recent: Record<string, string[]>;
			round?: unknown;
		};
		expect(Object.keys(recent).filter((moment) => moment !== String(settled))).toEqual([]);
		expect(round).toBeUndefined();
	}

	private changes(): string[] {
		return this.stage.records.flatMap((record) => {
			const moment = momentOf[this.event](record);
			return moment === undefined ? [] : [`${moment} ${record.id}`];
		});
	}

	private save() {
		this.saved = JSON.stringify(this.stored);
	}

	private happen(happening: Happening) {
		const { stage } = this;
		// A page of conversations has ten times as many records.
		const scale = this.event === 'conversationStarted' ? 10 : 1;
		if (happening.kind === 'create') stage.create(happening.count * scale);
		if (happening.kind === 'edit') stage.edit(happening.position * scale);
		if (happening.kind === 'remove') stage.remove(happening.position * scale);
		if (happening.kind === 'pass') stage.pass(happening.seconds);
	}
}

function seconds(stamp: unknown): number {
	const moment = typeof stamp === 'string' ? Date.parse(stamp) : Number(stamp);
	return moment > 1e11 ? moment / 1000 : moment;
}
