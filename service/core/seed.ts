/** Invented contacts that depend on a seed and an index alone. */
import type { AttributeValue, Contact } from './contactBook';
import type { CustomAttribute } from './customAttribute';
import { Random } from './random';

// prettier-ignore
const givenNames = [
	'Ada', 'André', 'Björn', 'Chloé', 'Dmitri', 'Eda', 'Émile', 'Fatima', 'Grace', 'Håkon',
	'Inês', 'Jürgen', 'Kofi', 'Łucja', 'Mei', 'Noor', 'Óscar', 'Priya', 'Renée', 'Søren',
	'Þóra', 'Úna', 'Václav', 'Yuki', 'Zoë', '明',
];

// prettier-ignore
const familyNames = [
	'Álvarez', 'Brown', 'Çelik', 'Dvořák', 'Eze', 'Fernández', 'García', 'Hansen', 'Ibsen',
	'Jansen', 'Kowalski', 'Lefèvre', 'Müller', 'Nguyễn', 'O’Brien', 'Pérez', 'Quist', 'Rossi',
	'Şahin', 'Tanaka', 'Ugarte', 'Vögel', 'Wójcik', 'Xu', 'Yılmaz', '王',
];

const companies = [
	'Northwind',
	'Contoso',
	'Ålesund Fisk',
	'Müller & Söhne',
	'Café Père',
	'東京商事',
];

/** The attributes of seeded contacts: one of each type, and an archived one with old values. */
export const demoAttributes: readonly CustomAttribute[] = [
	{
		name: 'company',
		type: 'text',
		label: 'Company',
		description: 'Where the contact works',
		archived: false,
	},
	{
		name: 'lifetime_value',
		type: 'number',
		label: 'Lifetime value',
		description: 'Revenue so far, in euros',
		archived: false,
	},
	{ name: 'newsletter', type: 'boolean', label: 'Newsletter', description: null, archived: false },
	{ name: 'signed_up', type: 'date', label: 'Signed up', description: null, archived: false },
	{
		name: 'legacy_id',
		type: 'text',
		label: 'Legacy ID',
		description: 'From the former system',
		archived: true,
	},
];

/** 1 January 2024, 00:00 UTC, in Unix seconds: the first seeded contact. */
const firstCreation = 1_704_067_200;

/**
 * The contact at an index. One in ten has an external ID and a name only, so that lists hold
 * contacts without an address; one in seven has a payment account.
 *
 * @param seed decides names and values
 * @param index from 0; decides the external ID, the address's uniqueness and the time of creation
 */
export function seededContact(seed: number, index: number): Contact {
	const random = new Random(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b));
	const name = `${random.pick(givenNames)} ${random.pick(familyNames)}`;
	const created = firstCreation + index * 60;
	const contact: Contact = {
		id: random.uuid(),
		external_id: `customer-${String(index + 1).padStart(6, '0')}`,
		name,
		email: null,
		phonenumber: null,
		payment_accounts: [],
		custom_attributes: {},
		created_at: created,
		updated_at: created + random.below(86_400),
	};
	if (index % 10 === 9) return contact;

	contact.email = `customer.${index + 1}@example.com`;
	contact.phonenumber = `+4930${String(random.below(10_000_000)).padStart(7, '0')}`;
	contact.custom_attributes = attributesOf(random, index, created);
	if (index % 7 === 3) {
		contact.payment_accounts = [
			{
				label: 'Main account',
				payment_id: `pay_${random.next().toString(36)}`,
				payment_email: `billing.${index + 1}@example.com`,
			},
		];
	}
	return contact;
}

function attributesOf(
	random: Random,
	index: number,
	created: number,
): Record<string, AttributeValue> {
	const attributes: Record<string, AttributeValue> = {};
	if (index % 2 === 0) attributes.company = random.pick(companies);
	if (index % 3 !== 1) attributes.lifetime_value = random.below(1_000_000) / 100;
	if (index % 4 !== 3) attributes.newsletter = random.below(2) === 1;
	if (index % 5 !== 2) attributes.signed_up = new Date(created * 1000).toISOString();
	if (index % 25 === 0) attributes.legacy_id = `L-${index}`;
	return attributes;
}
