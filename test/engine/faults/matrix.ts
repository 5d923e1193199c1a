/** Every fault, in every place of every job, and the right result. */
import type { FailureKind } from '../../../nodes/Chatbase/api/failureKinds';
import { type Job, type JobName, jobs, type Step } from './jobs';
import { type Ending, type FaultName, faultsTowards, rowOf } from './outcomes';

/** Where a fault strikes: once at one of the requests, or at every request. */
const places = ['first', 'middle', 'last', 'all'] as const;

/** The expected result of the whole job. */
export interface Cell {
	fault: FaultName;
	jobName: JobName;
	place: (typeof places)[number];
	job: Job;
	/** The step that the fault strikes once; absent when it strikes every request. */
	struck?: Step;
	/** How many requests the job makes. */
	requests: number;
	/** What the error text is for; undefined when every item succeeds. */
	outcome?: FailureKind;
	/** Numbers of the items that fail. */
	failing: number[];
}

export const cells: Cell[] = (Object.keys(faultsTowards('')) as FaultName[]).flatMap((fault) =>
	(Object.keys(jobs) as JobName[]).flatMap((jobName) =>
		places.map((place) => cellOf(fault, jobName, place)),
	),
);

function cellOf(fault: FaultName, jobName: JobName, place: Cell['place']): Cell {
	const job: Job = jobs[jobName];
	const [first] = job.steps;
	const cell = { fault, jobName, place, job };
	if (place === 'all') {
		// The steps that the job makes although the first one fails meet the same fault.
		const [requests, end] = rowOf(fault, first.kind).always;
		const steps = 1 + first.ifFails.otherSteps;
		return {
			...cell,
			outcome: failureOf(end),
			requests: requests * steps,
			failing: job.input.map((_, item) => item),
		};
	}
	const struck = job.steps[places.indexOf(place)];
	const [requests, end] = rowOf(fault, struck.kind).once;
	const { otherSteps, items } = end === 'success' ? { otherSteps: 2, items: [] } : struck.ifFails;
	return {
		...cell,
		struck,
		outcome: failureOf(end),
		requests: requests + otherSteps,
		failing: items,
	};
}

function failureOf(end: Ending[1]): FailureKind | undefined {
	return end === 'success' ? undefined : end;
}
