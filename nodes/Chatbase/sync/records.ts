import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../values/json';

/** What the records of a resource are called. */
export interface Nouns {
	one: string;
	many: string;
	/** In Title Case, for labels. */
	title: string;
	ids: string;
}

/** What the node can do with a record, in the order of a summary. */
export const actions = [
	'created',
	'updated',
	'unchanged',
	/** Another mirror manages the record, so it was not changed. */
	'skipped',
	/** The record is not in the input, and was only reported. */
	'missing',
	'marked',
	'deleted',
	/** The record is not in the input, and was not marked or deleted. */
	'kept',
] as const;

export type Action = (typeof actions)[number];

/** What a dry run calls an action, in the order of its verdict. */
export const wouldBe = {
	deleted: 'wouldDelete',
	marked: 'wouldMark',
	created: 'wouldCreate',
	updated: 'wouldUpdate',
} as const;

export type DoneAction = keyof typeof wouldBe;

export const doneActions = Object.keys(wouldBe) as DoneAction[];

export type SyncAction = Action | (typeof wouldBe)[DoneAction];

/** What the node did with a record. Its lists have names of fields. What is empty is left out. */
export interface Sync extends IDataObject {
	action: SyncAction;
	changed?: string[];
	/** The old values of what changed, by name. */
	before?: IDataObject;
	/** By the service. */
	dropped?: string[];
	/** What differed and was not written. */
	kept?: string[];
}

/** The output for a record: as the service returned it, with what the node did in `_sync`. */
export function recordOf(record: IDataObject, sync: Sync | SyncAction): IDataObject {
	const { action, ...details }: Sync = typeof sync === 'string' ? { action: sync } : sync;
	const filled = Object.entries(details).filter(
		([, detail]) => Object.keys(detail as object).length > 0,
	);
	const _sync: Sync = { action, ...Object.fromEntries(filled) };

	// It stands first, also if the service has a field of this name.
	return Object.assign({ _sync }, record, { _sync });
}

/** For an output that shows the record alone: what the node did stands beside it. */
export function besideSync(record: IDataObject, sync: Sync): IDataObject {
	return { _sync: sync, record };
}

/** What the node did with a record of its output. */
export function syncOf({ _sync }: IDataObject): Sync | undefined {
	return isObject(_sync) ? (_sync as Sync) : undefined;
}
