import * as fc from 'fast-check';
import { assert, property } from 'fast-check';

import type { IDataObject } from 'n8n-workflow';

import {
	type ColumnPlan,
	columnNamesOf,
	foldName,
	isBlankRow,
	mapRow,
	planColumns,
	tableOf,
} from '../../../nodes/Chatbase/resources/contact/read/columns';

interface Known {
	name: string;
	label?: string;
	archived?: boolean;
}

interface Surroundings {
	known?: Known[];
	others?: IDataObject[];
	idColumn?: string;
	isUpdate?: boolean;
}

function planOf(rows: IDataObject[], { known = [], idColumn, isUpdate }: Surroundings = {}) {
	return planColumns(columnNamesOf(known), tableOf(rows), { idColumn, isUpdate });
}

/** What becomes of a row, as the only one of the input or beside others. */
function map(row: IDataObject, more: Surroundings = {}) {
	const plan = planOf([row, ...(more.others ?? [])], more);
	const { entries, lacking } = mapRow(row, plan);
	return { ...plan, values: Object.fromEntries(entries), entries, lacking };
}

const fields = ['external_id', 'name', 'email', 'phonenumber'];
const neverNamed = ['_sync', 'created_at', 'id', 'row_number', 'updated_at'].map(foldName);

/** Names of attributes as the contract allows them, often close to those of fields. */
const attributeName = fc.oneof(
	fc.constantFrom('phone', 'Name', 'plan', 'Plan', 'externalId', 'tags', 'e-mail', 'id'),
	fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9_-]{0,8}$/),
);
const attributes = fc.uniqueArray(
	fc.record(
		{
			name: attributeName,
			label: fc.oneof(attributeName, fc.string()),
			archived: fc.boolean(),
		},
		{ requiredKeys: ['name'] },
	),
	{ selector: ({ name }) => name, maxLength: 6 },
);

