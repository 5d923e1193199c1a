/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
/** docs/contributors/switches.md and the code have the same switches, and each has a source. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { defaultBehaviour, defaultBehaviourV2 } from '../../../service';

const [, ...sections] = readFileSync(
	join(__dirname, '../../../docs/contributors/switches.md'),
	'utf8',
).split(/^## /m);

/** The rows of a table, each as the text of its cells. */
const rowsOf = (section = '') =>
	section
		.split('\n')
		.filter((line) => line.startsWith('| `'))
		.map((line) => line.slice(3, -2).replace('`', '').split(' | '));

const withoutSource = rowsOf(sections[2]).map(([name]) => name);

/** The words for sources, as the document explains them. */
const source =
	/contract|reference|guides|clients|specification|pages|observed|Chatbase's client|older text|fault|promise/;

describe.each([
	['1', defaultBehaviour, rowsOf(sections[0])],
	['2', defaultBehaviourV2, rowsOf(sections[1])],
])('the table of version %s', (_version, behaviour, rows) => {
	it('has each switch once', () => {
		const names = [...rows.map(([name]) => name), ...withoutSource];
		const expected = Object.keys(behaviour);
		expect(names.filter((name) => expected.includes(name)).sort()).toEqual([...expected].sort());
		expect(rows.map(([name]) => name).filter((name) => !expected.includes(name))).toEqual([]);
	});

	it.each(rows)('%s has a source, and says what the node does', (_name, found, node) => {
		expect(found).toMatch(source);
		expect(node).toMatch(/\w/);
	});
});

it('names no switch that is gone', () => {
	const known = [...Object.keys(defaultBehaviour), ...Object.keys(defaultBehaviourV2)];
	expect(withoutSource.filter((name) => !known.includes(name))).toEqual([]);
});
