/** What both mirrors do with records that are missing from the input, and what keeps these. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Fault } from '../../../service';
import { succeeded } from '../testbed';
import { goOn, mirrors, names, type Row, rows, useMirror } from './mirrors';

const refusal = { kind: 'status', status: 403 } as const;

describe.each(mirrors)('missing %s', (many, kind) => {
	const world = useMirror(kind);
	const { testbed } = world;
	const store = () => testbed.service.store;
	const hintsOf = ({ hints }: { hints: Array<{ message: string }> }) =>
		hints.map(({ message }) => message).join('\n');

	it('are deleted last, with their records in the output, and no others', async () => {
		await world.settle('a', 'b', 'gone');
		kind.add(store(), 'mine');
		const input = [...rows('a', 'new'), { ...rows('b')[0], value: 'new' }];
		const result = succeeded(await world.run(input));
		expect(world.outcomes(result)).toEqual([
			['a', 'unchanged'],
			['new', 'created'],
			['b', 'updated'],
			['gone', 'deleted'],
		]);
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
			[],
		]);
		expect(testbed.writes.at(-1)?.method).toBe('DELETE');
		expect(world.held()).toEqual(['a', 'b', 'mine', 'new']);
		expect(testbed.illegal).toEqual([]);
	});

	it('are only reported by default', async () => {
		await world.settle('a', 'b');
		// A parameter that was never touched has its default.
		const parameters = { ...kind.parameters };
		delete parameters.onMissing;
		const { processed } = world;
		const result = await testbed.run(parameters, { mode: 'trigger', processed, input: rows('a') });
		expect(world.outcomes(result)).toEqual([
			['a', 'unchanged'],
			['b', 'missing'],
		]);
		expect(testbed.writes).toEqual([]);
	});

	it('are shown by a Dry Run as the real run handles them, and nothing is written', async () => {
		await world.settle('a', 'b', 'gone');
		const input = [...rows('b', 'new'), { ...rows('a')[0], value: 'new' }];
		const dry = succeeded(await world.run(input, { dryRun: true }));
		expect(testbed.writes).toEqual([]);
		const done: IDataObject = {
			wouldCreate: 'created',
			wouldUpdate: 'updated',
			wouldDelete: 'deleted',
		};
		const foretold = world
			.outcomes(dry)
			.map(([id, action]) => [id, done[String(action)] ?? action]);
		expect(foretold).toEqual(world.outcomes(succeeded(await world.run(input))));
	});

	describe('are all kept, and nothing is written, by the safety limit', () => {
		const changed = (count: number) =>
			rows(...names(count)).map((row) => ({ ...row, value: 'new' }));
		const tooMany = `Too many ${many} are missing from the input`;

		beforeEach(async () => await world.settle(...names(30)));

		it.each<[INodeParameters, number, string | undefined]>([
			[{}, 20, undefined],
			[{}, 19, tooMany],
			[{ maxMissing: 11 }, 19, undefined],
			[{ maxMissing: '0%' }, 29, tooMany],
			[{ maxMissing: 500 }, 0, `All managed ${many} are missing from the input`],
		])('with %j and %d of 30 in the input', async (options, count, title) => {
			const { error } = await world.run([...changed(count), ...rows('x')], { options });
			expect(error?.message).toBe(title);
			expect(world.held()).toHaveLength(title ? 30 : count + 1);
			if (title) expect(testbed.writes).toEqual([]);
		});

		it('and the error names the limit, the first missing ones and the option', async () => {
			const { error } = await world.run(rows(...names(19)));
			expect(error?.description).toMatch(
				new RegExp(
					`^11 of 30 managed ${many} are missing \\(limit: 10%\\)\\. Missing are m-\\d+, .* and 6 more\\. Nothing was written\\. Check that the nodes before this one return your complete list\\. If that is right, set Max Missing \\w+ to 11 for one run\\.$`,
				),
			);
		});

		it('which a Dry Run only says, and Report Only as well', async () => {
			const dry = succeeded(await world.run(rows(...names(19)), { dryRun: true }));
			const wouldDelete = world.outcomes(dry).filter(([, action]) => action === 'wouldDelete');
			expect(wouldDelete).toHaveLength(11);
			expect(hintsOf(dry)).toContain(`would fail: 11 of 30 managed ${many} are missing`);
			const options = { output: 'summary' };
			const summary = succeeded(await world.run(rows(...names(19)), { dryRun: true, options }));
			expect(summary.items[0].json).toMatchObject({ deleted: 11, overLimit: true });

			const report = succeeded(await world.run(rows(...names(19)), { onMissing: 'report' }));
			expect(hintsOf(report)).toContain('A run with Delete would stop: 11 of 30 managed');
			expect(testbed.writes).toEqual([]);
		});
	});

	it.each([
		[2, 'The input has an unexpected length'],
		[3, undefined],
	])('are looked for only if the input has the expected length: %d', async (expected, title) => {
		await world.settle('a', 'b', 'c');
		const input = [...rows('a', 'b', 'b'), { ...rows('c')[0], value: kind.refusedValue }];
		const { items } = await world.run(input, { options: { expectedItems: expected } }, goOn);
		const refused = items.filter(({ json }) => json.error !== undefined);
		expect(refused).toHaveLength(title ? 4 : 1);
		expect(world.held()).toEqual(['a', 'b', 'c']);
		const errors = refused.map(({ json }) => String(json.error));
		if (title) expect(errors[0]).toContain(title);
		if (title) expect(errors[0].split('Nothing was written')).toHaveLength(2);
		expect(testbed.sent.length > 0).toBe(!title);
	});

	it('are not looked for in a list that is not complete', async () => {
		await world.settle('a', 'b');
		kind.shorten(testbed);
		const { error } = await world.run(rows('a'));
		expect(error?.message).toMatch(/could not be read completely$/);
		expect(testbed.writes).toEqual([]);
	});

	describe('are kept', () => {
		const [b] = rows('b');

		beforeEach(async () => await world.settle('a', 'b', 'gone'));

		it.each<[string, Row[], prepare: (() => void) | undefined]>([
			['an item is refused', [{ ...b, value: kind.refusedValue }], undefined],
			['items contradict each other', [b, { ...b, value: 'x' }], undefined],
			['two records could be meant', [b], () => kind.makeAmbiguous(store(), 'm-b')],
			[
				'an item is not written',
				[{ ...b, value: 'new' }],
				() =>
					testbed.service.faults.add({
						when: { matches: ({ method }) => ['PATCH', 'PUT'].includes(method) },
						fault: refusal,
					}),
			],
		])('when %s, and no other record is missing', async (_, failing, prepare) => {
			prepare?.();
			const runs = [{}, { dryRun: true }, { onMissing: 'report' }];
			for (const parameters of prepare ? [{}] : runs) {
				const result = await world.run([...rows('a'), ...failing], parameters, goOn);
				const missing = world.outcomes(result).slice(1 + failing.length);
				// A record that an item could mean isn't missing.
				expect(missing).toEqual([['gone', parameters.onMissing ? 'missing' : 'kept']]);
			}
			expect(world.deletions).toBe(0);
		});

		it.each<[string, string, () => void, string]>([
			['gone after the list was read', 'POST', () => kind.remove(store(), 'm-gone'), 'deleted'],
			['gone at their deletion', 'DELETE', () => kind.remove(store(), 'm-gone'), 'deleted'],
			['another record by then', 'POST', () => kind.replace(store(), 'm-gone'), 'kept'],
		])('or count as deleted when they are %s', async (_, when, happen, action) => {
			testbed.meanwhile(when, happen);
			const result = succeeded(await world.run(rows('a', 'b', 'new')));
			expect(world.outcomes(result).at(-1)?.[1]).toBe(action);
			expect(world.deletions).toBe(when === 'DELETE' ? 1 : 0);
		});
	});

	describe('whose deletion fails', () => {
		const options = { maxConcurrency: 1 };

		beforeEach(async () => await world.settle('a', 'b', 'c', 'd'));

		const failAt = (nth: number, fault: Fault = refusal) =>
			testbed.service.faults.add({ when: { method: 'DELETE', nth }, fault });
		const handledIn = (result: Parameters<typeof world.outcomes>[0]) =>
			world.outcomes(result).flatMap(([, action]) => (action === 'unchanged' ? [] : [action]));

		it.each(['all', 'changes'])('are in the output (%s) with those deleted', async (output) => {
			failAt(2);
			const result = succeeded(
				await world.run(rows('a', 'b'), { options: { ...options, output } }),
			);
			expect(handledIn(result).sort()).toEqual(['deleted', 'kept']);
			const kept = result.items.find(({ json }) => (json._sync as IDataObject).action === 'kept');
			expect(hintsOf(result)).toContain(`1 missing ${kind.one} could not be`);
			expect(hintsOf(result)).toContain(`: ${kind.idOf(kept!.json)}.`);
			expect(kept?.json._sync).toMatchObject({ error: expect.any(String) });
		});

		it('are counted in a summary', async () => {
			failAt(2);
			const summary = { ...options, output: 'summary' };
			const { items } = succeeded(await world.run(rows('a', 'b'), { options: summary }));
			const counts = { items: 2, unchanged: 2, deleted: 1, kept: 1, failed: 0 };
			expect(items.map(({ json }) => json)).toEqual([expect.objectContaining(counts)]);
		});

		it('fail the run if none was deleted, and are named', async () => {
			testbed.service.faults.add({ when: { method: 'DELETE' }, fault: refusal });
			const { error } = await world.run(rows('a', 'b'), { options });
			expect(error?.description).toMatch(
				new RegExp(`^Missing ${many} that could not be .*deleted: m-[cd]`),
			);
			expect(world.held()).toEqual(['a', 'b', 'c', 'd']);
		});

		it('have no `error` with which Retry On Fail would run Mirror again', async () => {
			failAt(1);
			const retried = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
			const nodeSettings = { ...goOn.nodeSettings, ...retried };
			const changes = { ...options, output: 'changes' };
			const result = await world.run(rows('a', 'b'), { options: changes }, { nodeSettings });
			expect(result.tries).toBe(1);
			expect(handledIn(result)).toEqual(['kept', 'deleted']);
		});

		it('are deleted by the next try of Retry On Fail if none was deleted', async () => {
			failAt(1, { kind: 'status', status: 401 });
			const nodeSettings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
			const result = await world.run(rows('a', 'b'), { options }, { nodeSettings });
			expect(succeeded(result).tries).toBe(2);
			expect(handledIn(result)).toEqual(['deleted', 'deleted']);
		});

		it.each<[string, Fault, string]>([
			[
				'a page, and it is gone',
				{ kind: 'status', status: 200, body: '<p>', handled: true },
				'deleted',
			],
			['a page, and it is there', { kind: 'status', status: 200, body: '<p>' }, 'kept'],
			['cut, and it is gone', { kind: 'cutJson' }, 'deleted'],
			['lost, and it is gone', { kind: 'resetAfter' }, 'deleted'],
		])('without a clear answer are looked up: %s', async (_, fault, action) => {
			failAt(1, fault);
			const result = succeeded(await world.run(rows('a', 'b'), { options }));
			expect(handledIn(result)).toEqual([action, 'deleted']);
			expect(world.held()).toHaveLength(action === 'kept' ? 3 : 2);
		});

		it.each<[string, Fault]>([
			['is refused', refusal],
			['has no clear answer, either', { kind: 'status', status: 200, body: '<p>' }],
			['is answered by a proxy', { kind: 'status', status: 404, body: '<p>' }],
		])('are called unknown if the look at them %s', async (_, fault) => {
			const path = kind.pathOf(store(), 'm-d');
			const lost = { kind: 'status', status: 200, body: '<p>', handled: true } as const;
			testbed.service.faults.add({ when: { method: 'DELETE', path }, fault: lost });
			testbed.service.faults.add({ when: { method: 'GET', path, nth: 2 }, fault });
			const result = succeeded(await world.run(rows('a', 'b'), { options }));
			expect(new Map(world.outcomes(result) as Array<[string, string]>)).toEqual(
				new Map([
					['a', 'unchanged'],
					['b', 'unchanged'],
					['c', 'deleted'],
					['d', 'unknown'],
				]),
			);
			expect(hintsOf(result)).toContain('m-d');
			const unclear = result.items.find(({ json }) => kind.idOf(json) === 'm-d');
			expect(JSON.stringify(unclear?.json._sync)).toContain('may have been deleted.');
		});
	});
});
