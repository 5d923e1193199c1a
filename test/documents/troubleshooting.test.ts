/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { causes } from './causes';
import { gapsIn, troubleshootingRows, withTroubleshooting } from './troubleshooting';

const document = readFileSync(join(__dirname, '../../docs/troubleshooting.md'), 'utf8');
const rows = troubleshootingRows();

it('shows the texts of the node', () => {
	expect(document).toBe(withTroubleshooting(document));
});

it('has every title that the node makes, each with its cause in causes.ts', () => {
	expect(gapsIn(causes)).toEqual({ missing: [], unused: [] });
});

it('finds a title without a cause, and a cause without a title', () => {
	const others = Object.entries(causes).filter(([title]) => title !== 'External ID is empty');
	const gaps = gapsIn(Object.fromEntries([...others, ['A title of yesterday', {}]]));
	expect(gaps).toEqual({ missing: ['External ID is empty'], unused: ['A title of yesterday'] });
});

it('shows whole titles only if the code can make them', () => {
	const wrong = Object.entries(causes).flatMap(([title, { titles = [] }]) => {
		const start = title.split('…')[0];
		const end = title.split('…').at(-1)!;
		return titles.filter((one) => !one.startsWith(start) || !one.endsWith(end));
	});
	expect(wrong).toEqual([]);
});

it('says of every title when it is met and what to do', () => {
	expect(rows.length).toBeGreaterThan(150);
	const empty = rows.filter(({ when, whatToDo }) => !when || !/\p{L}.*[.]$/u.test(whatToDo));
	expect(empty).toEqual([]);
});

it('ends no advice where nothing can be done', () => {
	const deadEnds = rows.filter(({ whatToDo }) => /No operation .* does the same\.$/.test(whatToDo));
	expect(deadEnds.map(({ title }) => title)).toEqual([]);
});

it('says no sentence twice in one row, and nothing that is meant for agents', () => {
	const sentencesOf = (text: string) => text.split(/(?<=\.) /);
	const wrong = rows.filter(({ whatToDo }) => {
		const sentences = sentencesOf(whatToDo);
		return new Set(sentences).size < sentences.length || whatToDo.includes('Ask the user');
	});
	expect(wrong.map(({ title }) => title)).toEqual([]);
});
