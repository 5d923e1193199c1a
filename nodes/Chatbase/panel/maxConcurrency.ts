import { optionalField } from './field';
import { wholeNumber } from './types';

export const maxConcurrencyOption = optionalField(
	'options.maxConcurrency',
	'Max Concurrency',
	wholeNumber(1),
	{
		description:
			'Maximum number of requests that the node sends at the same time. Lower it if the service reports too many requests.',
		typeOptions: { minValue: 1, maxValue: 50 },
		default: 5,
	},
);
