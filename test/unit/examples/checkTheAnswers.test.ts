/** How the example "Check the answers" judges an answer. */
import type { IDataObject } from 'n8n-workflow';

import { parametersOf, runCode } from './exampleNode';

const { jsCode } = parametersOf('check-the-answers', 'Judge answer');

async function judge(text: string, words: { must?: string; mustNot?: string }): Promise<string> {
	return await judgeItem({ text }, words);
}

async function judgeItem(json: IDataObject, { must = '', mustNot = '' } = {}): Promise<string> {
	const question = { id: 1, question: 'Why?', must, mustNot, result: 'right' };
	const returned = await runCode(jsCode, { json, nodes: { 'Get questions': [question] } });
	const { result, reason } = (returned as { json: Record<string, string> }).json;
	return result === 'right' ? 'right' : reason!;
}

it.each([
	['9 EUR', 'It costs 19 EUR.'],
	['9 EUR', 'It costs 1.9 EUR.'],
	['9 EUR', 'It costs 1,009 EUR.'],
	['EUR 19', 'It costs EUR 199.'],
	['EUR 19', 'It costs EUR 19.50.'],
	['EUR 19', 'It costs EUR 19,000.'],
	['19', 'We open at 19:30.'],
	['30 days', 'Within 130 days.'],
	['9', '٩٩9'],
])('"%s" is not in "%s"', async (word, answer) => {
	expect(await judge(answer, { must: word })).toBe(`It lacks: ${word.toLowerCase()}.`);
	expect(await judge(answer, { mustNot: word })).toBe('right');
});

it.each([
	['9 EUR', 'It costs 19 EUR, and a small one 9 EUR.'],
	['9 EUR', 'It costs 9\u00a0EUR.'],
	['9 eur', 'It costs\n9 EUR'],
	['19', 'It costs 19.'],
	['19', '(19)'],
	['19', 'It costs 19, not 20.'],
	['2 to 5', 'From 2 to 5.'],
	['€9', 'Only €9!'],
	['ship', 'Shipping is free.'],
	['退货', '您可以在30天内退货。'],
	['café', 'Cafe\u0301'],
	['.', 'A sentence.'],
])('"%s" is in "%s"', async (word, answer) => {
	expect(await judge(answer, { must: word })).toBe('right');
	expect(await judge(answer, { mustNot: word })).toMatch(/^It has: /);
});

it.each<[string, string, string]>([
	[' RETURNS ; 30  days', '14 days', 'right'],
	['20 euros; lamp', '', 'It lacks: 20 euros.'],
	['9 euros', 'norway', 'It lacks: 9 euros. It has: norway.'],
])('looks for all of "%s" and none of "%s": %s', async (must, mustNot, judgement) => {
	const answer = 'Returns within 30 days, free? A lamp to Norway for 19 euros?';
	expect(await judge(answer, { must, mustNot })).toBe(judgement);
});

it.each<[IDataObject, string]>([
	[{ text: ' ' }, 'There is no answer.'],
	[{ text: null }, 'There is no answer.'],
	[{ error: 'Bad request' }, 'The question failed: Bad request'],
	[{ error: { message: 'The answer was cut' } }, 'The question failed: The answer was cut'],
])('%j is wrong', async (json, reason) => {
	expect(await judgeItem(json)).toBe(reason);
});

it('judges 100,000 characters without words at once', async () => {
	const startedAt = performance.now();
	await judge('19 '.repeat(33_000), { must: '9; 9 9; 1' });
	expect(performance.now() - startedAt).toBeLessThan(1000);
});
