import type { IDataObject } from 'n8n-workflow';

import { resolveValue } from '../../../nodes/Chatbase/execution/context';

/** A date like Luxon's: its year is an inherited property. */
class Moment {
	get year() {
		return 2026;
	}
}

const json = {
	id: 'a',
	'zip code': '0150',
	address: { city: 'Oslo', lines: ['Street 1', { floor: 3 }] },
	none: null,
	date: new Date(0),
	moment: new Moment(),
	bare: Object.assign(Object.create(null) as IDataObject, { key: 'value' }),
} as unknown as IDataObject;

/** An item with this data, for which n8n answers each expression with `asked`. */
const asked = Symbol('asked');
const scope = { json, evaluate: () => asked };

it.each([
	['a fixed value', 'a fixed value'],
	[7, 7],
	['={{ $json.id }}', 'a'],
	['={{$json["zip code"]}}', '0150'],
	["={{ $json['zip code'] }}", '0150'],
	['={{ $json.address.city }}', 'Oslo'],
	['={{ $json.address["lines"][0] }}', 'Street 1'],
	['={{ $json.address.lines[1].floor }}', 3],
	['={{ $json.address.lines.length }}', 2],
	['={{ $json.bare.key }}', 'value'],
	['={{ $json.none }}', null],
	['={{ $json.missing }}', undefined],
	['={{ $json.constructor }}', undefined],
])('looks %j up without asking n8n', (value, expected) => {
	expect(resolveValue(scope, value)).toEqual(expected);
});

it.each([
	'={{ $json.id.length }}',
	'={{ $json.none.deeper }}',
	'={{ $json.date.year }}',
	'={{ $json.moment.year }}',
	'={{ $json.missing.deeper }}',
	'={{ $json.id }} ',
	'={{ $json.id + "" }}',
	'={{ $json.id.trim() }}',
	'={{ $json }}',
	'={{ $json["a\\nb"] }}',
	'={{ $now.year }}',
	'=text',
])('leaves %j to n8n', (value) => {
	expect(resolveValue(scope, value)).toBe(asked);
});
