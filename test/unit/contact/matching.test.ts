import type { Contact } from '../../../nodes/Chatbase/resources/contact/plan/contactRecord';
import { KnownContacts } from '../../../nodes/Chatbase/resources/contact/plan/knownContacts';
import { matchWishes, reserveKeys } from '../../../nodes/Chatbase/resources/contact/plan/matching';
import type {
	ContactInput,
	ContactKey,
	WriteSettings,
} from '../../../nodes/Chatbase/resources/contact/plan/wantedContact';
import { agreeOn, wishesOf } from '../../../nodes/Chatbase/resources/contact/plan/wishes';
import { settings } from './settings';

function input(index: number, key: ContactKey, more: Partial<ContactInput> = {}): ContactInput {
	const values = new Map(key.id === undefined ? [] : [['external_id', key.id]]);
	const read = { values, notSent: new Map() };
	return { index, key, settings, ...read, ...more };
}

const byEmail = { ...settings, matchBy: 'externalIdThenEmail' } as const;
const ada: Contact = { id: '1', external_id: 'a', email: 'Ada@x.example' };
const bea: Contact = { id: '2', external_id: 'b', email: 'bea@x.example' };
const twin: Contact = { id: '3', external_id: 'a', email: 'twin@x.example' };
const spaced: Contact = { id: '6', external_id: ' c' };
const nameless: Contact = { id: '4', email: 'nobody@x.example' };
const unnamable: Contact = { id: '5', external_id: '..', email: 'dots@x.example' };

/** What becomes of the last of the inputs: the ID of its contact, "new", or why it is unclear. */
function outcomeOf(
	inputs: ContactInput[],
	contacts: Contact[],
	{ refused = [] as ContactKey[] } = {},
): string {
	const wanted = wishesOf(inputs);
	const reserved = reserveKeys(refused, inputs, wanted.refused);
	const matches = matchWishes(wanted, new KnownContacts(contacts), reserved);
	const { index } = inputs[inputs.length - 1];
	const isIt = ({ items }: { items: readonly number[] }) => items.includes(index);

	const found = matches.existing.find(({ wish }) => isIt(wish));
	if (found) return found.contact.id;
	if (matches.fresh.some(isIt)) return 'new';
	const { problem } = matches.refused.find(isIt)!;
	return problem.kind === 'unclear' ? problem.reason : problem.kind;
}

describe('finding the contact of an item', () => {
	it.each<[string, ContactKey, Contact[], string]>([
		['its ID', { id: 'a' }, [ada, bea], 'a'],
		['its ID, whoever has its email', { id: 'a', email: 'bea@x.example' }, [ada, bea], 'a'],
		['its email if it has no ID', { email: 'ada@x.example' }, [ada, bea], 'a'],
		['nobody', { id: 'c' }, [ada, bea], 'new'],
		['an ID in another case is another one', { id: 'A' }, [ada], 'new'],
		['an ID in another spelling', { id: ' a\u200b' }, [ada], 'a'],
		['an ID that the service has in another spelling', { id: 'c' }, [spaced], ' c'],
		['exactly its ID before others', { id: ' c' }, [{ ...spaced, external_id: 'c' }, spaced], ' c'],
		['exactly its ID before later ones', { id: ' c' }, [spaced, { external_id: 'c' }], ' c'],
		[
			'an ID that two contacts spell in other ways',
			{ id: 'c' },
			[spaced, { external_id: 'c ' }],
			'idIsShared',
		],
		['an ID of two contacts', { id: 'a' }, [ada, twin], 'idIsShared'],
		['an email of nobody', { email: 'c@x.example' }, [ada], 'emailNotFound'],
		[
			'an email of a contact without an ID',
			{ email: 'nobody@x.example' },
			[nameless],
			'holderHasNoId',
		],
		[
			'an email of a contact whose ID no path can name',
			{ email: 'dots@x.example' },
			[unnamable],
			'holderHasNoId',
		],
		[
			'an email of two',
			{ email: 'ada@x.example' },
			[ada, { ...bea, email: ada.email }],
			'emailIsShared',
		],
		['an email whose ID two have', { email: 'twin@x.example' }, [ada, twin], 'idIsShared'],
	])('goes by %s', (_, key, contacts, expected) => {
		expect(outcomeOf([input(0, key)], contacts)).toBe(expected);
	});

	it('gives each of several items without an ID the contact with its email', () => {
		const named = (index: number, email: string, name: string) =>
			input(index, { email }, { values: new Map([['name', name]]) });
		const [forAda, forBea] = [named(0, 'ada@x.example', 'Ada'), named(1, 'bea@x.example', 'Bea')];
		expect(outcomeOf([forAda, forBea], [ada, bea])).toBe('b');
		expect(outcomeOf([forBea, forAda], [ada, bea])).toBe('a');
		const other = named(2, 'bea@x.example', 'Beatrix');
		expect(outcomeOf([forAda, forBea, other], [ada, bea])).toBe('contradiction');
	});

	it('uses the email of an item with a new ID only when the user chose that', () => {
		const key = { id: 'new', email: 'ada@x.example' };
		expect(outcomeOf([input(0, key)], [ada])).toBe('new');
		expect(outcomeOf([input(0, key, { settings: byEmail })], [ada])).toBe('a');
	});

	it('gives the contact that another item names by its ID to no item by email', () => {
		const inputs = [input(0, { id: 'a' }), input(1, { email: 'ada@x.example' })];
		expect(outcomeOf(inputs, [ada])).toBe('holderIsReserved');
	});

	it('gives the contact that a failed item could mean to no item by email', () => {
		const item = [input(0, { email: 'ada@x.example' })];
		expect(outcomeOf(item, [ada], { refused: [{ id: 'a' }] })).toBe('holderIsReserved');
		expect(outcomeOf(item, [ada], { refused: [{ email: 'ada@x.example' }] })).toBe(
			'emailIsReserved',
		);
	});

	it('fails the item whose contact could not be read', () => {
		const error = new Error('No access');
		const known = new KnownContacts([], new Map([['a', error]]));
		const wanted = wishesOf([input(0, { id: 'a' })]);
		const { refused } = matchWishes(wanted, known, reserveKeys([], [], []));
		expect(refused).toEqual([{ items: [0], problem: { kind: 'error', error }, candidates: [] }]);
	});

	it('gives a contact that one item names in another spelling to no item by email', () => {
		const inputs = [input(0, { id: 'a\u200b' }), input(1, { email: 'ada@x.example' })];
		expect(outcomeOf(inputs, [ada])).toBe('holderIsReserved');
	});
});

