import {
	isManaged,
	isOfAnotherMirror,
	type Ownership,
} from '../../../nodes/Chatbase/resources/contact/mirror/ownership';
import type { Contact } from '../../../nodes/Chatbase/resources/contact/plan/contactRecord';

const byTag: Ownership = { tag: { attribute: 'source', text: 'crm' } };
const byPrefix: Ownership = { idPrefix: 'crm-' };
const all: Ownership = {};
const tagged = (id: unknown, tag: unknown = 'crm') =>
	({ external_id: id, custom_attributes: { source: tag } }) as Contact;

it.each<[string, Ownership, Contact, boolean]>([
	['its tag', byTag, tagged('a'), true],
	['another tag', byTag, tagged('a', 'shop'), false],
	['an empty tag', byTag, tagged('a', ''), false],
	['no attributes', byTag, { external_id: 'a' }, false],
	['the prefix', byPrefix, { external_id: 'crm-1' }, true],
	['the prefix in capitals', byPrefix, { external_id: 'CRM-1' }, false],
	['any External ID', all, { external_id: 7 }, true],
])('manages a contact with %s: %#', (_, ownership, contact, expected) => {
	expect(isManaged(contact, ownership)).toBe(expected);
});

it.each([undefined, null, '', ' ', '.', '..'])(
	'does not manage a contact when no path can name its External ID: %p',
	(id) => {
		for (const ownership of [byTag, { idPrefix: '' }, all]) {
			expect(isManaged(tagged(id), ownership)).toBe(false);
		}
	},
);

it("counts a contact as another mirror's only when it has another tag", () => {
	expect(isOfAnotherMirror(tagged('a', 'shop'), byTag)).toBe(true);
	expect(isOfAnotherMirror(tagged('a'), byTag)).toBe(false);
	expect(isOfAnotherMirror(tagged('a', null), byTag)).toBe(false);
	expect(isOfAnotherMirror(tagged('a', 'shop'), all)).toBe(false);
});
