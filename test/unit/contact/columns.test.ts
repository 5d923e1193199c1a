import * as fc from 'fast-check';
import { assert, property } from 'fast-check';

import {
	columnNamesOf,
	foldName,
	mapColumns,
} from '../../../nodes/Chatbase/resources/contact/read/columns';
import { isSameValue } from '../../../nodes/Chatbase/resources/contact/plan/sameValue';

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
			const { entries, unknown, outranked, rivals } = mapColumns(row, columnNamesOf(known), false);
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
			const names = columnNamesOf(known);
			for (const field of fields) {
				const mapped = mapColumns({ ...row, [field]: value }, names, false);
				expect(new Map(mapped.entries).get(field)).toBe(value);
			}
			for (const { name } of known) {
				if ([...fields, 'id'].includes(name)) continue;
				const target = `custom_attributes.${name}`;
				const others = Object.entries(row).filter(([column]) => column !== target);
				const columnsOfRow = { ...Object.fromEntries(others), [name]: value };
				const mapped = mapColumns(columnsOfRow, names, false);
				expect(new Map(mapped.entries).get(target)).toBe(value);
			}
		}),
	);
});

it('does the same for the columns in any order, unless they are rivals', () => {
	assert(
		property(attributes, columns, (known, row) => {
			const names = columnNamesOf(known);
			const reversed = Object.fromEntries(Object.entries(row).reverse());
			const [one, other] = [row, reversed].map((each) => mapColumns(each, names, false));
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
		expect(mapColumns({ [name]: 'x' }, columnNamesOf(known), false)).toMatchObject({
			entries: [],
			unknown: [name],
		});
	},
);
