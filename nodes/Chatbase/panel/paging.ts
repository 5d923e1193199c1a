import type { InputItem } from '../execution/item';
import { type Field, optionalField, toggleField } from './field';
import { entered, wholeNumber } from './types';
import { countFormat } from '../values/json';

const returnAllField = toggleField('returnAll', 'Return All', {
	description: 'Whether to return all results or only up to a given limit',
});

const limitField = optionalField('limit', 'Limit', wholeNumber(1), {
	description: 'Max number of results to return',
	default: 50,
	displayOptions: { show: { returnAll: [false] } },
});

/** As in n8n's own nodes. Reads how many results are wanted: Infinity for all. */
export const paging = {
	fields: [returnAllField, limitField],
	read(item: InputItem): number {
		if (returnAllField.read(item)) return Infinity;
		return limitField.read(item) ?? 50;
	},
};

export function pageSizeOption(
	what: string,
	minimum: number,
	maximum: number,
	advice: string,
): Field<number | undefined> {
	return optionalField(
		'options.pageSize',
		'Page Size',
		entered(wholeNumber(minimum, maximum)),
		{
			description: `${what} per request, ${minimum} to ${countFormat.format(maximum)}. ${advice}.`,
			placeholder: 'e.g. 100',
		},
	);
}
