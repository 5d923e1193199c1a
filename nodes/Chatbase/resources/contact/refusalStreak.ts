import type { ApiResponse } from '../../api/response';
import { isBlank } from '../../values/json';

/** After so many equal refusals in a row, the service may refuse all contacts, such as on a full plan. */
const maxAlike = 20;

/** Counts equal refusals of single contacts. */
export class RefusalStreak {
	private length = 0;

	private lengthBefore = 0;

	private last?: ApiResponse;

	private state: 'open' | 'confirming' | 'confirmed' = 'open';

	add(response: ApiResponse): void {
		const isAlike = this.last !== undefined && wordsOf(this.last) === wordsOf(response);
		this.length = isAlike ? this.length + 1 : 1;
		this.last = response;
	}

	end(): void {
		this.length = 0;
	}

	/** Whether a contact from the end of the run is to be tried now. Only if it is refused alike, all others are. */
	startConfirmation(): boolean {
		if (this.length < maxAlike || this.state !== 'open') return false;

		this.state = 'confirming';
		this.lengthBefore = this.length;
		return true;
	}

	endConfirmation(): void {
		this.state = this.length > this.lengthBefore ? 'confirmed' : 'open';
	}

	/** The refusal that a contact with this email would get; undefined if it must be tried. */
	refusalOf(email: unknown): ApiResponse | undefined {
		return this.state === 'confirmed' && this.concerns(email) ? this.last : undefined;
	}

	/** A contact without an email is not refused because of its email. */
	concerns(email: unknown): boolean {
		return !this.isAboutEmail || !isBlank(email);
	}

	private get isAboutEmail(): boolean {
		if (!this.last) return false;

		const { body, version } = this.last;
		return isEmailTaken(this.last) || version.isAbout(body, 'email');
	}
}

/** Whether a refusal says that another contact has the email. */
export function isEmailTaken({ outcome, body, version }: ApiResponse): boolean {
	return outcome === '409' && !version.isAbout(body, 'externalId');
}

function wordsOf({ outcome, body, version }: ApiResponse): string {
	return JSON.stringify([outcome, version.wordsIn(body)]);
}
