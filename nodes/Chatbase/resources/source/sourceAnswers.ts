/** The only place that answers items of Create or Update and Mirror. */
import type { InputItem } from '../../execution/item';
import type { Answer } from '../../execution/results';
import type { PendingItem } from '../../execution/run';
import { contradictionText } from '../../sync/agreement';
import type { SourceWish } from './plan/sourceInput';
import type { AmbiguousWish, SourceContradiction } from './plan/sourceWishes';

export class SourceAnswers {
	private readonly items: ReadonlyMap<number, PendingItem<unknown>>;

	constructor(items: ReadonlyArray<PendingItem<unknown>>) {
		this.items = new Map(items.map((pending) => [pending.item.index, pending]));
	}

	/** The first item of a wish. Errors and hints about the wish name it. */
	itemOf({ items }: SourceWish): InputItem {
		return this.items.get(items[0])!.item;
	}

	set({ items }: SourceWish, answer: Answer): void {
		items.forEach((index) => this.items.get(index)!.answer(answer));
	}

	refuseContradictions(contradictions: readonly SourceContradiction[]): void {
		for (const contradiction of contradictions) {
			this.refuse(contradiction.items, contradictionText('source', contradiction));
		}
	}

	refuseAmbiguous(ambiguous: readonly AmbiguousWish[]): void {
		for (const { wish, candidates } of ambiguous) {
			const ids = candidates.map(({ id }) => id).join(' and ');
			this.refuse(wish.items, {
				title: 'Several sources have this name',
				nextStep: `They have the IDs ${ids}. Delete or rename all but one.`,
			});
		}
	}

	private refuse(
		indices: readonly number[],
		{ title, nextStep }: { title: string; nextStep: string },
	): void {
		for (const index of indices) {
			const { item, answer } = this.items.get(index)!;
			answer(item.error(title, nextStep));
		}
	}
}
