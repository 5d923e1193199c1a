/** The memory alone, where histories do not reach: more changes than one poll may report. */
import fc from 'fast-check';

import type { Memory, Sighting } from '../../../nodes/ChatbaseTrigger/memory';
import { observe, readMemory, startMemory } from '../../../nodes/ChatbaseTrigger/memory';

interface Part {
	next: number;
}

const change = fc.record({ key: fc.nat(30).map(String), moment: fc.integer({ min: 1, max: 12 }) });

it('reports everything once, however little one poll may report or read', () => {
	fc.assert(
		fc.property(
			fc.uniqueArray(change, { maxLength: 30, selector: ({ key }) => key }),
			fc.integer({ min: 1, max: 5 }),
			fc.integer({ min: 1, max: 10 }),
			(changes, most, partSize) => {
				const list = changes.map((each): Sighting<string> => ({ ...each, item: each.key }));
				const reported: string[] = [];
				let memory: Memory<Part> = startMemory('all', 0);
				for (let polls = 0; polls < 100; polls++) {
					const start = memory.round?.progress.next ?? 0;
					const next = start + partSize;
					const seen = list.slice(start, next);
					const result = observe(
						memory,
						{
							sightings: seen.filter(({ moment }) => moment >= memory.settled),
							newest: Math.max(-Infinity, ...seen.map(({ moment }) => moment)),
							progress: next < list.length ? { next } : undefined,
							isComplete: true,
						},
						most,
					);
					expect(result.changes.length).toBeLessThanOrEqual(most);
					reported.push(...result.changes);
					memory = JSON.parse(JSON.stringify(result.memory)) as Memory<Part>;
				}
				expect([...reported].sort()).toEqual(list.map(({ key }) => key).sort());
				const newest = Math.max(0, ...list.map(({ moment }) => moment));
				const atMark = list.filter(({ moment }) => moment === newest);
				expect(memory.settled).toBe(newest);
				expect(Object.values(memory.recent).flat().length).toBe(atMark.length);
			},
		),
		{ numRuns: 400 },
	);
});

it('reports a record that comes twice in a read once, as it was last', () => {
	const memory: Memory<Part> = startMemory('all', 0);
	const sightings = [
		{ key: 'a', moment: 5, item: 'newer' },
		{ key: 'a', moment: 3, item: 'older' },
	];
	const { changes } = observe(memory, { sightings, newest: 5, isComplete: true }, 10);
	expect(changes).toEqual(['newer']);
});

it('leaves the memory that it is given as it is', () => {
	const memory: Memory<Part> = { ...startMemory('all', 0), recent: { '5': ['a'] } };
	const before = JSON.stringify(memory);
	const sightings = [{ key: 'b', moment: 5, item: 'b' }];
	const result = observe(memory, { sightings, newest: 5, isComplete: true }, 10);
	expect(result.memory.recent).toEqual({ '5': ['a', 'b'] });
	expect(JSON.stringify(memory)).toBe(before);
});

it('survives n8n storing it as JSON, also in the middle of a round', () => {
	const reading = { sightings: [], newest: -Infinity, progress: { next: 2 }, isComplete: false };
	const { memory } = observe(startMemory<Part>('all', 7), reading, 10);
	const stored = JSON.parse(JSON.stringify(memory)) as unknown;
	expect(readMemory('' as unknown, 'all')).toBeUndefined();
	expect(readMemory(stored, 'all')).toEqual(memory);
	expect(readMemory(stored, 'other')).toBeUndefined();
});