describe('fields that the service would drop', () => {
	const notSent = new Map([['custom_attributes.moon', 'Io']]);
	const matchesFor = (onDroppedFields: WriteSettings['onDroppedFields'], contact = ada) => {
		const wanted = wishesOf([
			input(0, { id: 'a' }, { notSent, settings: { ...settings, onDroppedFields } }),
		]);
		return matchWishes(wanted, new KnownContacts([contact]), reserveKeys([], [], []));
	};

	it('fail the item before it is written if the user chose that, and its contact is not missing', () => {
		const problem = { kind: 'dropped', fields: ['custom_attributes.moon'] };
		expect(matchesFor('error')).toEqual({
			existing: [],
			fresh: [],
			refused: [{ items: [0], problem, candidates: [ada] }],
		});
	});

	it('are no obstacle if the contact has their values', () => {
		const contact = { ...ada, custom_attributes: { moon: 'Io' } };
		expect(matchesFor('error', contact)).toMatchObject({
			existing: [{ contact: { id: 'a' } }],
			refused: [],
		});
	});

	it('are otherwise no obstacle', () => {
		expect(matchesFor('warn')).toMatchObject({ existing: [{ contact: { id: 'a' } }], refused: [] });
	});
});

describe('items about one contact', () => {
	const named = (index: number, name: string, more = {}) =>
		input(index, { id: 'a' }, { values: new Map([['name', name]]), ...more });

	it('are one wish if they want the same', () => {
		const { wishes, refused } = wishesOf([named(0, 'Ada'), named(2, 'Ada')]);
		expect(wishes.map(({ items }) => items)).toEqual([[0, 2]]);
		expect(refused).toEqual([]);
	});

	it('are one wish with the cleaned ID if they spell it differently', () => {
		const spelled = (index: number, id: string) =>
			input(index, { id }, { values: new Map([['external_id', 'a']]) });
		const { wishes, refused } = wishesOf([spelled(0, 'a '), spelled(1, '\u200ba')]);
		expect(refused).toEqual([]);
		expect(wishes).toMatchObject([{ items: [0, 1], key: { id: 'a' } }]);
	});

	it('are two wishes if an ID looks like the email of the other', () => {
		const email = 'ada@x.example';
		expect(wishesOf([input(0, { id: email }), input(1, { email })]).wishes).toHaveLength(2);
	});

	it.each<[string, ContactInput, string[]]>([
		['another value', named(1, 'Eve'), ['name']],
		['no value', named(1, 'Ada', { values: new Map() }), ['name']],
		[
			'other options',
			named(1, 'Ada', { settings: { ...settings, emptyValues: 'clear' } }),
			['options'],
		],
		['a text that would be one date', named(1, '2026-09-01T00:00'), ['name']],
		[
			'other fields to protect',
			named(1, 'Ada', { settings: { ...settings, onlyIfEmpty: ['name'] } }),
			['options'],
		],
		[
			'a value that is not sent',
			named(1, 'Ada', { notSent: new Map([['custom_attributes.x', 1]]) }),
			['custom_attributes.x'],
		],
	])('contradict each other if one has %s', (_, other, names) => {
		const { wishes, refused } = wishesOf([named(0, 'Ada'), other]);
		expect(wishes).toEqual([]);
		const problem = { kind: 'contradiction', names, ids: ['a'] };
		expect(refused).toEqual([{ items: [0, 1], problem, candidates: [] }]);
	});

	it.each<[string, string, string, string[]]>([
		['agree', '+45 20 55 01 88', '004520550188', []],
		['contradict each other', '+4520550188', '20550188', ['phonenumber']],
	])('%s in any order if their phone numbers are %s and %s', (_, one, other, names) => {
		for (const phones of [
			[one, other],
			[other, one],
		]) {
			const inputs = phones.map((phone, index) =>
				input(index, { id: 'a' }, { values: new Map([['phonenumber', phone]]) }),
			);
			const named = wishesOf(inputs).refused.flatMap(({ problem }) =>
				problem.kind === 'contradiction' ? problem.names : [],
			);
			expect(named).toEqual(names);
		}
	});

	it('contradict each other if both match it by email and their IDs differ', () => {
		const key = (id: string) => ({ id, email: 'ada@x.example' });
		const inputs = [
			input(0, key('n'), { settings: byEmail }),
			input(1, key('m'), { settings: byEmail }),
		];
		expect(outcomeOf(inputs, [ada])).toBe('contradiction');
	});

	it('keep the order of their numbers when wishes become one', () => {
		const { wishes } = wishesOf([named(3, 'Ada'), input(1, { id: 'b' }, named(1, 'Ada'))]);
		const joined = agreeOn([...wishes].reverse(), () => 'same');
		expect(joined.wishes.map(({ items }) => items)).toEqual([[1, 3]]);
	});
});
