/** What the headers of all responses of the run say about a rate limit. */
import type { Inquiry } from '../session';
import { firstOf } from '../shapes';

export const trafficInquiry: Inquiry = {
	title: 'Rate limit',
	requests: 0,

	async run({ client, findings }) {
		const hasHeaders = client.seen.some(
			({ status, version, headers }) =>
				status !== 429 &&
				version === 1 &&
				[...headers.keys()].some((name) => /^(x-)?ratelimit(-|$)/.test(name)),
		);
		findings.set('rateLimitHeaders', hasHeaders ? 'some' : 'none');

		const refused = client.seen.find(({ status }) => status === 429);
		const retryAfter = refused?.headers.get('retry-after');
		const form = firstOf([
			['none', retryAfter === null],
			['seconds', /^\d+$/.test(retryAfter ?? '')],
			['date', !Number.isNaN(Date.parse(retryAfter ?? ''))],
			['other', refused !== undefined],
		]);
		findings.set('retryAfter', form, 'no 429 came');
	},
};
