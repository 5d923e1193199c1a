/** What the headers of all responses of the run say about a rate limit. */
import type { Inquiry } from '../session';
import { notFoundOut } from '../answer';

const limitHeader = /^(x-)?ratelimit(-|$)/;

export const trafficInquiry: Inquiry = {
	title: 'Rate limit',
	requests: 0,

	async run({ client, findings }) {
		const ordinary = client.seen.filter(({ status }) => status !== 429);
		const hasHeaders = ordinary.some(({ headers }) =>
			[...headers.keys()].some((name) => limitHeader.test(name)),
		);
		findings.set('rateLimitHeaders', hasHeaders ? 'some' : 'none');

		const refused = client.seen.find(({ status }) => status === 429);
		if (!refused) return findings.setOther(notFoundOut('no 429 came'), 'retryAfter');
		const retryAfter = refused.headers.get('retry-after');
		if (retryAfter === null) findings.set('retryAfter', 'none');
		else if (/^\d+$/.test(retryAfter)) findings.set('retryAfter', 'seconds');
		else findings.set('retryAfter', Number.isNaN(Date.parse(retryAfter)) ? 'other' : 'date');
	},
};
