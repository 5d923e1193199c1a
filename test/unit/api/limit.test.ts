import fc from 'fast-check';
import { sleep } from 'n8n-workflow';

import { limitConcurrency, eachTogether } from '../../../nodes/Chatbase/api/limits';

describe('limitConcurrency', () => {
	it('keeps to the maximum, in the order they came, whatever fails', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 1, max: 6 }),
				fc.array(fc.constantFrom('fine', 'fails', 'unsettled'), { maxLength: 30 }),
				async (maximum, outcomes) => {
					const whenFree = limitConcurrency(maximum);
					const begun: number[] = [];
					let running = 0;
					let most = 0;
					const results = await Promise.allSettled(
						outcomes.map(
							async (outcome, index) =>
								await whenFree(
									async () => {
										begun.push(index);
										most = Math.max(most, ++running);
										await Promise.resolve();
										running--;
										if (outcome === 'fails') throw new Error(String(index));
										return index;
									},
									() => outcome !== 'unsettled',
								),
						),
					);
					expect(begun).toEqual(outcomes.map((_, index) => index));
					expect(most).toBe(Math.min(maximum, outcomes.length));
					expect(results.map(({ status }) => status)).toEqual(
						outcomes.map((outcome) => (outcome === 'fails' ? 'rejected' : 'fulfilled')),
					);
				},
			),
			{ numRuns: 50 },
		);
	});

	it('lets whoever waits for an unsettled result act before the next task begins', async () => {
		const whenFree = limitConcurrency(1);
		const events: string[] = [];
		const far = async (): Promise<void> => {
			await whenFree(
				async () => await sleep(0),
				() => false,
			);
			for (let step = 0; step < 50; step++) await Promise.resolve();
			events.push('judged');
		};
		await Promise.all([far(), whenFree(async () => void events.push('next'))]);
		expect(events).toEqual(['judged', 'next']);
	});
});

describe('eachTogether', () => {
	it('hands the results over in the order of the entries, as soon as those before are there', async () => {
		const events: string[] = [];
		const finish = new Map<number, () => void>();
		const work = async (entry: number) => {
			await new Promise<void>((resolve) => finish.set(entry, resolve));
			events.push(`${entry} ended`);
			return entry * 10;
		};
		const working = eachTogether([1, 2, 3, 4], 3, work, (result) => events.push(`took ${result}`));
		for (const entry of [2, 1, 4, 3]) {
			finish.get(entry)!();
			for (let step = 0; step < 5; step++) await Promise.resolve();
		}
		await working;
		expect(events).toEqual([
			...['2 ended', '1 ended', 'took 10', 'took 20'],
			...['4 ended', '3 ended', 'took 30', 'took 40'],
		]);
	});

	it('has nothing to do without entries', async () => {
		await expect(eachTogether([], 3, async () => await Promise.reject(new Error()))).resolves.toBe(
			undefined,
		);
	});

	it('begins nothing after a failure, and ends when all that was begun has ended', async () => {
		const begun: number[] = [];
		const ended: number[] = [];
		const working = eachTogether([0, 1, 2, 3, 4, 5], 2, async (entry) => {
			begun.push(entry);
			await sleep(entry === 1 ? 0 : 20);
			ended.push(entry);
			if (entry === 1) throw new Error('first');
		});
		await expect(working).rejects.toThrow('first');
		expect(begun).toEqual([0, 1]);
		expect(ended.sort()).toEqual([0, 1]);
	});
});
