/** The probe recognizes every position of every switch. */
import type { Answer } from '../../probe/answer';
import { questions, type QuestionName } from '../../probe/questions';
import { requestsOf, type ProbeResult } from '../../probe/run';
import { caseRuns } from '../propertyRuns';
import { defaultBehaviour, defaultBehaviourV2, type ServiceOptions } from '../../service';
import {
	chatbotId,
	emptyScene,
	partsFor,
	probe,
	probeOf,
	questionsWith,
	rowOf,
	scene,
	scratchContacts,
	scratchSources,
} from './scene';
import { switches, switchesV2, type Position } from './switches';

const versions = [
	{ key: 'behaviour', table: switches, behaviour: defaultBehaviour },
	{ key: 'behaviourV2', table: switchesV2, behaviour: defaultBehaviourV2 },
] as const;

const cases = versions.flatMap(({ key, table, behaviour: standard }) =>
	Object.entries(table).flatMap(([name, positions]) =>
		'reason' in positions
			? []
			: positions.map((position: Position) => {
					const question = position.question ?? (questionOf(key, name) as QuestionName);
					const title = [name, position.value, position.behaviour, position.isEmpty && 'empty'];
					const behaviour = { ...position.behaviour, [name]: position.value };
					return {
						question,
						position,
						options: { [key]: behaviour } as ServiceOptions,
						isUsual:
							!position.behaviour &&
							!position.isEmpty &&
							textOf(position.value) === textOf(standard[name as never]),
						title: title
							.filter((word) => word !== undefined && word !== false)
							.map(textOf)
							.join(' '),
					};
				}),
	),
);

function questionOf(key: string, name: string): string {
	return key === 'behaviour' ? name : `v2${name[0].toUpperCase()}${name.slice(1)}`;
}

function textOf(value: unknown): string {
	return typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
}

it.each(Object.entries(questions))(
	'%s has different words for different answers',
	(_name, { answers }) => {
		const words = Object.values(answers).map((answer: Answer) => answer.words);
		expect(new Set(words).size).toBe(words.length);
	},
);

type Case = (typeof cases)[number];

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
	beforeAll(async () => (result = await probeOf({})));

	it.each(cases.filter(({ isUsual }) => isUsual))('names $title', (one) =>
		expectNamed(result, one),
	);

	it('does what is called assumed', () => {
		expect(questionsWith(result, 'handled')).toEqual([]);
		expect(questionsWith(result, 'DIFFERS')).toEqual([]);
	});
});

const unusual = cases.filter(({ isUsual }) => !isUsual);

it.each(caseRuns(unusual, 13))('names $title', async (one) => {
	const { options, question, position } = one;
	const service = await (position.isEmpty ? emptyScene : scene)(options);
	const before = [...service.store.chatbot(chatbotId).contacts].length;
	const parts = partsFor(question);
	const result = await probe(service, parts);
	await service.close();

	expectNamed(result, one);
	const others = questionsWith(result, 'DIFFERS').filter((name) => name !== question);
	expect(others).toEqual(position.differs ?? []);

	expect([...scratchContacts(service), ...scratchSources(service)]).toEqual([]);
	expect([...service.store.chatbot(chatbotId).contacts].length).toBe(before);
	expect(result.requests).toBeLessThanOrEqual(requestsOf(parts));
	expect(service.maxInFlight).toBe(1);
});
