/** The only place that answers items of contacts, and makes their records. */
import type { IDataObject } from 'n8n-workflow';

import { failureOf } from '../../../api/failure';
import type { InputItem } from '../../../execution/item';
import { type Answer, unwritten } from '../../../execution/results';
import type { PendingItem, Run } from '../../../execution/run';
import { inOrder, recordOf } from '../../../sync/records';
import { contactFieldOrder } from '../plan/contactRecord';
import type { ContactInput, RefusedItems, Wish } from '../plan/wantedContact';
import type { BlankItem, ContactParams } from '../read/contactInput';
import { onlyBlankItems } from '../read/wrongInput';
import {
	type ContactOutcome,
	type Done,
	type DoneOutcome,
	type FailedOutcome,
	type OutcomeReceiver,
	type Problem,
	refused,
} from '../write/outcomes';
import {
	archivedIn,
	archivedRule,
	droppedError,
	errorOf,
	type ProblemScope,
} from './problems';

/** What was wanted, as far as an answer says something of it. */
type Wanted = Pick<ContactInput, 'settings' | 'attributes'>;

/** The answer for an item by the outcome of what it wants. */
export function answerOf(item: InputItem, outcome: DoneOutcome, wanted: Wanted): Answer {
	return answersOf(outcome, wanted)(item);
}

/** The answers for all items of a wish. They share one record, so that it counts once. */
function answersOf(
	{ written, done }: DoneOutcome,
	{ settings, attributes }: Wanted,
): (item: InputItem) => Answer {
	const { onDroppedFields } = settings;
	const { dropped = [] } = done;
	if (onDroppedFields === 'error' && dropped.length > 0) {
		const loss = { fields: dropped, attributes, written };
		return (item) => droppedError(item, loss).with({ written });
	}

	const told = onDroppedFields === 'ignore' ? { ...done, dropped: [] } : done;
	const records = [recordFor(told)];
	const archived = archivedIn(told.dropped ?? [], attributes);
	return ({ context }) => {
		for (const name of archived) context.warn(`Not sent: ${name}. ${archivedRule}`);
		return { records, written: written === 'yes' };
	};
}

/** The output for a contact. `_sync` says what was done. */
export function recordFor(done: Done): IDataObject {
	const { contact, action, changed = [], before = {}, dropped = [], kept = [] } = done;
	return recordOf(inOrder(contact, contactFieldOrder), {
		action,
		changed: [...changed],
		before,
		dropped: [...dropped],
		kept: [...kept],
	});
}

/** Answers blank items, and returns the run without them. Throws if there is nothing else. */
export function skipBlankItems(run: Run<ContactParams | BlankItem>): Run<ContactParams> {
	const items: Run<ContactParams>['items'] = [];
	const blank: Array<PendingItem<unknown>> = [];

	for (const pending of run.items) {
		const { params } = pending;
		if (params.input) items.push({ ...pending, params });
		else blank.push(pending);
	}

	const [first] = blank;
	const isAllBlank = items.length === 0 && run.refused.length === 0;
	if (first && isAllBlank) throw onlyBlankItems(first.item);

	for (const pending of blank) pending.answer(unwritten(recordOf({}, 'skipped')));
	return { ...run, items };
}

/** Answers the items of a chatbot, each once. */
export class Answers implements OutcomeReceiver {
	private readonly items: ReadonlyMap<number, PendingItem<ContactParams>>;

	constructor(
		items: ReadonlyArray<PendingItem<ContactParams>>,
		private readonly scope: ProblemScope,
	) {
		this.items = new Map(items.map((pending) => [pending.item.index, pending]));
	}

	settle(wish: Wish, outcome: ContactOutcome): void {
		if ('problem' in outcome) {
			for (const index of wish.items) this.fail(index, outcome, wish);
			return;
		}

		const answerFor = answersOf(outcome, wish);
		for (const index of wish.items) {
			const { item, answer } = this.items.get(index)!;
			answer(answerFor(item));
		}
	}

	refuse(wish: Wish, problem: Problem): void {
		this.settle(wish, refused(problem));
	}

	/** Fails the items whose wish can't be fulfilled. */
	refuseAll(unfulfilled: readonly RefusedItems[]): void {
		for (const { items, problem } of unfulfilled) {
			for (const index of items) this.fail(index, refused(problem));
		}
	}

	private fail(index: number, { written, problem }: FailedOutcome, wish?: Wish): void {
		const { item, params, answer } = this.items.get(index)!;
		const { plan, input } = params;
		const { attributes } = input;
		const { scope } = this;
		const error = errorOf(item, problem, { wish, written, plan, attributes, scope });
		answer(failureOf(error).with({ written }));
	}
}
