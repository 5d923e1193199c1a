import type { Contact } from '../../../nodes/Chatbase/resources/contact/plan/contactRecord';
import {
	type ChangeRules,
	contactAfter,
	differenceOf,
	droppedFrom,
} from '../../../nodes/Chatbase/resources/contact/plan/difference';
import {
	attributePrefix,
	contactValuesOf,
	dataOf,
	withoutNulls,
} from '../../../nodes/Chatbase/resources/contact/plan/values';
import type { WantedContact } from '../../../nodes/Chatbase/resources/contact/plan/wantedContact';
import type { Attributes } from '../../../nodes/Chatbase/resources/customAttribute/attributeTypes';

const wanted = (
	fields: Record<string, unknown>,
	attributes: Record<string, unknown> = {},
): WantedContact => ({
	values: new Map([
		...Object.entries(fields),
		...Object.entries(attributes).map(([name, value]) => [attributePrefix + name, value] as const),
	]),
	notSent: new Map(),
});
const plain: ChangeRules = { onlyIfEmpty: [] };
const attribute = (name: string, archived = false) =>
	[name, { name, type: 'text', archived }] as const;
const schema: Attributes = new Map([attribute('plan'), attribute('seats'), attribute('old', true)]);
const contact: Contact = {
	external_id: 'a',
	name: 'Ada',
	email: null,
	custom_attributes: { plan: 'free', seats: 3, old: 'kept' },
};

describe('an update', () => {
	it.each([
		['a field that differs', wanted({ name: 'Eve' }), ['name'], { name: 'Eve' }],
		['a field that is the same', wanted({ name: 'Ada' }), [], {}],
		['a field to clear that is empty', wanted({ email: null }), [], {}],
		[
			'an attribute that differs',
			wanted({}, { plan: 'pro' }),
			['custom_attributes.plan'],
			{ custom_attributes: { plan: 'pro', seats: 3 } },
		],
		['attributes that are the same', wanted({}, { plan: 'free', seats: '3' }), [], {}],
		[
			'an attribute to clear',
			wanted({}, { seats: null }),
			['custom_attributes.seats'],
			{ custom_attributes: { plan: 'free', seats: null } },
		],
	])('sends only the difference for %s', (_, input, changed, data) => {
		const change = differenceOf(contact, { ...input, attributes: schema }, plain);
		expect(change).toMatchObject({ changed, kept: [] });
		expect(dataOf(change.sent)).toEqual(data);
	});

	it('sends other attributes only when one changes', () => {
		const sent = (input: WantedContact) => [...differenceOf(contact, input, plain).sent.keys()];
		expect(sent(wanted({ name: 'Eve' }))).toEqual(['name']);
		expect(sent(wanted({}, { plan: 'free' }))).toEqual([]);
		expect(sent(wanted({}, { plan: 'pro' }))).toHaveLength(3);
	});
});

it('keeps the old values of what is protected or not mentioned in the contact after a change', () => {
	const stored: Contact = {
		external_id: 'a',
		name: 'Ada',
		email: 'ada@x.example',
		stripe_accounts: [],
		custom_attributes: { plan: 'free', seats: 3 },
	};
	const accounts = [{ label: 'Main', payment_id: 'cus_1' }];
	const input = wanted(
		{ name: 'Augusta', email: null, payment_accounts: accounts },
		{ plan: 'pro', seats: 5 },
	);
	const rules: ChangeRules = { onlyIfEmpty: ['custom_attributes.seats'] };
	const change = differenceOf(stored, { ...input, attributes: schema }, rules);
	expect(contactAfter(stored, change)).toEqual({
		external_id: 'a',
		name: 'Augusta',
		email: null,
		stripe_accounts: accounts,
		custom_attributes: { plan: 'pro', seats: 3 },
	});
	expect(change.before).toEqual({
		name: 'Ada',
		email: 'ada@x.example',
		payment_accounts: null,
		'custom_attributes.plan': 'free',
	});
});

it.each([
	['keeps a contact without attributes as it is', {}, wanted({ name: 'Eve' }), { name: 'Eve' }],
	[
		'has the new attribute in place of what is no object',
		{ custom_attributes: ['x'] },
		wanted({}, { plan: 'pro' }),
		{ custom_attributes: { plan: 'pro' } },
	],
])('after a change, %s', (_, held, input, after) => {
	const change = differenceOf(held as Contact, input, plain);
	expect(contactAfter(held as Contact, change)).toEqual(after);
});

it('counts everything as changed when the contact is not known', () => {
	expect(differenceOf(undefined, wanted({ name: 'Ada' }), plain)).toMatchObject({
		changed: ['name'],
		before: {},
		kept: [],
		sent: new Map([['name', 'Ada']]),
	});
});

it('counts a value to clear as changed when the contact is not known', () => {
	expect(differenceOf(undefined, wanted({ email: null }), plain).changed).toEqual(['email']);
});

it('protects a value, and sets one that is empty', () => {
	const rules: ChangeRules = { onlyIfEmpty: ['name', 'email'] };
	const { changed, kept } = differenceOf(
		contact,
		wanted({ name: 'Eve', email: 'e@x.example' }),
		rules,
	);
	expect({ changed, kept }).toEqual({ changed: ['email'], kept: ['name'] });
});

it('distinguishes text from an equal number or date', () => {
	const held: Contact = { external_id: '7', name: '2026-09-01' };
	const input = wanted({ external_id: '07', name: '2026-09-01T00:00:00Z' });
	expect(differenceOf(held, input, plain).changed).toEqual(['external_id', 'name']);
});

it('sends attributes named like parts of a prototype', () => {
	const attributes = JSON.parse('{"__proto__":"x","constructor":"y"}') as Record<string, unknown>;
	const { sent } = differenceOf(contact, { ...wanted({}, attributes), attributes: schema }, plain);
	expect(JSON.stringify(dataOf(sent))).toBe(
		'{"custom_attributes":{"plan":"free","seats":3,"__proto__":"x","constructor":"y"}}',
	);
});

it('creates without fields to clear', () => {
	const input = wanted({ external_id: 'a', name: null }, { plan: null, seats: 1 });
	expect(dataOf(withoutNulls(input.values))).toEqual({
		external_id: 'a',
		custom_attributes: { seats: 1 },
	});
});

it('names attributes that were there before and are gone, though nobody sent them', () => {
	const before = new Map([
		['custom_attributes.plan', 'free'],
		['custom_attributes.moon', 'Io'],
		['nickname', 'A field that the response need not have'],
	]);
	expect(droppedFrom(contactValuesOf(contact), { before })).toEqual(['custom_attributes.moon']);
});

it('names fields that did not come back', () => {
	const sent = wanted(
		{
			name: 'Ada',
			email: 'a@x.example',
			payment_accounts: [{ label: 'Main', payment_id: '1' }],
		},
		{ plan: 'free', planet: 'Mars', seats: null },
	).values;
	const returned = { ...contact, stripe_accounts: [{ label: 'Main', stripe_id: '1' }] };
	const notSent = new Map([['custom_attributes.moon', 'Io']]);
	expect(droppedFrom(contactValuesOf(returned), { notSent, sent })).toEqual([
		'email',
		'custom_attributes.planet',
		'custom_attributes.seats',
		'custom_attributes.moon',
	]);
});
