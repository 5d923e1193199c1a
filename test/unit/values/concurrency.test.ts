import { RunState } from '../../../nodes/Chatbase/api/runState';
import fc from 'fast-check';
import { sleep } from 'n8n-workflow';

import { forEachLimited } from '../../../nodes/Chatbase/values/list';
import type { ApiResponse } from '../../../nodes/Chatbase/api/response';

describe('work', () => {
	it('keeps the maximum and the order when tasks fail', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 1, max: 6 }),
				fc.array(fc.boolean(), { maxLength: 30 }),
				async (maximum, outcomes) => {
					const run = new RunState(maximum);
					const begun: number[] = [];
					let running = 0;
					let most = 0;
					const work = async (fails: boolean, index: number) => {
						begun.push(index);
						most = Math.max(most, ++running);
						await Promise.resolve();
						running--;
						if (fails) throw new Error(String(index));
						return {} as ApiResponse;
					};
					const results = await Promise.allSettled(
						outcomes.map(
							async (fails, index) => await run.slots.use(async () => await work(fails, index)),
						),
					);
					expect(begun).toEqual(outcomes.map((_, index) => index));
					expect(most).toBe(Math.min(maximum, outcomes.length));
					expect(results.map(({ status }) => status === 'rejected')).toEqual(outcomes);
				},
			),
			{ numRuns: 50 },
		);
	});

	it('starts nothing after a failure, and ends when all started work has ended', async () => {
		const begun: number[] = [];
		const ended: number[] = [];
		const working = forEachLimited([0, 1, 2, 3, 4, 5], 2, async (entry) => {
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