/** A name as somebody else may write it. */
function respelled(name: string): fc.Arbitrary<string> {
	const between = fc.constantFrom('', ' ', '_', '-', '.', '\u00a0', '\u2011', '\u200b');
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
const columns = fc.dictionary(columnName, cell, { maxKeys: 8 }).map((row) => {
	const entries = Object.entries(row).filter(([name]) => name !== 'custom_attributes');
	return Object.fromEntries(entries) as IDataObject;
});

describe('any columns', () => {
	it('each fill something, or are named as not sent', () => {
		assert(
			property(attributes, fc.array(columns, { minLength: 1, maxLength: 3 }), (known, rows) => {
				const plan = planOf(rows, { known });
				const used = new Set([...plan.columnOf.values(), ...plan.lost]);
				for (const column of plan.columns) {
					if (neverNamed.includes(foldName(column)) || used.has(column)) continue;
					expect([...plan.unsent, ...plan.outranked]).toContain(column);
				}
			}),
		);
	});

	it('fill the same whatever the order of items and keys', () => {
		assert(
			property(attributes, fc.array(columns, { minLength: 1, maxLength: 4 }), (known, rows) => {
				const reversed = [...rows]
					.reverse()
					.map((row) => Object.fromEntries(Object.entries(row).reverse()));
				const sorted = ({ columnOf, outranked, unsent }: ColumnPlan) => ({
					columnOf: [...columnOf],
					outranked: [...outranked].sort(),
					unsent: [...unsent].sort(),
				});
				expect(sorted(planOf(reversed, { known }))).toEqual(sorted(planOf(rows, { known })));
			}),
		);
	});

	it('leave a field to the column of exactly its name', () => {
		assert(
			property(attributes, columns, fc.constantFrom(...fields), (known, row, field) => {
				const { columnOf } = planOf([{ ...row, [field]: 'x' }], { known });
				expect(columnOf.get(field)).toBe(field);
			}),
		);
	});
});

it('finds a field under any spelling of its name and its label', () => {
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

const plan = { name: 'plan', label: 'Tariff' };
const old = { name: 'old', label: 'Old', archived: true };

describe('a column fills the first of', () => {
	it.each<[string, string, Known[], string | undefined]>([
		['a field with exactly this ID', 'name', [{ name: 'name' }], 'name'],
		[
			'an attribute with exactly this name',
			'Email',
			[{ name: 'Email' }],
			'custom_attributes.Email',
		],
		['a field by label', 'Phone Number', [{ name: 'phone_number' }], 'phonenumber'],
		['a field by its short name', 'PHONE', [], 'phonenumber'],
		[
			'an attribute by name',
			'PLAN',
			[plan, { name: 'b', label: 'Plan' }],
			'custom_attributes.plan',
		],
		['an attribute by label', 'tariff', [plan], 'custom_attributes.plan'],
		[
			'an attribute by its name among values',
			'custom_attributes.plan',
			[plan],
			'custom_attributes.plan',
		],
		[
			'no attribute of two that fold alike',
			'plan_a',
			[{ name: 'planA' }, { name: 'plan-a' }],
			undefined,
		],
		[
			'an active attribute before an archived one',
			'Old',
			[old, { name: 'b', label: 'Old' }],
			'custom_attributes.b',
		],
		['an archived attribute, so that it is named', 'OLD', [old], 'custom_attributes.old'],
		['nothing for a name without a letter', '-', [{ name: 'plan' }], undefined],
		['nothing for the name of another program', 'Full Name', [], undefined],
	])('%s: %s', (_, column, known, target) => {
		expect(columnNamesOf(known).targetOf(column)).toBe(target);
	});
});

describe('of several columns for one field counts', () => {
	it.each<[string, IDataObject, string, IDataObject[]?]>([
		['the exact ID', { Email: 'a', email: 'b' }, 'email'],
		['the exact label', { 'E-Mail': 'a', Email: 'b' }, 'Email'],
		['the first by code units', { e_mail: 'a', 'E-Mail': 'b' }, 'E-Mail'],
		[
			'the exact ID, although this cell is empty',
			{ email: '', Email: 'b' },
			'email',
			[{ email: 'c' }],
		],
		[
			'another one, if the exact ID is empty in all items',
			{ email: ' ', Email: 'b' },
			'Email',
			[{ email: null }],
		],
		['the best name, if all are empty', { email: '', Email: '' }, 'email'],
	])('%s', (_, row, best, others = []) => {
		const { columnOf, outranked, unsent } = map(row, { others });
		expect(columnOf.get('email')).toBe(best);
		expect(outranked).toEqual(Object.keys(row).filter((column) => column !== best));
		expect(unsent).toEqual([]);
	});

	it('none as first and last name: an attribute takes its own, and Name stays unfilled', () => {
		const row = { 'First Name': 'Ada', 'Last Name': 'Lovelace' };
		const { values, unfilled, unsent } = map(row, { known: [{ name: 'first_name' }] });
		expect(values).toEqual({ 'custom_attributes.first_name': 'Ada' });
		expect(unfilled).toContain('name');
		expect(unsent).toEqual(['Last Name']);
	});
});

describe('columns of records and rows', () => {
	const row = { id: 7, ID: 8, row_number: 2, 'Created At': 1, updated_at: 2, _sync: {} };

	it('are neither sent nor named', () => {
		expect(map(row)).toMatchObject({ values: {}, unsent: [], outranked: [] });
	});

	it('fill an attribute of exactly their name', () => {
		const known = [{ name: 'id' }, { name: 'row_number' }];
		expect(map(row, { known }).values).toEqual({
			'custom_attributes.id': 7,
			'custom_attributes.row_number': 2,
		});
	});

	it('fill the External ID if they are chosen', () => {
		expect(map(row, { idColumn: 'id' }).values).toEqual({ external_id: 7 });
	});
});

describe('the keys of custom_attributes', () => {
	it('fill attributes of exactly their name, and no fields', () => {
		const row = { custom_attributes: { plan: 'pro', Tariff: 'x', email: 'y' } };
		const { values, lost } = map(row, { known: [plan] });
		expect(values).toEqual({
			'custom_attributes.plan': 'pro',
			'custom_attributes.Tariff': 'x',
			'custom_attributes.email': 'y',
		});
		expect(lost).toEqual(['custom_attributes.Tariff', 'custom_attributes.email']);
	});

	it.each<[string, IDataObject, unknown]>([
		['a column that is not empty', { plan: 'pro' }, 'pro'],
		['a column that is not empty, by label', { TARIFF: 'pro' }, 'pro'],
		['a flattened column that is not empty', { 'custom_attributes.plan': 'pro' }, 'pro'],
		['the key, if the column is empty', { plan: ' ' }, 'free'],
		['the key, if there is no column', {}, 'free'],
	])('beside a column: %s', (_, flat, value) => {
		for (const row of [
			{ ...flat, custom_attributes: { plan: 'free' } },
			{ custom_attributes: { plan: 'free' }, ...flat },
		]) {
			const { values, unsent, outranked } = map(row as IDataObject, { known: [plan] });
			expect(values).toEqual({ 'custom_attributes.plan': value });
			expect([...unsent, ...outranked]).toEqual([]);
		}
	});

	it('may be null, which is a value', () => {
		expect(map({ custom_attributes: { plan: null } }, { known: [plan] }).values).toEqual({
			'custom_attributes.plan': null,
		});
	});

	it('are a column like any other if they are text or a list', () => {
		expect(map({ custom_attributes: '{"plan":"pro"}' }, { known: [plan] })).toMatchObject({
			values: {},
			unsent: ['custom_attributes'],
		});
	});
});

describe('the column that was chosen for the External ID', () => {
	it.each<[string, IDataObject, IDataObject]>([
		['Customer ID', { 'Customer ID': 7 }, { external_id: 7 }],
		['customer_id', { 'Customer ID': '7' }, { external_id: '7' }],
		['Customer ID', { 'Customer ID': '7', customer_id: '8' }, { external_id: '7' }],
		['CustomerId', { customer_id: '8', 'Customer ID': '7' }, { external_id: '7' }],
		['ID', { id: 7, name: 'Ada' }, { external_id: 7, name: 'Ada' }],
		['email', { email: 'a@x.example' }, { external_id: 'a@x.example', email: 'a@x.example' }],
		['plan', { plan: 'p' }, { external_id: 'p', 'custom_attributes.plan': 'p' }],
		['external_id', { external_id: 'a', 'External ID': 'b' }, { external_id: 'a' }],
	])('%s: %j fill %j', (idColumn, row, values) => {
		expect(map(row, { known: [plan], idColumn }).values).toEqual(values);
	});

	it('goes before a column external_id, also if its cell is empty or missing', () => {
		for (const cells of [{ 'Customer ID': 'x' }, { 'Customer ID': '' }, {}]) {
			const options = { idColumn: 'Customer ID', others: [{ 'Customer ID': 'x' }] };
			const { values, outranked } = map({ external_id: 'a', ...cells }, options);
			expect(outranked).toEqual(['external_id']);
			expect(values).not.toHaveProperty('external_id', 'a');
		}
	});

	it('is known as the ID alone, unless it fills its own field, too', () => {
		expect(map({ Login: 'a@x.example' }, { idColumn: 'Login' }).idOnly).toBe('Login');
		expect(map({ email: 'a@x.example' }, { idColumn: 'email' }).idOnly).toBeUndefined();
	});
});

it('renames no contact in an update', () => {
	const row = { external_id: 'a', 'External ID': 'b', name: 'Ada' };
	const { values, unsent, outranked } = map(row, { isUpdate: true });
	expect(values).toEqual({ name: 'Ada' });
	expect([...unsent, ...outranked]).toEqual([]);
});

it('sends payment accounts as lists alone', () => {
	const accounts = [{ label: 'Main' }];
	expect(
		map({ payment_accounts: accounts }, { others: [{ payment_accounts: null }] }).values,
	).toEqual({
		payment_accounts: accounts,
	});
	expect(
		map({ payment_accounts: accounts }, { others: [{ payment_accounts: 'cus_1' }] }),
	).toMatchObject({
		values: {},
		unsent: ['payment_accounts'],
	});
});

it('names columns that an item lacks, but no keys of custom_attributes', () => {
	const others = [{ Phone: '1', custom_attributes: { plan: 'pro' } }];
	expect(map({ name: 'Ada' }, { known: [plan], others }).lacking).toEqual(['Phone']);
});

it.each<[IDataObject, boolean]>([
	[{}, true],
	[{ row_number: 2 }, true],
	[{ a: '', b: null, c: ' \t' }, true],
	[{ row_number: 2, a: '' }, true],
	[{ a: [] }, true],
	[{ a: '', b: 0 }, false],
	[{ a: false }, false],
	[{ a: {} }, false],
])('calls %j among other rows blank: %s', (row, isBlank) => {
	expect(isBlankRow(row, tableOf([row, { a: 'filled' }]))).toBe(isBlank);
});

it.each([{}, { row_number: 2 }])('does not call %j blank if no item has cells', (row) => {
	expect(isBlankRow(row, tableOf([row]))).toBe(false);
});
