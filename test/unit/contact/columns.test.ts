import * as fc from 'fast-check';
import { assert, property } from 'fast-check';

import type { IDataObject } from 'n8n-workflow';

import type { AttributeNames } from '../../../nodes/Chatbase/resources/contact/panel/mapper';
import { isSameValue } from '../../../nodes/Chatbase/resources/contact/plan/values';
import {
	columnNamesOf,
	foldName,
	mapRow,
	planColumns,
	tableOf,
} from '../../../nodes/Chatbase/resources/contact/read/columns';

/** What becomes of a row, as the only one of the input or beside others. */
function map(
	row: IDataObject,
	{
		known = [] as AttributeNames[],
		others = [] as IDataObject[],
		idColumn = undefined as string | undefined,
	} = {},
) {
	const plan = planColumns(columnNamesOf(known), tableOf([row, ...others]), { idColumn });
	const { unsent, ...mapped } = mapRow(row, plan);
	return { ...mapped, ...unsent };
}

const valuesIn = (mapped: ReturnType<typeof map>) => Object.fromEntries(mapped.entries);

const fields = ['external_id', 'name', 'email', 'phonenumber'];

/** Names of attributes as the contract allows them, often close to those of fields. */
const attributeName = fc.oneof(
	fc.constantFrom('phone', 'Name', 'plan', 'Plan', 'externalId', 'tags', 'e-mail', 'id'),
	fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9_-]{0,8}$/),
);
const attributes = fc.uniqueArray(
	fc.record(
		{ name: attributeName, label: fc.oneof(attributeName, fc.string()) },
		{ requiredKeys: ['name'] },
	),
	{ selector: ({ name }) => name, maxLength: 6 },
);

/** A name as somebody else may write it. */
function respelled(name: string): fc.Arbitrary<string> {
	const between = fc.constantFrom('', ' ', '_', '-', '.', '\u00a0');
	const letters = [...name].map((letter) =>
		fc
			.tuple(between, fc.boolean())
			.map(([mark, isUpper]) => mark + (isUpper ? letter.toUpperCase() : letter.toLowerCase())),
	);
	return fc.tuple(...letters).map((parts) => parts.join(''));
}

const columnName = fc.oneof(
	fc.constantFrom(...fields, 'Email', 'E-Mail', 'Phone', 'phone', 'Plan', 'custom_attributes.plan'),
	fc.constantFrom(...fields).chain(respelled),
	attributeName,
	fc.string(),
);
const cell = fc.oneof(fc.constantFrom('', ' ', null), fc.string({ minLength: 1 }), fc.integer());
const columns = fc.dictionary(columnName, cell, { maxKeys: 8 });

it('finds a field under any spelling of its name and its label, without attributes', () => {
	const { targetOf } = columnNamesOf([]);
	const spelling = fc
		.constantFrom(
			['external_id', 'external_id'],
			['External ID', 'external_id'],
			['name', 'name'],
			['email', 'email'],
			['Phone Number', 'phonenumber'],
			['phone', 'phonenumber'],
		)
		.chain(([name, target]) => respelled(name).map((column) => ({ column, target })));
	assert(
		property(spelling, ({ column, target }) => {
			expect(targetOf(column)).toBe(target);
		}),
	);
});

it('folds a folded name to itself', () => {
	assert(property(fc.string(), (name) => expect(foldName(foldName(name))).toBe(foldName(name))));
});

it('gives each column that is not empty to one field, or says that it is not sent', () => {
	assert(
		property(attributes, columns, (known, row) => {
			const { entries, unknown, outranked, rivals } = map(row, { known });
			const sent = entries.map(([, value]) => value);
			const named = [...unknown, ...outranked, ...rivals.flatMap((rival) => rival.columns)];
			for (const [name, value] of Object.entries(row)) {
				const isRecordColumn = ['sync', 'id', 'createdat', 'updatedat'].includes(foldName(name));
				const isEmpty = value === null || String(value).trim() === '';
				if (isRecordColumn || isEmpty || named.includes(name)) continue;
				if (name === 'custom_attributes') continue;
				// Of columns with one value, one is sent.
				expect(sent.some((one) => isSameValue(one, value))).toBe(true);
			}
			const targets = entries.map(([target]) => target);
			expect(new Set(targets).size).toBe(targets.length);
		}),
	);
});

it('sends the exact name of a field and of an attribute, whatever other columns there are', () => {
	assert(
		property(attributes, columns, fc.string(), (known, drawn, value) => {
			const row = Object.fromEntries(
				Object.entries(drawn).filter(([name]) => name !== 'custom_attributes'),
			);
			for (const field of fields) {
				const mapped = map({ ...row, [field]: value }, { known });
				expect(new Map(mapped.entries).get(field)).toBe(value);
			}
			for (const { name } of known) {
				if ([...fields, 'id'].includes(name)) continue;
				const target = `custom_attributes.${name}`;
				const others = Object.entries(row).filter(([column]) => column !== target);
				const columnsOfRow = { ...Object.fromEntries(others), [name]: value };
				const mapped = map(columnsOfRow, { known });
				expect(new Map(mapped.entries).get(target)).toBe(value);
			}
		}),
	);
});

