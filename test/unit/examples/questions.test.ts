/** What the example "Questions without a good answer" stores of questions, and what it teaches. */
import type { IDataObject } from 'n8n-workflow';

import { evaluate, parametersOf, runCode } from './exampleNode';

const file = 'questions-without-a-good-answer';

interface Row {
	key: string;
	question: string;
	conversation: string;
	reason: string;
}

interface Conversation {
	id: string;
	texts: string[];
	/** What each answer has. */
	rating?: object;
}

async function rowsFor(conversations: Conversation[]): Promise<Row[]> {
	const { jsCode } = parametersOf(file, 'List weak questions');
	const input = conversations.map(({ id, texts, rating = { metadata: { score: 0 } } }) => ({
		id,
		messages: texts.flatMap((text) => [
			{ role: 'user', parts: [{ type: 'text', text }] },
			{ role: 'assistant', parts: [], ...rating },
		]),
	})) as unknown as IDataObject[];
	const returned = await runCode(jsCode, { nodes: { 'Get conversation': input } });
	return (returned as Array<{ json: Row }>).map(({ json }) => json);
}

it.each<[rating: object, reasons: string[]]>([
	[{ feedback: 'negative', metadata: { score: 0.9 } }, ['negative feedback']],
	[{ feedback: null, metadata: { score: 0.49 } }, ['low score']],
	[{ feedback: 'negative', metadata: { score: 0.2 } }, ['negative feedback, low score']],
	[{ feedback: 'positive', metadata: { score: 0.5 } }, []],
	[{ metadata: { score: null } }, []],
	[{}, []],
])('an answer with %j is a weak one for the reasons %j', async (rating, reasons) => {
	const rows = await rowsFor([{ id: 'c1', texts: ['Why?'], rating }]);
	expect(rows.map(({ reason }) => reason)).toEqual(reasons);
});

it('a question of any length has at most 500 characters', async () => {
	const [row] = await rowsFor([{ id: 'c1', texts: [`a${'🦊'.repeat(100_000)}`] }]);
	expect(row!.question.length).toBeLessThanOrEqual(500);
	// It throws for half a character.
	expect(encodeURIComponent(row!.question)).not.toBe('');
	expect(row!.key.length).toBeLessThanOrEqual(500);
});

it('a question of 500 characters stays whole', async () => {
	const text = 'Do you ship? '.repeat(38).trim().padEnd(500, '?');
	const [row] = await rowsFor([{ id: 'c1', texts: [text] }]);
	expect(row!.question).toBe(text);
});

it('a question that was asked several times is one row, with its first conversation', async () => {
	const rows = await rowsFor(['c1', 'c2'].map((id) => ({ id, texts: ['Why?', 'why? '] })));
	expect(rows).toEqual([
		{ key: 'why?', question: 'Why?', conversation: 'c1', reason: 'low score' },
	]);
});

it('a conversation that was deleted has no questions', async () => {
	const { jsCode } = parametersOf(file, 'List weak questions');
	const missing = [{ found: false, id: 'c1' }];
	expect(await runCode(jsCode, { nodes: { 'Get conversation': missing } })).toEqual([]);
});

it('a run has at most 200 questions', async () => {
	const texts = Array.from({ length: 1000 }, (_, index) => `Question ${index}`);
	expect(await rowsFor([{ id: 'c1', texts }])).toHaveLength(200);
});

it('the name of a source has no words of a visitor', () => {
	const { columns } = parametersOf(file, 'Add rows') as unknown as {
		columns: { value: { source: string } };
	};
	const json = { question: 'I am Ada, ada@example.com', hash: '0123456789abcdef' };
	expect(evaluate(columns.value.source, { json })).toBe('Question 01234567');
});
