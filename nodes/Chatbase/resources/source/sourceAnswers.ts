/** The only place that answers items of Create or Update and Mirror. */
import type { IDataObject } from 'n8n-workflow';

import type { InputItem } from '../../execution/item';
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

	succeed({ items }: SourceWish, record: IDataObject): void {
		items.forEach((index) => this.items.get(index)!.succeed([record]));
	}

	fail({ items }: SourceWish, error: unknown): void {
		items.forEach((index) => this.items.get(index)!.fail(error));
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
			const { item, fail } = this.items.get(index)!;
			fail(item.error(title, nextStep));
		}
	}
}
