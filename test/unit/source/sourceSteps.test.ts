import * as fc from 'fast-check';

import {
	type Source,
	sourceKeyOf,
	type WantedSource,
} from '../../../nodes/Chatbase/resources/source/plan/source';
import {
	matchSources,
	type SourceInput,
	sourceStepFor,
	sourceWishesOf,
	type UpsertSettings,
} from '../../../nodes/Chatbase/resources/source/plan/sourceSteps';
import { propertyRuns } from '../../propertyRuns';

const settings: UpsertSettings = { chatbotId: 'bot', dryRun: false, alwaysSend: false, wait: 0 };

const wantedText = (name: string, content = 'one'): WantedSource => ({
	type: 'text',
	name,
	key: sourceKeyOf({ type: 'text', name }),
	body: { name, content },
	fingerprint: content,
});
const input = (
	index: number,
	wanted: WantedSource,
	more: Partial<UpsertSettings> = {},
): SourceInput => ({
	index,
	wanted,
	settings: { ...settings, ...more },
});

describe('wishes', () => {
	it('are one for items that want the same', () => {
		const same = [input(0, wantedText('A')), input(2, wantedText('A'))];
		const { wishes, refused } = sourceWishesOf([...same, input(3, wantedText('B'))]);
		expect(wishes.map(({ items }) => items)).toEqual([[0, 2], [3]]);
		expect(refused).toEqual([]);
	});

	it.each([
		['content', input(1, wantedText('A', 'two')), ['content']],
		['options', input(1, wantedText('A'), { wait: 1000 }), ['options']],
		['both', input(1, wantedText('A', 'two'), { alwaysSend: true }), ['options', 'content']],
	])('contradict each other when the items differ in %s', (_, other, names) => {
		const { wishes, refused } = sourceWishesOf([input(0, wantedText('A')), other]);
		expect(wishes).toEqual([]);
		expect(refused).toMatchObject([{ items: [0, 1] }]);
		expect(refused[0]?.nextStep).toContain(`different values for ${names.join(', ')}.`);
	});

	it('keep a text and a question of one name apart', () => {
		const question = { ...wantedText('A'), type: 'qna', key: 'qna A' } as const;
		const { wishes } = sourceWishesOf([input(0, wantedText('A')), input(1, question)]);
		expect(wishes).toHaveLength(2);
	});
});

describe('matching', () => {
	const { wishes } = sourceWishesOf([input(0, wantedText('A')), input(1, wantedText('B'))]);
	const listed = (id: string, name: string, type = 'text'): Source => ({ id, name, type });

	it('finds the source by type and name, without outer spaces and in each Unicode form', () => {
		const accented = sourceWishesOf([input(0, wantedText('Caf\u00e9'))]).wishes;
		const sources = [listed('1', ' Cafe\u0301 '), listed('2', 'Caf\u00e9', 'file')];
		const { matches, refused } = matchSources(accented, sources);
		expect(matches.map(({ existing }) => existing?.id)).toEqual(['1']);
		expect(refused).toEqual([]);
	});

	it('never takes one of several sources', () => {
		const sources = [listed('1', 'A'), listed('2', 'A '), listed('3', 'a')];
		const { matches, refused } = matchSources(wishes, sources);
		expect(matches).toEqual([{ wish: wishes[1], existing: undefined }]);
		expect(refused).toMatchObject([{ items: wishes[0]!.items }]);
		expect(refused[0]?.nextStep).toContain('1 and 2.');
	});
});

describe('the step', () => {
	const [wish] = sourceWishesOf([input(0, wantedText('A'))]).wishes;
	const [always] = sourceWishesOf([input(0, wantedText('A'), { alwaysSend: true })]).wishes;
	const existing: Source = { id: '1', type: 'text', name: 'A', status: 'trained' };
	const failed = { ...existing, status: 'failed' };

	it.each<[string, Parameters<typeof sourceStepFor>[0], boolean, string]>([
		['a new source', { wish: wish! }, false, 'create'],
		['the same content', { wish: wish!, existing }, true, 'unchanged'],
		['the same content with Always Send', { wish: always!, existing }, true, 'update'],
		['the same content whose training failed', { wish: wish!, existing: failed }, true, 'update'],
		['another content, or none that is remembered', { wish: wish!, existing }, false, 'update'],
	])('for %s', (_, match, isTaught, kind) => {
		expect(sourceStepFor(match, new Set(isTaught ? ['1'] : [])).kind).toBe(kind);
	});
});

it('answers each item once: by a match, as a contradiction, or as ambiguous', () => {
	const name = fc.constantFrom('A', 'B', 'C');
	const content = fc.constantFrom('one', 'one', 'two');
	fc.assert(
		fc.property(
			fc.array(fc.tuple(name, content), { maxLength: 8 }),
			fc.array(name, { maxLength: 5 }),
			(rows, names) => {
				const inputs = rows.map(([own, text], index) => input(index, wantedText(own, text)));
				const sources = names.map((own, index) => ({ id: String(index), type: 'text', name: own }));
				const { wishes, refused: contradicting } = sourceWishesOf(inputs);
				const { matches, refused: ambiguous } = matchSources(wishes, sources);
				const items = [
					...matches.flatMap(({ wish }) => wish.items),
					...[...ambiguous, ...contradicting].flatMap((each) => each.items),
				];
				expect(items.sort((one, other) => one - other)).toEqual(rows.map((_, index) => index));
				const written = matches.flatMap(({ existing }) => existing?.id ?? []);
				expect(new Set(written).size).toBe(written.length);
			},
		),
		propertyRuns(200),
	);
});
