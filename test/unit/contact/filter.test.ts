import type { ContactFilter } from '../../../../nodes/Chatbase/resources/contact/plan/filter';
import { matchesFilter } from '../../../../nodes/Chatbase/resources/contact/plan/filter';

const contact = {
	external_id: '42',
	name: 'Ada Lovelace',
	email: 'Ada@X.example',
	phonenumber: '+44 (20) 7946-0100',
	created_at: 1_700_000_000,
	updated_at: 1_700_000_000_000,
};

it.each<[boolean, ContactFilter]>([
	[true, {}],
	[true, { email: ' ada@x.EXAMPLE ' }],
	[false, { email: 'ada@x' }],
	[true, { externalId: '42' }],
	[false, { externalId: '4' }],
	[true, { name: 'LOVE' }],
	[false, { name: 'hate' }],
	[true, { phonenumber: '442079460100' }],
	[false, { phonenumber: '0100' }],
	[true, { createdAfter: 1_700_000_000_000 }],
	[false, { createdAfter: 1_700_000_000_001 }],
	[true, { updatedAfter: 1_700_000_000_000 }],
	[false, { name: 'ada', updatedAfter: 1_800_000_000_000 }],
])('answers %s for %p', (matches, filter) => {
	expect(matchesFilter(contact, filter)).toBe(matches);
});

it.each<ContactFilter>([{ email: 'x' }, { phonenumber: '1' }, { createdAfter: 0 }])(
	'does not let a contact without the value pass %p',
	(filter) => expect(matchesFilter({ external_id: 'a' }, filter)).toBe(false),
);
