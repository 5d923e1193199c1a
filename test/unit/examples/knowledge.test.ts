/** The sources that the example "Knowledge from your documents" makes of a document. */
import type { IDataObject } from 'n8n-workflow';

import { parametersOf, runCode } from './exampleNode';

interface Source {
	name?: string;
	content: string;
}

async function sourcesFor(document: IDataObject): Promise<Source[]> {
	const { jsCode } = parametersOf('knowledge-from-your-documents', 'Name and cut');
	const returned = await runCode(jsCode, { input: [document] });
	return (returned as Array<{ json: Source }>).map(({ json }) => json);
}

it('makes two sources of a long document, with the whole text', async () => {
	const text = `${'🦊'.repeat(500_000)}The end.`;
	const sources = await sourcesFor({ title: 'Handbook', text });
	expect(sources.map(({ name }) => name)).toEqual(['Docs: Handbook', 'Docs: Handbook (part 2)']);
	expect(sources.map(({ content }) => content).join('') === text).toBe(true);
});

it.each(['', null])('keeps a document with the text %j, which fails later', async (text) => {
	expect(await sourcesFor({ title: 'A', text })).toEqual([{ name: 'Docs: A', content: '' }]);
});

it.each(['', null])('gives a document with the title %j no name', async (title) => {
	const [source] = await sourcesFor({ title, text: 'B' });
	expect(source!.name ?? '').toBe('');
});
