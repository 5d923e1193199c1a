import { RefusalStreak, writeEach } from '../../../nodes/Chatbase/sync/refusalStreak';

const full = 'The plan is full';

function streakOf(count: number): RefusalStreak<string> {
	const streak = new RefusalStreak<string>((words) => words);
	for (let index = 0; index < count; index++) streak.add(full);
	return streak;
}

it('asks for a trial after exactly 20 equal refusals in a row, and only once at a time', () => {
	expect(streakOf(19).beginTrial()).toBe(false);
	const streak = streakOf(20);
	expect([streak.beginTrial(), streak.beginTrial()]).toEqual([true, false]);
});

it('refuses the others only when the record of the trial is refused alike', () => {
	const accepted = streakOf(20);
	accepted.beginTrial();
	accepted.end();
	accepted.endTrial();
	expect(accepted.common).toBeUndefined();

	const refused = streakOf(20);
	refused.beginTrial();
	refused.add(full);
	refused.endTrial();
	expect(refused.common).toBe(full);
});

it('begins anew when the words differ or a record is accepted', () => {
	const other = streakOf(19);
	other.add('Another reason');
	expect(other.beginTrial()).toBe(false);

	const ended = streakOf(19);
	ended.end();
	ended.add(full);
	expect(ended.beginTrial()).toBe(false);
});

describe('writing each record', () => {
	const records = Array.from({ length: 100 }, (_, index) => index);

	/** @param unchangedFrom the first of the records that need no request */
	async function sentWhen(
		isRefused: (record: number) => boolean,
		unchangedFrom = Infinity,
	): Promise<number[]> {
		const streak = new RefusalStreak<string>((words) => words);
		const sent: number[] = [];
		const write = async (record: number) => {
			if (streak.common !== undefined || record >= unchangedFrom) return false;
			sent.push(record);
			if (isRefused(record)) streak.add(full);
			else streak.end();
			return true;
		};
		await writeEach(records, { maximum: 1, streak, write });
		return sent;
	}

	it('sends each once, in order, when none is refused', async () => {
		expect(await sentWhen(() => false)).toEqual(records);
	});

	it('tries the last one after 20 refusals, and sends no more when it is refused', async () => {
		expect(await sentWhen(() => true)).toEqual([...records.slice(0, 20), 99]);
	});

	it('tries the last one that needs a request', async () => {
		expect(await sentWhen(() => true, 90)).toEqual([...records.slice(0, 20), 89]);
	});

	it('goes on when the last one is accepted, which is not sent again', async () => {
		const sent = await sentWhen((record) => record < 40);
		expect(sent).toHaveLength(100);
		expect(sent[20]).toBe(99);
		expect(new Set(sent).size).toBe(100);
	});
});
