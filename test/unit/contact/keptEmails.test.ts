import {
	asStored,
	type Contact,
	externalIdOf,
} from '../../../nodes/Chatbase/resources/contact/plan/contactRecord';
import { findRefusedEmails } from '../../../nodes/Chatbase/resources/contact/plan/keptEmails';
import { KnownContacts } from '../../../nodes/Chatbase/resources/contact/plan/knownContacts';
import {
	creationFor,
	type Step,
	stepFor,
} from '../../../nodes/Chatbase/resources/contact/plan/steps';
import type { Wish } from '../../../nodes/Chatbase/resources/contact/plan/wantedContact';
import { settings } from './settings';

const list: Contact[] = ['a', 'b', 'c'].map((id) => ({
	external_id: id,
	email: `${id}@x.example`,
}));
const nobody: Contact = { external_id: 'd', email: null };

/** What a row sends: the ID of its contact, and its email, null to clear it. Without an email, it changes the name. */
type Row = [id: string, email?: string | null];

/** Who keeps the email that a row wants, by the ID of the row. */
function refusedIn(rows: Row[], contacts = list, coversAllContacts = true): Record<string, string> {
	const known = new KnownContacts(contacts, coversAllContacts);
	const steps = rows.map(([id, email], index): Step => {
		const values = new Map<string, unknown>([
			['external_id', id],
			email === undefined ? ['name', 'New'] : ['email', email],
		]);
		const read = { values, notSent: new Map() };
		const wish: Wish = { items: [index], key: { id }, settings, ...read };
		const record = contacts.find((contact) => contact.external_id === id);
		const contact = record && asStored(record);
		return contact ? stepFor({ wish, contact }, () => id === 'skipped') : creationFor(wish);
	});
	return Object.fromEntries(
		[...findRefusedEmails(steps, known)].map(([{ key }, holder]) => [
			key.id,
			externalIdOf(holder)!,
		]),
	);
}

describe('an email that another contact has', () => {
	it.each<[what: string, rows: Row[], refused: Record<string, string>]>([
		['outside of the run refuses a new contact', [['new', 'a@x.example']], { new: 'a' }],
		['in another case refuses it, too', [['new', ' A@X.example']], { new: 'a' }],
		['outside of the run refuses an update', [['b', 'a@x.example']], { b: 'a' }],
		[
			'outside of the run refuses all who want it',
			[
				['new', 'a@x.example'],
				['b', 'a@x.example'],
			],
			{ new: 'a', b: 'a' },
		],
		[
			'that stays the same is kept',
			[
				['a', 'a@x.example'],
				['new', 'a@x.example'],
			],
			{ new: 'a' },
		],
		[
			'that stays when something else changes is kept',
			[['a'], ['new', 'a@x.example']],
			{ new: 'a' },
		],
		[
			'that is given up is free',
			[
				['a', 'other@x.example'],
				['new', 'a@x.example'],
			],
			{},
		],
		[
			'that is cleared is free',
			[
				['new', 'a@x.example'],
				['a', null],
			],
			{},
		],
		[
			'that is kept, since its contact is refused, refuses the next of a chain',
			[
				['new', 'a@x.example'],
				['a', 'b@x.example'],
				['b', 'c@x.example'],
			],
			{ new: 'a', a: 'b', b: 'c' },
		],
		[
			'that contacts exchange refuses all of them, and who wants one of their emails',
			[
				['a', 'b@x.example'],
				['b', 'c@x.example'],
				['c', 'a@x.example'],
				['new', 'a@x.example'],
			],
			{ a: 'b', b: 'c', c: 'a', new: 'a' },
		],
		['of nobody is free', [['new', 'new@x.example']], {}],
	])('%s', (_, rows, refused) => {
		expect(refusedIn(rows)).toEqual(refused);
	});

	it('refuses nobody when the list shows that contacts can share one', () => {
		const twin = { external_id: 'twin', email: 'c@x.example' };
		expect(refusedIn([['new', 'a@x.example']], [...list, twin])).toEqual({});
	});

	it('is not shared by contacts without one', () => {
		const others = [nobody, { ...nobody, external_id: 'e' }];
		expect(refusedIn([['new', 'a@x.example']], [...list, ...others])).toEqual({ new: 'a' });
	});

	it('refuses nobody when the list was not read as a whole', () => {
		expect(refusedIn([['new', 'a@x.example']], list, false)).toEqual({});
	});
});
