import type { ApiResponse } from '../../api/response';
import { isBlank } from '../../values/json';

/** After so many equal refusals in a row, the service may refuse all contacts, such as on a full plan. */
const maxAlike = 20;

/** Counts equal refusals of single contacts. */
export class RefusalStreak {
	private length = 0;

	private last?: ApiResponse;

	private state: 'open' | 'confirming' | 'confirmed' = 'open';

	add(response: ApiResponse) {
		this.length = this.last && wordsOf(this.last) === wordsOf(response) ? this.length + 1 : 1;
		this.last = response;
	}

	end() {
		this.length = 0;
	}

	/** After a long streak, tries a contact from the end of the run. Only if it is refused alike, all others are. */
	async confirm(tryAnother: () => Promise<void>) {
		const { length } = this;
		if (length < maxAlike || this.state !== 'open') return;
		this.state = 'confirming';
		await tryAnother();
		this.state = this.length > length ? 'confirmed' : 'open';
	}

	/** The refusal that a contact with this email would get; undefined if it must be tried. */
	refusalOf(email: unknown): ApiResponse | undefined {
		return this.state === 'confirmed' && this.concerns(email) ? this.last : undefined;
	}

	/** A contact without an email is not refused because of its email. */
	concerns(email: unknown): boolean {
		return !this.isAboutEmail || !isBlank(email);
	}

	get isAboutEmail(): boolean {
		if (!this.last) return false;
		const { body, outcome, version } = this.last;
		const isConflict = outcome === '409' && !version.isAbout(body, 'externalId');
		return isConflict || version.isAbout(body, 'email');
	}
}

function wordsOf({ outcome, body, version }: ApiResponse): string {
	return JSON.stringify([outcome, version.wordsIn(body)]);
}
