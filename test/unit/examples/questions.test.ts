/** What the example "Questions without a good answer" stores of questions, and what it teaches. */
import type { IDataObject } from 'n8n-workflow';

import { evaluate, parametersOf, runCode } from './exampleNode';

const file = 'questions-without-a-good-answer';

interface Row {
	key: string;
	question: string;
	count: number;
	conversations: string;
}

async function rowsFor(conversations: Array<{ id: string; texts: string[] }>): Promise<Row[]> {
	const { jsCode } = parametersOf(file, 'List weak questions');
	const input = conversations.map(({ id, texts }) => ({
		id,
		messages: texts.flatMap((text) => [
			{ role: 'user', parts: [{ type: 'text', text }] },
			{ role: 'assistant', parts: [], metadata: { score: 0 } },
		]),
	})) as unknown as IDataObject[];
	const returned = await runCode(jsCode, { input, nodes: { 'Find escalated': [] } });
	return (returned as Array<{ json: Row }>).map(({ json }) => json);
}

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

it('a frequent question names 20 conversations, and counts the others', async () => {
	const ids = Array.from({ length: 3000 }, (_, index) => `c${index}`);
	const [row] = await rowsFor(ids.map((id) => ({ id, texts: ['Why?'] })));
	expect(row!.count).toBe(3000);
	expect(row!.conversations).toMatch(/^c0, c1, .*c19 and 2,980 more$/);
});

it('at most 200 questions a week, the most frequent ones first', async () => {
	const texts = Array.from({ length: 1000 }, (_, index) => `Question ${index}`);
	const rows = await rowsFor([{ id: 'c1', texts: [...texts, 'Question 999'] }]);
	expect(rows).toHaveLength(200);
	expect(rows[0]).toMatchObject({ question: 'Question 999', count: 2 });
});

it('the name of a source has no words of a visitor', () => {
	const { columns } = parametersOf(file, 'Add rows') as unknown as {
		columns: { value: { source: string } };
	};
	const json = { question: 'I am Ada, ada@example.com', hash: '0123456789abcdef' };
	expect(evaluate(columns.value.source, { json })).toBe('Question 01234567');
});
