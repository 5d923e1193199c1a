/** What a refusal of the service says of other contacts, and the rounds in which blocked wishes are tried again. */
import type { ApiResponse } from '../../../api/response';
import { takenIn } from '../../../api/subjects';
import type { Topic } from '../../../api/versions';
import { RefusalStreak } from '../../../sync/refusalStreak';
import { isBlank } from '../../../values/json';
import { addTo } from '../../../values/list';
import type { ContactValues } from '../plan/values';
import type { Wish } from '../plan/wantedContact';

export type ContactStreak = RefusalStreak<ApiResponse>;

export function contactStreak(): ContactStreak {
	return new RefusalStreak(({ outcome, body, version }) =>
		JSON.stringify([outcome, version.wordsIn(body)]),
	);
}

/**
 * The refusal that all others got, if a contact with these values would get it, too. Undefined if the contact must be tried.
 */
export function commonRefusal(
	streak: ContactStreak,
	sent: ContactValues,
): ApiResponse | undefined {
	const { common } = streak;
	return common && concerns(common, sent) ? common : undefined;
}

/** Whether a refusal can apply to a contact. It can't if it is about an email or a phone number that the contact lacks. */
export function concerns(refusal: ApiResponse, sent: ContactValues): boolean {
	const lacks = (field: string) => isBlank(sent.get(field));
	const isAboutEmail = lacks('email') && mayBeAbout(refusal, 'email');
	const isAboutPhone = lacks('phonenumber') && mayBeAbout(refusal, 'phone');
	return !isAboutEmail && !isAboutPhone;
}

/** Whether a refused contact may be accepted once another one gives up its email. */
export function mayNeedEmail(response: ApiResponse): boolean {
	return response.outcome === '409' && mayBeAbout(response, 'email');
}

/** Whether a refusal says that another contact has the email. */
export function isEmailTaken(response: ApiResponse): boolean {
	return response.outcome === '409' && takenBy(response) === 'email';
}

/** Whether a refusal can be about a value that another contact has. A 409 need not say which one. */
export function mayBeAbout(response: ApiResponse, topic: 'email' | 'phone'): boolean {
	const { outcome, body, version } = response;
	const isOpen = outcome === '409' && takenBy(response) === undefined;
	return isOpen || version.isAbout(body, topic);
}

function takenBy({ resource, body, version }: ApiResponse): Topic | undefined {
	return takenIn(resource, (topic) => version.isAbout(body, topic));
}

/** A wish that the service refuses, perhaps because another contact has its email. */
interface BlockedWish {
	readonly wish: Wish;
	/** The External ID that the request named. */
	readonly id: string;
	readonly response: ApiResponse;
}

/** How often a wish is matched anew, because somebody else creates and deletes its contact. */
const maxMatchesAnew = 2;

/**
 * Writing goes in rounds. A wish that is refused because the list has changed since it was read comes into the next round,
 * if what blocked it has changed: its email was given up, its contact is known by now, or is known to be gone. So the number
 * of requests grows with the changes, and never with their square.
 */
export class Rounds {
	/** By email. */
	private readonly blocked = new Map<string, BlockedWish[]>();

	/** The refusals that surely were about an email. */
	private readonly taken = new Map<string, ApiResponse>();

	/** Emails that a contact has given up in this round. */
	private readonly freed = new Set<string>();

	/** Wishes whose contact has changed in this round. */
	private changed: Wish[] = [];

	private readonly changes = new Map<Wish, number>();

	/** Takes the wish into the next round. @returns false if that was done too often */
	matchAnew(wish: Wish): boolean {
		const count = (this.changes.get(wish) ?? 0) + 1;
		if (count > maxMatchesAnew) return false;

		this.changes.set(wish, count);
		this.changed.push(wish);
		return true;
	}

	/** Lets the wish wait until a contact gives up the email. */
	waitFor(email: string, blocked: BlockedWish): void {
		addTo(this.blocked, email, blocked);
		if (isEmailTaken(blocked.response)) this.taken.set(email, blocked.response);
	}

	free(email: string): void {
		this.freed.add(email);
	}

	/** The refusal that a wish with the email would get, because another one got it in this round. */
	refusalFor(email: string | undefined): ApiResponse | undefined {
		return email === undefined ? undefined : this.taken.get(email);
	}

	/** The wishes of the next round. */
	takeNext(): Wish[] {
		const unblocked = [...this.freed].flatMap((email) => this.blocked.get(email) ?? []);
		for (const email of this.freed) {
			this.blocked.delete(email);
			this.taken.delete(email);
		}
		this.freed.clear();

		const next = [...this.changed, ...unblocked.map(({ wish }) => wish)];
		this.changed = [];
		return next;
	}

	/** The wishes that no round can fulfil. */
	get rest(): BlockedWish[] {
		return [...this.blocked.values()].flat();
	}
}
