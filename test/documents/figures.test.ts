/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
/** README.md cites the very figures of bench/RESULTS.md, which `npm run bench` writes. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Where a figure of README.md stands in bench/RESULTS.md. */
interface Cited {
	/** The words around the figure in README.md. */
	sentence: RegExp;
	section: string;
	/** Cells by which the row is known. */
	row: readonly string[];
	column: string;
}

const project = resolve(__dirname, '../..');
const readme = readFileSync(join(project, 'README.md'), 'utf8');
const results = readFileSync(join(project, 'bench/RESULTS.md'), 'utf8');

const share = 'this node takes of it';

const figures: readonly Cited[] = [
	{
		sentence: /\*\*(\S+) requests, not 10,000\*\*/,
		section: 'Sync a CRM, automatic mapping',
		row: ['this node'],
		column: 'requests',
	},
	{
		sentence: /requests, not (\S+)\*\*/,
		section: 'Sync a CRM, automatic mapping',
		row: ['HTTP Request, a PATCH for each'],
		column: 'requests',
	},
	{
		sentence: /this node\s+needs (\S+) of its time\. \[Measured\]/,
		section: 'Aims',
		row: [
			'Nightly contact sync, 10,000 customers of which 1 % changed: time',
			'HTTP Request and Code',
		],
		column: 'measured',
	},
	{
		sentence: /^\| read 100,000 contacts \|.* \| (\S+) \|$/m,
		section: 'Read the whole contact list',
		row: ['HTTP Request and Split Out'],
		column: share,
	},
	{
		sentence: /^\| sync 10,000 contacts .* \| (\S+) \|$/m,
		section: 'Sync a CRM, automatic mapping',
		row: ['HTTP Request, a PATCH for each'],
		column: share,
	},
	{
		sentence: /^\| sync 10,000 contacts of which 1% differ, in (\S+) requests \|/m,
		section: 'Sync a CRM, automatic mapping',
		row: ['this node'],
		column: 'requests',
	},
	{
		sentence: /^\| 2,000 updates, five at a time \|.* \| (\S+) \|$/m,
		section: 'Update one contact for each item',
		row: ['axios, five at once'],
		column: share,
	},
];

const help =
	'README.md cites bench/RESULTS.md. After a benchmark, write the new figure into README.md.';

const cellsOf = (line: string) => line.split('|').map((cell) => cell.trim());

/** The figure in the first table of the section that has the row. */
function measured({ section, row, column }: Cited): string | undefined {
	const [, text = ''] = results.split(`## ${section}\n`);
	const lines = text.split('\n## ')[0]!.split('\n').map(cellsOf);
	const header = lines.find((cells) => cells.includes(column))!;
	const found = lines.find((cells) => row.every((cell) => cells.includes(cell)));
	return found?.[header.indexOf(column)];
}

it.each(figures)('README.md has the figure of bench/RESULTS.md: $row, $column', (cited) => {
	const figure = cited.sentence.exec(readme)?.[1];
	expect({ figure, help }).toEqual({ figure: measured(cited), help });
});

it('has no rounded figure, which nobody could look up', () => {
	expect({ rounded: readme.match(/about \d\S*|\d×/g), help }).toEqual({ rounded: null, help });
});
