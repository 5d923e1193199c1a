import type { StoredContact } from './contactRecord';
import { type Difference, differenceOf } from './difference';
import { type ContactValues, withoutNulls } from './values';
import type { MatchedWish, Wish } from './wantedContact';

export interface CreateStep {
	readonly kind: 'create';
	readonly wish: Wish;
	readonly sent: ContactValues;
}

interface Compared extends MatchedWish {
	readonly change: Difference;
}

export interface UpdateStep extends Compared {
	readonly kind: 'update';
}

interface UnchangedStep extends Compared {
	readonly kind: 'unchanged';
}

/** The contact belongs to another mirror, so it is not written. */
interface SkippedStep extends MatchedWish {
	readonly kind: 'skipped';
}

/** What a run does for a wish, before it is known whether that works. */
export type Step = CreateStep | UpdateStep | UnchangedStep | SkippedStep;

/** What a mirror demands of each step. */
export interface StepRules {
	/** Whether a contact is never written. */
	isSkipped(contact: StoredContact): boolean;
	/** Names of texts that stay as the service has them if they differ only in what is cleaned. */
	readonly cleaned: readonly string[];
}

const usualRules: StepRules = { isSkipped: () => false, cleaned: ['external_id'] };

export function stepFor(
	{ wish, contact }: MatchedWish,
	{ isSkipped, cleaned }: StepRules = usualRules,
): Exclude<Step, CreateStep> {
	if (isSkipped(contact)) return { kind: 'skipped', wish, contact };

	const { onlyIfEmpty } = wish.settings;
	const change = differenceOf(contact.record, wish, { onlyIfEmpty, cleaned });
	const kind = change.changed.length > 0 ? 'update' : 'unchanged';
	return { kind, wish, contact, change };
}

export function creationFor(wish: Wish): CreateStep {
	return { kind: 'create', wish, sent: withoutNulls(wish.values) };
}
