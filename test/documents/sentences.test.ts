/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const project = resolve(__dirname, '../..');
const documents = ['.', 'docs', 'docs/contributors', 'examples'].flatMap((folder) =>
	readdirSync(join(project, folder))
		.filter((file) => file.endsWith('.md'))
		.map((file) => join(folder, file)),
);

/** The text of a document without code blocks. */
function textOf(document: string): string {
	return readFileSync(join(project, document), 'utf8').replace(/^```[^]*?^```$/gm, '');
}

/** A cell, sentence or list that ends with such a value was made by code that had none. */
const missingValue = /\[object Object\]|\bNaN\b|\bundefined(?= *[|.,;:)]| *$)/m;

/** Sentences of five words and more, and the bold words that begin list entries. Rows of tables may repeat each other. */
function sentencesOf(section: string): string[] {
	const prose = section.replace(/^\|.*$/gm, '').replace(/\n[ \t]*(?=\S)(?![-*|#]|\d+\.)/g, ' ');
	const sentences = prose
		.split(/\n|(?<=[.!?:])\s+/)
		.map((sentence) => sentence.replace(/^\s*(-|\d+\.)\s+/, '').trim())
		.filter((sentence) => sentence.split(' ').length >= 5);
	const leads = [...section.matchAll(/^- (\*\*[^*]+\*\*)/gm)].map(([, lead]) => lead);
	return [...sentences, ...leads];
}

it.each(documents)('%s has no value that is missing', (document) => {
	expect(missingValue.exec(textOf(document))?.[0]).toBeUndefined();
});

it.each(documents)('%s says nothing twice in one section', (document) => {
	const repeated = textOf(document)
		.split(/^#+ /m)
		.flatMap((section) => {
			const sentences = sentencesOf(section);
			return sentences.filter((sentence, index) => sentences.indexOf(sentence) !== index);
		});
	expect(repeated).toEqual([]);
});

it('finds a missing value and a repeated sentence', () => {
	expect(missingValue.test('| Status 400, undefined | x |')).toBe(true);
	expect(missingValue.test('| undefined or null | x |')).toBe(false);
	const twice = sentencesOf('- The node reads it once a run.\n- The node reads it once a run.\n');
	expect(new Set(twice).size).toBe(1);
	expect(twice).toHaveLength(2);
});
