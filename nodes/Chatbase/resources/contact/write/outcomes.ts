/** What becomes of wishes. */
import type { IDataObject } from 'n8n-workflow';

import type { ApiResponse } from '../../../api/response';
import type { SyncAction } from '../../../sync/records';
import type { NotSent } from '../../../sync/refusals';
import type { Contact } from '../plan/contactRecord';
import type { MatchProblem, Wish } from '../plan/wantedContact';

/** The service refused a contact. */
export interface RefusedContact {
	readonly kind: 'refused';
	/** The External ID that the request named. */
	readonly id: string;
	readonly response: ApiResponse;
	/** Whether the request was to create it. */
	readonly isNew: boolean;
}

/** Why a wish was not fulfilled. */
export type Problem =
	| MatchProblem
	/** Create found a contact with the External ID. */
	| { readonly kind: 'exists'; readonly id: string }
	| RefusedContact
	/** The contact was deleted after it was read. */
	| { readonly kind: 'gone'; readonly id: string; readonly response: ApiResponse }
	| { readonly kind: 'notSent'; readonly reason: NotSent }
	/** The request that creates the contact with this External ID failed, and perhaps those of others with it. */
	| { readonly kind: 'notCreated'; readonly id: string; readonly error: unknown };

/** The result of a wish that was fulfilled, or would be fulfilled in a Dry Run. */
export interface Done {
	readonly contact: Contact;
	readonly action: SyncAction;
	readonly changed?: readonly string[];
	/** The old values of what changed, by name. */
	readonly before?: IDataObject;
	/** Fields that are not on the contact afterwards. */
	readonly dropped?: readonly string[];
	/** Fields that differed and were not written. */
	readonly kept?: readonly string[];
}

interface Written {
	/** Whether the service has written. */
	readonly written: 'yes' | 'no' | 'unknown';
}

export interface DoneOutcome extends Written {
	readonly done: Done;
}

export interface FailedOutcome extends Written {
	readonly problem: Problem;
}

export type ContactOutcome = DoneOutcome | FailedOutcome;

export function refused(
	problem: Problem,
	written: ContactOutcome['written'] = 'no',
): FailedOutcome {
	return { written, problem };
}

/** Takes what became of each wish, as soon as it is known. */
export interface OutcomeReceiver {
	settle(wish: Wish, outcome: ContactOutcome): void;
	refuse(wish: Wish, problem: Problem): void;
}
