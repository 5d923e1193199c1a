/** How a 429 of the run says how long to wait. */
import type { Inquiry } from '../session';
import { firstOf } from '../shapes';

export const trafficInquiry: Inquiry = {
	title: 'Rate limit',
	requests: 0,

	async run({ client, findings }) {
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
