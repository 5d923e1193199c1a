/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
/** The probe recognizes every position of every switch. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Answer } from '../../probe/answer';
import { questions, type QuestionName } from '../../probe/questions';
import { requestsOf, type ProbeResult } from '../../probe/run';
import { caseRuns } from '../propertyRuns';
import { defaultBehaviour, type Behaviour } from '../service';
import {
	chatbotId,
	emptyScene,
	everyPart,
	partsFor,
	probe,
	probeOf,
	questionsWith,
	rowOf,
	scene,
	scratchContacts,
} from './scene';
import { switches, type Position } from './switches';

const cases = Object.entries(switches).flatMap(([name, positions]) =>
	'reason' in positions
		? []
		: positions.map((position) => {
				const question = position.question ?? (name as QuestionName);
				const title = [name, position.value, position.behaviour, position.isEmpty && 'empty'];
				return { name, question, position, title: title.filter(Boolean).map(textOf).join(' ') };
			}),
);

function textOf(value: unknown): string {
	return typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
}

function behaviourOf(name: string, { value, behaviour }: Position): Partial<Behaviour> {
	return { ...behaviour, [name]: value };
}

it('has a question, or a reason, for each switch of the service', () => {
	expect(Object.keys(switches).sort()).toEqual(Object.keys(defaultBehaviour).sort());
});

it('has each position of each switch', () => {
	const source = readFileSync(join(__dirname, '../service/behaviour.ts'), 'utf8');
	const declared = [...source.matchAll(/^\t(\w+): (.+);$/gm)].flatMap(([, name, type]) => {
		const values = type === 'boolean' ? ['true', 'false'] : type.split(' | ');
		return values
			.filter((value) => /^('.*'|\d+|true|false)$/.test(value))
			.map((value) => `${name} ${value.replaceAll("'", '')}`);
	});
	const asked = Object.entries(switches).flatMap(([name, positions]) =>
		'reason' in positions ? [] : positions.map(({ value }) => `${name} ${String(value)}`),
	);
	const unreasoned = declared.filter(
		(line) => !('reason' in switches[line.split(' ')[0] as keyof Behaviour]),
	);
	expect(declared.length).toBeGreaterThan(80);
	expect(unreasoned.filter((line) => !asked.includes(line))).toEqual([]);
});

it.each(Object.entries(questions))(
	'%s has different words for different answers',
	(_name, { answers }) => {
		const words = Object.values(answers).map((answer: Answer) => answer.words);
		expect(new Set(words).size).toBe(words.length);
	},
);

type Case = (typeof cases)[number];

const isUsual = ({ name, position }: Case) =>
	!position.behaviour &&
	!position.isEmpty &&
	textOf(position.value) === textOf(defaultBehaviour[name as keyof Behaviour]);

function expectNamed(result: ProbeResult, { question, position }: Case) {
	const answers: Record<string, Answer> = questions[question].answers;
	const expected = answers[position.answer ?? String(position.value)];
	const { came, verdict } = rowOf(result, question);
	expect({ came: came.replace(/^\d+/, '#'), verdict }).toEqual({
		came: expected.words.replace(/^\d+/, '#'),
		verdict: expected.verdict,
	});
}

describe('a service as usual', () => {
	let result: ProbeResult;
	beforeAll(async () => (result = await probeOf({}, everyPart)));

	it.each(cases.filter(isUsual))('names $title', (one) => expectNamed(result, one));
});

const unusual = cases.filter((one) => !isUsual(one));

it.each(caseRuns(unusual, 5))('names $title', async (one) => {
	const { name, question, position } = one;
	const start = position.isEmpty ? emptyScene : scene;
	const service = await start({ behaviour: behaviourOf(name, position) });
	const before = [...service.store.chatbot(chatbotId).contacts].length;
	const parts = partsFor(question);
	const result = await probe(service, parts);
	await service.close();

	expectNamed(result, one);
	expect(questionsWith(result, 'DIFFERS')).toEqual([]);

	expect(scratchContacts(service)).toEqual([]);
	expect([...service.store.chatbot(chatbotId).contacts].length).toBe(before);
	expect(result.requests).toBeLessThanOrEqual(requestsOf(parts));
	expect(service.maxInFlight).toBe(1);
});