it('does the same for the columns in any order, unless they are rivals', () => {
	assert(
		property(attributes, columns, (known, row) => {
			const reversed = Object.fromEntries(Object.entries(row).reverse());
			const [one, other] = [row, reversed].map((each) => map(each, { known }));
			const rivalTargets = one.rivals.map(({ target }) => target);
			expect(other.rivals.map(({ target }) => target)).toEqual(rivalTargets);
			const others = ({ entries }: typeof one) =>
				entries.filter(
					([target, value]) =>
						!rivalTargets.includes(target) && value !== null && String(value).trim() !== '',
				);
			expect(others(other)).toEqual(others(one));
		}),
	);
});

it.each(['E Mail', 'e_mail', 'E-MAIL'])(
	'lets %s fill the field Email, not an attribute that folds alike',
	(column) => {
		const names = columnNamesOf([{ name: 'e-mail' }, { name: 'E_Mail' }]);
		expect(names.targetOf(column)).toBe('email');
		expect(names.targetOf('e-mail')).toBe('custom_attributes.e-mail');
	},
);

it.each(['plan_a', 'Plan A', 'PLAN.A'])(
	'leaves %s alone if two attributes could mean it',
	(name) => {
		const known = [{ name: 'planA' }, { name: 'plan-a' }];
		expect(map({ [name]: 'x' }, { known })).toMatchObject({
			entries: [],
			unknown: [name],
		});
	},
);

it('gives a column without a letter to no attribute, also if one has no label', () => {
	const known = [{ name: 'plan' }];
	expect(map({ '': 'x', '-': 'y' }, { known })).toMatchObject({
		entries: [],
		unknown: ['', '-'],
	});
});

describe('other names of a field', () => {
	it.each<[IDataObject, IDataObject]>([
		[{ 'Full Name': 'Ada L' }, { name: 'Ada L' }],
		[{ display_name: 'ada', first_name: 'Ada', last_name: 'L' }, { name: 'ada' }],
		[{ 'Display Name': 'ada', 'Full Name': 'Ada L' }, { name: 'Ada L' }],
		[{ 'First Name': ' Ada ', 'Last Name': 'Lovelace' }, { name: 'Ada Lovelace' }],
		[{ 'Given Name': 'Ada', 'Family Name': 'Lovelace' }, { name: 'Ada Lovelace' }],
		[{ 'Last Name': 'Lovelace', 'First Name': '' }, { name: 'Lovelace' }],
		[{ firstName: 'Ada' }, { name: 'Ada' }],
		[{ 'First Name': 'Ada', 'Last Name': 4 }, { name: 'Ada 4' }],
		[{ 'First Name': ['Ada'], 'Last Name': 'L' }, { name: ['Ada'] }],
		[{ 'First Name': ' ', 'Last Name': null }, { name: '' }],
		[{ 'Email Address': 'a@x.example' }, { email: 'a@x.example' }],
		[{ user_email: 'a@x.example' }, { email: 'a@x.example' }],
		[{ 'E-mail 1 - Value': 'a@x.example' }, { email: 'a@x.example' }],
		[{ Mobile: '1' }, { phonenumber: '1' }],
		[{ 'Mobile Phone': '1', 'Phone 1 - Value': '2' }, { phonenumber: '1' }],
		[{ 'Mo\u200Bbile': '1' }, { phonenumber: '1' }],
		[{ 'E\u2011Mail': 'a@x.example' }, { email: 'a@x.example' }],
		[{ 'Customer ID': 'C-1', User: 'u', UUID: 'x', Key: 'k' }, {}],
	])('%j fill %j', (row, values) => {
		expect(valuesIn(map(row))).toEqual(values);
	});

	it.each<[IDataObject, string[]]>([
		[{ Phone: '1', Mobile: '2' }, ['Mobile']],
		[
			{ name: 'Ada', 'Full Name': 'Ada L', 'First Name': 'A', 'Last Name': '' },
			['Full Name', 'First Name'],
		],
		[{ 'First Name': 'Ada', 'Given Name': 'Augusta' }, ['Given Name']],
		[{ 'Full Name': 'Ada L', 'Last Name': 'L' }, ['Last Name']],
	])('of %j, %j lose and are named', (row, outranked) => {
		expect(map(row)).toMatchObject({ outranked, unknown: [] });
	});

	it('count only if no item has a name of the field itself, whatever is empty in a row', () => {
		const row = { 'Full Name': 'Ada L', Mobile: '2' };
		const mapped = map(row, { others: [{ NAME: '', Phone: null }] });
		expect(mapped).toMatchObject({ entries: [], outranked: ['Full Name', 'Mobile'] });
	});

	it('are the same for all items: the first name that any item has', () => {
		const others = [{ Mobile: '1' }];
		const mapped = map({ 'Mobile Phone': '2' }, { others });
		expect(mapped).toMatchObject({ entries: [], outranked: ['Mobile Phone'] });
	});

	it('leave a column to an attribute of its name', () => {
		const known = [{ name: 'mobile' }, { name: 'first_name' }];
		const row = {
			Mobile: '1',
			'Phone 1 - Value': '2',
			'First Name': 'Ada',
			'Last Name': 'Lovelace',
		};
		expect(valuesIn(map(row, { known }))).toEqual({
			name: 'Lovelace',
			phonenumber: '2',
			'custom_attributes.mobile': '1',
			'custom_attributes.first_name': 'Ada',
		});
	});

	it('make rivals of two columns that differ only in spelling', () => {
		const { rivals } = map({ 'First Name': 'Ada', first_name: 'Bea', 'Last Name': 'L' });
		expect(rivals).toEqual([{ target: 'name', columns: ['First Name', 'first_name'] }]);
	});
});

