/** The only place that answers items of contacts, and makes their records. */
import type { IDataObject } from 'n8n-workflow';

import { failureOf } from '../../../api/failure';
import type { InputItem } from '../../../execution/item';
import { type Answer, unwritten } from '../../../execution/results';
import type { PendingItem, Run } from '../../../execution/run';
import { inOrder, recordOf } from '../../../sync/records';
import { contactFieldOrder } from '../plan/contactRecord';
import type { RefusedItems, Wish, WriteSettings } from '../plan/wantedContact';
import type { BlankItem, ContactParams } from '../read/contactParams';
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
import { droppedError, errorOf, type ProblemScope } from './problems';

/** The answer for an item by the outcome of its wish. */
export function answerOf(
	item: InputItem,
	outcome: DoneOutcome,
	settings: WriteSettings,
): Answer {
	return answersOf(outcome, settings)(item);
}

/** The answers for all items of a wish. They share one record, so that it counts once. */
function answersOf(
	{ written, done }: DoneOutcome,
	{ onDroppedFields }: WriteSettings,
): (item: InputItem) => Answer {
	const { dropped = [] } = done;
	if (onDroppedFields === 'error' && dropped.length > 0) {
		return (item) => droppedError(item, dropped, written).with({ written });
	}

	const told = onDroppedFields === 'ignore' ? { ...done, dropped: [] } : done;
	const records = [recordFor(told)];
	return () => ({ records, written: written === 'yes' });
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

		const answerFor = answersOf(outcome, wish.settings);
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
		const { plan } = params;
		const error = errorOf(item, problem, { wish, written, plan, scope: this.scope });
		answer(failureOf(error).with({ written }));
	}
}
