/** Everything that is wrong with an item, in one error. */
import { Failure } from '../api/failure';
import type { InputItem } from './item';

/** One thing that is wrong with an item. */
export interface InputProblem {
	/** The title of the error if nothing else is wrong. It quotes nothing of the input. */
	readonly title: string;
	readonly nextStep: string;
	/** The same in one sentence that stands among others. Without it, title and next step. */
	readonly fact?: string;
	/** For a value that does not fit its field. Those of a field are counted together. */
	readonly value?: WrongValue;
}

export interface WrongValue {
	/** The field as a person knows it. */
	readonly field: string;
	/** What such values are not, such as "dates". */
	readonly expected: string;
	/** The value, as an example. */
	readonly shown: string;
}

/** Thrown if an item is wrong. */
export class RefusedInput extends Failure {
	constructor(
		failure: Failure,
		readonly problems: readonly InputProblem[],
	) {
		super(failure);
	}
}

/** The error of an item with all of its problems. What is wrong with the item as a whole comes first. */
export function refusedInput(
	item: InputItem,
	problems: readonly InputProblem[],
): RefusedInput {
	const [first, ...others] = structuralFirst(problems);
	if (others.length === 0) {
		return new RefusedInput(item.error(first.title, first.nextStep), problems);
	}

	const title = first.value ? 'Several values are not valid' : first.title;
	const start = first.value ? factOf(first) : first.nextStep;
	const nextStep = [start, ...others.map(factOf)].join(' ');
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
