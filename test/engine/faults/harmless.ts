import type { Fault } from '../../../service';

/** Refusals after which a request can be sent again, since the service has done nothing. */
export const harmless: Array<[string, Fault]> = [
	['429', { kind: 'status', status: 429, headers: { 'retry-after': '1' } }],
	[
		'maintenance',
		{
			kind: 'status',
			status: 503,
			body: { error: { code: 'SERVICE_UNDER_MAINTENANCE', message: 'Soon' } },
		},
	],
];
