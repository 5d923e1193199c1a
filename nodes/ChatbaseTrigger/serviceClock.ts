const minute = 60 * 1000;
const day = 24 * 60 * minute;

/**
 * The present as the service has it, in milliseconds since 1970. Every response tells it in its header
 * Date (RFC 9110, 6.6.1); before the first response n8n's own clock has to do.
 */
export class ServiceClock {
	/** How far n8n's clock is behind; unknown before the first response. */
	private ahead?: number;

	get now(): number {
		return Date.now() + (this.ahead ?? 0);
	}

	/** The last moment that can be right. */
	get latest(): number {
		return this.now + (this.ahead === undefined ? day : minute);
	}

	/** A day beyond the later of both clocks: one of them may be wrong for a while. */
	get tomorrow(): number {
		return Math.max(this.now, Date.now()) + day;
	}

	/** Sets the clock by the headers of a response. */
	setBy({ date }: Record<string, unknown>) {
		const told = Date.parse(String(date));
		if (!Number.isNaN(told)) this.ahead = told - Date.now();
	}
}
