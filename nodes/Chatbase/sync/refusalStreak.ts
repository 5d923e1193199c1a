/** The service may refuse all records for the same reason, such as new contacts on a full plan. Then the rest is not sent. */
import { forEachLimited } from '../values/list';

/** After this many equal refusals in a row, the service may refuse all records. */
const maxAlike = 20;

/** Counts equal refusals of single records. */
export class RefusalStreak<Refusal> {
	private length = 0;

	private last?: Refusal;

	private state: 'open' | 'confirming' | 'confirmed' = 'open';

	private confirmedFrom = 0;

	constructor(private readonly wordsOf: (refusal: Refusal) => string) {}

	add(refusal: Refusal): void {
		const isAlike =
			this.last !== undefined && this.wordsOf(this.last) === this.wordsOf(refusal);
		this.length = isAlike ? this.length + 1 : 1;
		this.last = refusal;
	}

	end(): void {
		this.length = 0;
	}

	/** Whether the last of the remaining records must be tried now. `endTrial` is called after that. */
	beginTrial(): boolean {
		if (this.length < maxAlike || this.state !== 'open') return false;
		this.state = 'confirming';
		this.confirmedFrom = this.length;
		return true;
	}

	endTrial(): void {
		this.state = this.length > this.confirmedFrom ? 'confirmed' : 'open';
	}

	/** The refusal that all other records would get, because even the last record got it. Undefined if they must be tried. */
	get common(): Refusal | undefined {
		return this.state === 'confirmed' ? this.last : undefined;
	}
}

interface EachRecord<Entry> {
	/** How many entries can be written at the same time. */
	maximum: number;
	streak: Pick<RefusalStreak<never>, 'beginTrial' | 'endTrial'>;
	/**
	 * Writes an entry, after it has asked the streak. Returns whether the service has answered for the entry: false if nothing
	 * was sent.
	 */
	write(entry: Entry): Promise<boolean>;
}

/** Writes entries in order. After 20 equal refusals in a row, the last entry is tried before the others. */
export async function writeEach<Entry>(
	entries: readonly Entry[],
	{ maximum, streak, write }: EachRecord<Entry>,
): Promise<void> {
	const started = new Set<Entry>();
	const start = async (entry: Entry): Promise<boolean> => {
		if (started.has(entry)) return false;
		started.add(entry);
		return await write(entry);
	};

	// Each trial goes on where the one before it stopped.
	const fromTheEnd = [...entries].reverse().values();
	const tryLast = async () => {
		for (const entry of fromTheEnd) {
			const isJudged = await start(entry);
			if (isJudged) return;
		}
	};

	await forEachLimited(entries, maximum, async (entry) => {
		await start(entry);
		if (!streak.beginTrial()) return;
		await tryLast();
		streak.endTrial();
	});
}
