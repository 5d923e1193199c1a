/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Earlier words of this project that readers found cryptic, and the plain word for each. */
const plainWords: Record<string, string> = {
	blanks: 'spaces',
	'by itself': 'alone, or name who acts',
	'e-mail': 'email',
	'e-mails': 'emails',
	'for good': 'permanently',
	'for having left': 'missing',
	'given out': 'output, returned',
	'gives out': 'outputs, returns',
	guard: 'safety limit',
	guards: 'safety limits',
	'in vain': 'fails',
	'in words': 'as a text, or leave it out',
	leaver: 'missing contact',
	leavers: 'missing contacts',
	'look first': 'preview',
	nameless: 'without an External ID',
	'nobody can tell': 'it is unknown',
	'not all kept': 'fields dropped',
	'nothing is nothing': 'missing, null and empty text are equal',
	'of its own': 'a separate, or leave it out',
	'of their own': 'separate, or leave it out',
	'out of use': 'archived',
	'should it': 'if it',
	'stays as it is': 'is unchanged',
	'sync list': 'Mirror',
	'truth value': 'boolean',
	'upper and lower case alike': 'case-insensitive',
	vendor: 'Chatbase',
	'has a purpose': 'say the purpose',
	'inside a success': 'a response with a success status that reports a failure',
	'reaches only': 'say what cannot happen',
	'what a yes allows': 'what gets deleted',
	'what came': 'response, input',
	'what comes in': 'input',
	'what is asked': 'how approval works',
	whoever: 'everyone who',
};

/** The name of a column in exports of Google Contacts. */
const columnOfGoogle = 'E-mail 1 - Value';

const project = resolve(__dirname, '../..');
const ownFile = /\.(ts|mts|md|json)$/;

function filesIn(folder: string, recursive = true): string[] {
	return readdirSync(join(project, folder), { recursive, encoding: 'utf8' })
		.filter((file) => ownFile.test(file))
		.map((file) => join(folder, file));
}

const files = [
	...filesIn('.', false).filter((file) => file.endsWith('.md')),
	...['nodes', 'credentials', 'docs', 'examples', 'demo'].flatMap((folder) => filesIn(folder)),
];

it('finds none of the phrases that this project does not use', () => {
	const phrases = new RegExp(`(?<![\\w-])(${Object.keys(plainWords).join('|')})(?![\\w-])`, 'gi');
	const found = files.flatMap((file) =>
		readFileSync(join(project, file), 'utf8')
			.replaceAll(columnOfGoogle, '')
			.split('\n')
			.flatMap((line, index) =>
				[...line.matchAll(phrases)].map(
					([phrase]) => `${file}:${index + 1}: "${phrase}" → ${plainWords[phrase.toLowerCase()]}`,
				),
			),
	);
	expect(found).toEqual([]);
});

it('reads the files of each folder', () => {
	expect(files).toEqual(
		expect.arrayContaining([
			'README.md',
			'docs/contacts.md',
			'examples/mirror-a-crm.json',
			'nodes/Chatbase/Chatbase.node.ts',
			'credentials/ChatbaseV1Api.credentials.ts',
		]),
	);
});
