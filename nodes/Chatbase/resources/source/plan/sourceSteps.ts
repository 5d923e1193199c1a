import type { Source } from './source';
import type { SourceWish } from './sourceInput';
import type { SourceMatch } from './sourceWishes';

/** Whether a source holds what a wish wants, as far as n8n remembers. */
export type Recollection = 'same' | 'different' | 'unknown';

interface CreateStep {
	readonly kind: 'create';
	readonly wish: SourceWish;
}

interface UpdateStep {
	readonly kind: 'update';
	readonly wish: SourceWish;
	readonly source: Source;
	readonly recollection: Recollection;
}

interface UnchangedStep {
	readonly kind: 'unchanged';
	readonly wish: SourceWish;
	readonly source: Source;
}

/** What a run does for a wish. */
export type SourceStep = CreateStep | UpdateStep | UnchangedStep;

/** @param recollections what is remembered of each source, by its ID */
export function sourceStepFor(
	{ wish, existing }: SourceMatch,
	recollections: ReadonlyMap<string, Recollection>,
): SourceStep {
	if (!existing) return { kind: 'create', wish };

	const recollection = recollections.get(existing.id) ?? 'unknown';
	const isTaught = recollection === 'same' && existing.status !== 'failed';
	if (isTaught && !wish.settings.alwaysSend) {
		return { kind: 'unchanged', wish, source: existing };
	}
	return { kind: 'update', wish, source: existing, recollection };
}

/** Names of the fields that certainly change. */
export function changedBy(step: SourceStep): string[] {
	const isKnown =
		step.kind === 'create' ||
		(step.kind === 'update' && step.recollection === 'different');
	if (!isKnown) return [];

	return Object.keys(step.wish.wanted.body).filter((field) => field !== 'name');
}

/** Whether the source is sent although it is not known if its content differs. */
export function isUnknown(step: SourceStep): boolean {
	return step.kind === 'update' && step.recollection === 'unknown';
}
