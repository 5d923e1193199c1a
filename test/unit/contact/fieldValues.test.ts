import { emptyId } from '../../errorTexts';
import { attributePrefix, type Entry } from '../../../nodes/Chatbase/resources/contact/plan/values';
import { readValues } from '../../../nodes/Chatbase/resources/contact/read/fieldValues';
import type { Attribute } from '../../../nodes/Chatbase/resources/customAttribute/attributeTypes';

const attribute = (name: string, type: Attribute['type'], archived = false) =>
	[name, { name, type, label: `The ${name}`, archived }] as const;
const attributes = new Map([
	attribute('plan', 'text'),
	attribute('seats', 'number'),
	attribute('since', 'date'),
	attribute('old', 'number', true),
]);

interface Given {
	additional?: Entry[];
	emptyValues?: 'ignore' | 'clear';
	textFormat?: 'iso' | 'dayComma';
	isListed?: boolean;
}

function read(entries: Entry[], { additional = [], isListed = true, ...rules }: Given = {}) {
	const { values, notSent, problems, notes } = readValues(entries, additional, {
		emptyValues: 'ignore',
		textFormat: 'iso',
		attributes: isListed ? attributes : undefined,
		...rules,
	});
	const titles = [...problems.values()].map(({ title }) => title);
	return {
		values: Object.fromEntries(values),
		notSent: Object.fromEntries(notSent),
		titles,
		notes,
	};
}

const of = (name: string) => attributePrefix + name;

describe('an External ID, an email and a phone number are cleaned', () => {
	it.each<[string, unknown, string]>([
		['external_id', ' C-1\u200B', 'C-1'],
		['external_id', "'7001", '7001'],
		['external_id', 'C\u201101', 'C\u201101'],
		['external_id', 7001, '7001'],
		['email', '\uFEFFada@x\u2011y.example ', 'ada@x-y.example'],
		['phonenumber', "'+44\u201120", "'+44-20"],
		['phonenumber', '="+4420"', '+4420'],
		['phonenumber', 4420, '4420'],
	])('%s: %j becomes %j, from columns and from JSON', (name, value, cleaned) => {
		expect(read([[name, value]]).values).toEqual({ [name]: cleaned });
		if (typeof value === 'string') {
			expect(read([], { additional: [[name, value]] }).values).toEqual({ [name]: cleaned });
		}
	});

	it('and nothing else is', () => {
		const entries: Entry[] = [
			['name', "'7001 "],
			[of('plan'), '="x"\u200B'],
		];
		expect(read(entries).values).toEqual(Object.fromEntries(entries));
	});
});

describe('an External ID is refused', () => {
	it.each<[unknown, string]>([
		[' ', emptyId],
		['\u200B', emptyId],
		['=""', emptyId],
		['.', 'External ID is not valid'],
		['="..\u200B"', 'External ID is not valid'],
		['%2e', 'External ID is not valid'],
		['4.47911E+11', 'External ID has lost digits'],
		[' 4,47911e+11', 'External ID has lost digits'],
		['5E+10', 'External ID has lost digits'],
		[['a'], 'External ID is not text'],
	])('if it is %j', (id, title) => {
		expect(read([['external_id', id]])).toMatchObject({ values: {}, titles: [title] });
		expect(read([], { additional: [['external_id', id]] })).toMatchObject({ titles: [title] });
	});

	it('unless it is an ID that only looks similar, or Additional Fields override it', () => {
		for (const id of ['1E5', '4.47911E11', 'x4.4E+11', 'a..b']) {
			expect(read([['external_id', id]]).values).toEqual({ external_id: id });
		}
		const additional: Entry[] = [['external_id', 'a']];
		expect(read([['external_id', '..']], { additional })).toMatchObject({
			values: { external_id: 'a' },
			titles: [],
		});
	});
});

describe('an empty value', () => {
	it.each([null, '', ' \t'])('%j changes nothing, or clears with Clear', (empty) => {
		const entries: Entry[] = [
			['name', empty],
			[of('plan'), empty],
		];
		expect(read(entries).values).toEqual({});
		expect(read(entries, { emptyValues: 'clear' }).values).toEqual({
			name: null,
			[of('plan')]: null,
		});
	});

	it('never clears an External ID', () => {
		expect(read([['external_id', '']], { emptyValues: 'clear' }).values).toEqual({});
	});
});

describe('an archived attribute', () => {
	const name = of('old');

	it('gets no value, whatever its type and wherever it comes from', () => {
		for (const value of [5, 'five']) {
			const unsent = { values: {}, notSent: { [name]: value }, titles: [] };
			expect(read([[name, value]])).toMatchObject(unsent);
			expect(read([], { additional: [[name, value]] })).toMatchObject(unsent);
		}
	});

	it('is cleared by null from JSON or Clear Field Names, not by an empty cell', () => {
		expect(read([], { additional: [[name, null]] }).values).toEqual({ [name]: null });
		expect(read([[name, '']], { emptyValues: 'clear' }).values).toEqual({});
	});
});

it('an attribute that the chatbot lacks is not sent, unless attributes cannot be listed', () => {
	const entry: Entry = [of('moon'), 'Io'];
	expect(read([entry])).toMatchObject({ values: {}, notSent: { [of('moon')]: 'Io' } });
	expect(read([entry], { isListed: false }).values).toEqual({ [of('moon')]: 'Io' });
});

it('what was read otherwise than it stands there is noted, unless it is overridden', () => {
	const entries: Entry[] = [
		[of('seats'), '1.234'],
		[of('since'), 46205],
	];
	const notes = [
		{ name: of('seats'), from: '1.234', to: '1234' },
		{ name: of('since'), from: '46205', to: '2026-07-02' },
	];
	expect(read(entries, { textFormat: 'dayComma' }).notes).toEqual(notes);
	const additional: Entry[] = entries.map(([name]) => [name, null]);
	expect(read(entries, { additional }).notes).toEqual([]);
});

it('every value that does not fit is a problem, unless it is overridden', () => {
	const entries: Entry[] = [
		['name', {}],
		[of('seats'), 'many'],
		[of('since'), 2026],
	];
	expect(read(entries).titles).toEqual([
		'Name is not text',
		"A value doesn't fit its custom attribute",
		"A value doesn't fit its custom attribute",
	]);
	const additional: Entry[] = entries.map(([name]) => [name, null]);
	expect(read(entries, { additional }).titles).toEqual([]);
});
