/** When the service refuses so many records that the others are not sent. */
import type { OwnTitle } from '../api/ownErrors';
import { countFormat } from '../values/json';

/** Why a record was not sent. */
export interface NotSent {
	readonly title: OwnTitle;
	readonly nextStep: string;
}

/** After this many refused records, and none accepted, the others are not sent. */
const maxRefused = 1000;

const allRefused: NotSent = {
	title: 'Not sent, because all records before it were refused',
	nextStep: `The service refused ${countFormat.format(maxRefused)} records that were sent one by one, and accepted none. Correct the first one that was refused, then run again.`,
};

/** Counts the refused records of one kind of write, such as all updates of a run. */
export class Refusals {
	private refused = 0;

	private hasAccepted = false;

	private settled?: NotSent;

	accept(): void {
		this.hasAccepted = true;
	}

	/** Counts a record that was sent alone. A 409 is about another record, so it does not count. */
	refuse(status: number | undefined): void {
		if (status !== undefined && status !== 409) this.refused++;
	}

	/** No further record is sent, whatever was accepted. */
	settle(reason: NotSent): void {
		this.settled = reason;
	}

	/** Why further records are not sent; undefined as long as they are. */
	get notSent(): NotSent | undefined {
		if (this.settled) return this.settled;
		return this.hasAccepted || this.refused < maxRefused ? undefined : allRefused;
	}
}
