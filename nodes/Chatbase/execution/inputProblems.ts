/** Everything that is wrong with an item, or with all items of a run, in one error. */
import type { OwnTitle } from '../api/ownErrors';
import { Failure } from '../api/failure';
import { countFormat } from '../values/json';
import type { NonEmpty } from '../values/list';
import { abbreviate } from '../values/text';
import type { InputItem } from './item';

/** One thing that is wrong with an item. */
export interface InputProblem {
	/** The title of the error if nothing else is wrong. It quotes nothing of the input. */
	readonly title: OwnTitle;
	readonly nextStep: string;
	/** The problem as one sentence of an error with several problems. If absent, title and next step are used. */
	readonly fact?: string;
	/** Set if a value does not fit its field. Such problems of one field are counted together. */
	readonly value?: WrongValue;
}

interface WrongValue {
	/** The field as a person knows it. */
	readonly field: string;
	/** Complete "It is not …" and "They are not …". */
	readonly one: string;
	readonly many: string;
	/** The value, as an example. */
	readonly shown: string;
	/** An option with which the value would be right. */
	readonly remedy?: Remedy;
}

interface Remedy {
	/** Its label. */
	readonly option: string;
	/** The names of the choices that fit. */
	readonly choices: readonly string[];
}

/** The failure of an item that has problems. */
export class RefusedInput extends Failure {
	constructor(
		failure: Failure,
		readonly problems: readonly InputProblem[],
	) {
		super(failure);
	}
}

/** An item that failed. */
interface Refused {
	readonly item: InputItem;
	readonly failure: Failure;
	/** Set if the item was refused when it was read. */
	readonly refusal?: RefusedInput;
}

const severalValues = 'Several values are not valid';

/** How many kinds of problems the error of a run names. */
const maxKinds = 5;

/** How many items that error names for each kind. */
const maxItems = 10;

/** The error of an item with all of its problems. What is wrong with the item as a whole comes first. */
export function refusedInput(
	item: InputItem,
	problems: Readonly<NonEmpty<InputProblem>>,
): RefusedInput {
	const [first = problems[0], ...others] = structuralFirst(problems);
	// Values stand last, so all other problems are values, too.
	const isSeveralValues = first.value !== undefined && others.length > 0;
	const title = isSeveralValues ? severalValues : first.title;
	const start = isSeveralValues ? factOf(first) : first.nextStep;
	const nextStep = [start, ...others.map(factOf), ...remedyOf(problems)].join(' ');
	return new RefusedInput(item.error(title, nextStep), problems);
}

function structuralFirst(problems: readonly InputProblem[]): InputProblem[] {
	return [
		...problems.filter(({ value }) => !value),
		...problems.filter(({ value }) => value),
	];
}

function factOf({ title, nextStep, fact }: InputProblem): string {
	return fact ?? `${title}. ${nextStep}`;
}

/** Advice about the option with which all wrong values could be read. Empty if there is none. */
function remedyOf(problems: readonly InputProblem[]): string[] {
	const remedies = problems.flatMap(({ value }) => value?.remedy ?? []);
	const [first] = remedies;
	if (!first) return [];

	const { option, choices } = first;
	const common = choices.filter((choice) =>
		remedies.every((remedy) => remedy.choices.includes(choice)),
	);
	if (common.length === 0) return [`No choice of ${option} fits all of these values.`];

	const names = common.map((choice) => `"${choice}"`);
	if (names.length === 1) return [`In Options, set ${option} to ${names[0]}.`];
	const list = `${names.slice(0, -1).join(', ')} or ${names[names.length - 1]}`;
	return [`In Options, set ${option} to ${list}, whichever your data uses.`];
}

type AnyProblem = Omit<InputProblem, 'title'> & { readonly title: string };

/** One kind of problem, with the items that have it. The title can be that of any failure. */
interface ProblemKind {
	/** The first problem of this kind. */
	readonly example: AnyProblem;
	/** In the order of the input. */
	readonly items: NonEmpty<InputItem>;
}

/**
 * The failure of a run whose items were refused, sorted by kinds of problems. Undefined if the failure of the first item says
 * it all.
 */
export function refusedRun(refused: readonly Refused[]): Failure | undefined {
	const refusals = refused.flatMap(({ refusal }) => refusal ?? []);
	if (refused.length < 2 || refusals.length === 0) return undefined;

	const kinds = kindsIn(refused);
	const [kind] = kinds;
	if (!kind) return undefined;

	const sentences = kinds.slice(0, maxKinds).map(sentenceOf);
	const others = kinds.length - sentences.length;
	if (others > 0) sentences.push(`There are ${others} more kinds of problems.`);
	sentences.push(...remedyOf(refusals.flatMap(({ problems }) => problems)));

	const { example, items } = kind;
	// Values stand last, so all other problems are values, too.
	const isSeveralValues = example.value !== undefined && kinds.length > 1;
	const title = isSeveralValues ? severalValues : example.title;
	return new Failure({ title, sentences, itemIndex: items[0].index });
}

/** What is wrong with whole items comes first. */
function kindsIn(refused: readonly Refused[]): ProblemKind[] {
	const byKind = new Map<string, ProblemKind>();
	for (const { item, failure, refusal } of refused) {
		const { title, description: nextStep } = failure;
		const problems: readonly AnyProblem[] = refusal?.problems ?? [{ title, nextStep }];
		for (const problem of problems) {
			const key = problem.value ? `value of ${problem.value.field}` : problem.title;
			const known = byKind.get(key);
			if (known) known.items.push(item);
			else byKind.set(key, { example: problem, items: [item] });
		}
	}

	const kinds = [...byKind.values()];
	return [
		...kinds.filter(({ example }) => !example.value),
		...kinds.filter(({ example }) => example.value),
	];
}

function sentenceOf({ example, items }: ProblemKind): string {
	const { title, nextStep, value } = example;
	if (value) return sentenceOfValues(value, items);

	return `${title} in ${placesOf(items)}. ${nextStep}`.trim();
}

/** Such as "item 3" or "2 items (K-1017; item 7, row_number 9)". */
function placesOf(items: Readonly<NonEmpty<InputItem>>): string {
	if (items.length === 1) return items[0].place;

	const more = items.length > maxItems ? ' …' : '';
	const places = items.slice(0, maxItems).map(({ place }) => place);
	return `${countFormat.format(items.length)} items (${places.join('; ')}${more})`;
}

function sentenceOfValues(
	{ field, one, many, shown }: WrongValue,
	items: Readonly<NonEmpty<InputItem>>,
): string {
	const example = `${abbreviate(shown)} (${items[0].place})`;
	if (items.length === 1) return `${field}: ${example} is not ${one}.`;

	const values = countFormat.format(items.length);
	return `${field}: ${values} values are not ${many}, such as ${example}.`;
}