describe('a column of an attribute beside the same key in custom_attributes', () => {
	const known = [{ name: 'plan' }];
	const flat = 'custom_attributes.plan';
	const rowsOf = (own: string, nested: string): IDataObject[] => [
		{ [flat]: own, custom_attributes: { plan: nested } },
		{ custom_attributes: { plan: nested }, [flat]: own },
	];

	it('is a rival if the values differ, in either order', () => {
		for (const row of rowsOf('pro', 'free')) {
			const { rivals } = map(row, { known });
			expect(rivals).toEqual([{ target: flat, columns: [flat, 'custom_attributes'] }]);
		}
	});

	it('fills the attribute with the value that is not empty, or that both have', () => {
		const rows = [...rowsOf('pro', ''), ...rowsOf(' ', 'pro'), ...rowsOf('pro', 'pro')];
		for (const row of rows) {
			const mapped = map(row, { known });
			expect(mapped.rivals).toEqual([]);
			expect(valuesIn(mapped)).toEqual({ [flat]: 'pro' });
		}
	});
});

describe('the column that was chosen for the External ID', () => {
	it.each<[string, IDataObject, IDataObject]>([
		['Customer ID', { 'Customer ID': 7 }, { external_id: 7 }],
		['customer_id', { 'Customer ID': '7' }, { external_id: '7' }],
		['Customer ID', { 'Customer ID': '7', customer_id: '8' }, { external_id: '7' }],
		['id', { id: 7 }, { external_id: 7 }],
		['ID', { id: 7, name: 'Ada' }, { external_id: 7, name: 'Ada' }],
		['email', { email: 'a@x.example' }, { external_id: 'a@x.example', email: 'a@x.example' }],
		['plan', { plan: 'p' }, { external_id: 'p', 'custom_attributes.plan': 'p' }],
		['Mobile', { Mobile: '1' }, { external_id: '1', phonenumber: '1' }],
		['Last Name', { 'Last Name': 'L', 'First Name': 'A' }, { external_id: 'L', name: 'A L' }],
		['external_id', { external_id: 'a', 'External ID': 'b' }, { external_id: 'a' }],
	])('%s: %j fill %j', (idColumn, row, values) => {
		const mapped = map(row, { known: [{ name: 'plan' }], idColumn });
		expect(valuesIn(mapped)).toEqual(values);
		expect(mapped.rivals).toEqual([]);
	});

	it('goes before a column external_id, also if its cell is empty or missing', () => {
		for (const cell of [{ 'Customer ID': 'x' }, { 'Customer ID': '' }, {}]) {
			const options = { idColumn: 'Customer ID', others: [{ 'Customer ID': 'x' }] };
			const mapped = map({ external_id: 'a', ...cell }, options);
			expect(mapped.outranked).toEqual(['external_id']);
			expect(valuesIn(mapped)).not.toHaveProperty('external_id', 'a');
		}
	});

	it('is a rival of another spelling with another value', () => {
		const { rivals } = map({ 'Customer ID': 'a', customer_id: 'b' }, { idColumn: 'CustomerId' });
		expect(rivals).toMatchObject([{ target: 'external_id' }]);
	});
});

it('names id as not sent if the row has no External ID', () => {
	expect(map({ id: 7, email: 'a@x.example' }).unknown).toEqual(['id']);
	expect(map({ ID: 7, external_id: '' }).unknown).toEqual(['ID']);
	expect(map({ id: 7, external_id: 'a' }).unknown).toEqual([]);
	expect(map({ id: '', email: 'a@x.example' }).unknown).toEqual([]);
});

it('reads a row alike in whatever order the items come', () => {
	const rows = fc.array(columns, { minLength: 1, maxLength: 4 });
	assert(
		property(attributes, rows, (known, [row, ...others]) => {
			const [one, other] = [others, [...others].reverse()].map((each) =>
				map(row, { known, others: each }),
			);
			expect(other).toEqual(one);
		}),
	);
});

it.each<[IDataObject, boolean]>([
	[{}, true],
	[{ a: '', b: null, c: ' \t' }, true],
	[{ a: '', b: 0 }, false],
	[{ a: false }, false],
	[{ a: [] }, true],
	[{ a: {} }, false],
])('calls %j a blank row: %s', (row, isBlank) => {
	const table = tableOf([row, {}]);
	expect(table.blankRows.has(0)).toBe(isBlank);
	expect(table.isBlank).toBe(isBlank);
});
