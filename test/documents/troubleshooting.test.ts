/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { type Cause, ownErrors } from '../../nodes/Chatbase/api/ownErrors';
import { troubleshootingRows, withTroubleshooting } from './troubleshooting';

const document = readFileSync(join(__dirname, '../../docs/troubleshooting.md'), 'utf8');
const rows = troubleshootingRows();
const ownTitles = Object.values(ownErrors).flatMap((errors) => Object.entries<Cause>(errors));

it('shows the texts of the node', () => {
	expect(document).toBe(withTroubleshooting(document));
});

it('has no title that the node no longer makes', () => {
	const nodes = join(__dirname, '../../nodes');
	const code = readdirSync(nodes, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts') && !file.endsWith('ownErrors.ts'))
		.map((file) => readFileSync(join(nodes, file), 'utf8'))
		.join('\n');
	const parts = ownTitles.flatMap(([title]) => title.split('…').map((part) => part.trim()));
	expect(parts.filter((part) => !code.includes(part))).toEqual([]);
});

it('shows whole titles only if the code can make them', () => {
	const wrong = ownTitles.flatMap(([title, { titles = [] }]) => {
		const start = title.split('…')[0];
		const end = title.split('…').at(-1)!;
		return titles.filter((one) => !one.startsWith(start) || !one.endsWith(end));
	});
	expect(wrong).toEqual([]);
});

it('says of every title when it is met and what to do', () => {
	expect(rows.length).toBeGreaterThan(150);
	const empty = rows.filter(
		({ when, whatToDo = 'In n8n.' }) => !when || !/\p{L}.*[.]$/u.test(whatToDo),
	);
	expect(empty).toEqual([]);
});

it('ends no advice where nothing can be done', () => {
	const deadEnds = rows.filter(({ whatToDo = '' }) =>
		/No operation .* does the same\.$/.test(whatToDo),
	);
	expect(deadEnds.map(({ title }) => title)).toEqual([]);
});

it('says no sentence twice in one row, and nothing that is meant for agents', () => {
	const sentencesOf = (text: string) => text.split(/(?<=\.) /);
	const wrong = rows.filter(({ when, whatToDo = when }) => {
		const sentences = sentencesOf(whatToDo);
		return new Set(sentences).size < sentences.length || whatToDo.includes('Ask the user');
	});
	expect(wrong.map(({ title }) => title)).toEqual([]);
});
