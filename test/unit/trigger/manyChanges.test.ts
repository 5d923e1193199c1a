/** The saved state: more changes than one poll may report. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { type ListState, listStates } from '../../../nodes/ChatbaseTrigger/listState';
import { searchStates } from '../../../nodes/ChatbaseTrigger/searchState';
import {
	day,
	loadState,
	type Pass,
	saveState,
	type SeenRecord,
	stateSince,
} from '../../../nodes/ChatbaseTrigger/state';
import { propertyRuns } from '../../propertyRuns';

const passOver = (records: SeenRecord[], { watermark }: ListState): Pass => ({
	records: records
		.filter(({ time }) => time >= watermark)
		.sort((one, other) => one.time - other.time),
	newest: Math.max(-Infinity, ...records.map(({ time }) => time)),
	outside: [],
	now: 0,
	isComplete: true,
	count: records.length,
	undated: new Set(),
});

const record = (key: string, time: number): SeenRecord => ({ key, time, item: { key } });

/** As n8n keeps it between two polls. */
const saved = (state: ListState) => {
	const stored: IDataObject = {};
	saveState(stored, 'event bot', state);
	const loaded = loadState(JSON.parse(JSON.stringify(stored)), 'event bot');
	expect(loaded).toEqual({ state, since: state.since });
	return loaded.state!;
};

const change = fc.record({ key: fc.nat(30).map(String), time: fc.integer({ min: 1, max: 12 }) });

it('reports every change once and in order when one poll may report only a few', () => {
	fc.assert(
		fc.property(
			fc.uniqueArray(change, { maxLength: 30, selector: ({ key }) => key }),
			fc.integer({ min: 1, max: 5 }),
			fc.integer({ min: 0, max: 12 }),
			(changes, max, since) => {
				const list = changes.map(({ key, time }) => record(key, time));
				const reported: SeenRecord[] = [];
				let state: ListState = stateSince(since);
				for (let polls = 0; polls < 40; polls++) {
					const result = listStates.afterLater(state, { pass: passOver(list, state), max });
					expect(result.changes.length).toBeLessThanOrEqual(max);
					reported.push(...result.changes);
					state = saved(result.state);
				}
				const expected = list.filter(({ time }) => time >= since).map(({ key }) => key);
				expect(reported.map(({ key }) => key).sort()).toEqual(expected.sort());
				const newest = Math.max(since, ...list.map(({ time }) => time));
				expect(state).toMatchObject({ watermark: newest, newest });
				const atWatermark = list.filter(({ time }) => time === newest).length;
				expect(Object.values(state.reported).flat()).toHaveLength(atWatermark);
			},
		),
		propertyRuns(60),
	);
});

it('reports the rest of those with equal times when the next poll comes', () => {
	const list = ['b', 'a', 'c'].map((key) => record(key, 5));
	const keysOf = ({ changes }: { changes: SeenRecord[] }) => changes.map(({ key }) => key);
	const poll = (state: ListState) =>
		listStates.afterLater(state, { pass: passOver(list, state), max: 2 });
	const first = poll(stateSince(0));
	expect(keysOf(first)).toEqual(['b', 'a']);
	const second = poll(first.state);
	expect(keysOf(second)).toEqual(['c']);
});

it('leaves the state that it is given as it is when a pass is applied', () => {
	const state: ListState = { ...stateSince(0), reported: { '5': ['a'] } };
	const before = JSON.stringify(state);
	const pass = passOver([record('a', 5), record('b', 5)], state);
	const result = listStates.afterLater(state, { pass, max: 10 });
	expect(result.state.reported).toEqual({ '5': ['a', 'b'] });
	expect(JSON.stringify(state)).toBe(before);
});

it('keeps the states of the last four choices when chatbot or event change', () => {
	const stored: IDataObject = {};
	for (const name of ['a', 'b', 'c', 'd', 'a', 'e']) saveState(stored, name, stateSince(1));
	expect(Object.keys(stored.state as object)).toEqual(['e', 'a', 'd', 'c']);
});

it('remembers the newest 10,000 of a search and reports no older one when there are more', () => {
	const since = 100 * day;
	const conversations = (from: number, count: number) =>
		Array.from({ length: count }, (_, index) =>
			record(`c${from + index}`, since + (from + index) * 1000),
		);
	const list = conversations(1, 10_300);
	const from = 70 * day;
	const known = searchStates.afterFirst({ pass: passOver(list, stateSince(from)), from, since });
	const rememberedIn = (state: ListState) => Object.values(state.reported).flat();
	expect(rememberedIn(known)).toHaveLength(10_000);

	const poll = (state: ListState, records: SeenRecord[]) => {
		const read = { ...state, watermark: searchStates.rangeOf(state).since };
		return searchStates.afterLater(state, { pass: passOver(records, read), max: Infinity });
	};
	expect(poll(known, list).changes).toEqual([]);
	// One that is forgotten is active again, and one that is remembered.
	const active = ['c5', 'c10300'].map((key) => record(key, since + 20_000_000));
	const later = poll(known, [...list.slice(5, -1), ...active]);
	expect(later.changes.map(({ key }) => key)).toEqual(['c5']);
	expect(rememberedIn(later.state)).toHaveLength(10_000);
	expect(JSON.stringify(later.state).length).toBeLessThan(500_000);
});

it('reads as far back as the changes that a search has left for the next poll', () => {
	const list = ['a', 'b', 'c'].map((key, index) => record(key, (index + 1) * day));
	const reported: string[] = [];
	let state = searchStates.startingAt(1);
	for (let polls = 0; polls < 3; polls++) {
		// A search shows the newest first, and is read down to this time.
		const { downTo } = searchStates.rangeOf(state);
		const records = list.filter(({ time }) => time >= downTo);
		const pass = { ...passOver(records, state), newest: 3 * day };
		const result = searchStates.afterLater(state, { pass, max: 1 });
		reported.push(...result.changes.map(({ key }) => key));
		({ state } = result);
	}
	expect(reported).toEqual(['a', 'b', 'c']);
});
