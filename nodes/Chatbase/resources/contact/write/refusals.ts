import type { ApiResponse } from '../../../api/response';
import { takenIn } from '../../../api/subjects';
import type { Topic } from '../../../api/versions';
import { RefusalStreak } from '../../../sync/refusalStreak';
import { isBlank } from '../../../values/json';
import type { ContactValues } from '../plan/values';

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
