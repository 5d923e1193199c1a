/**
 * One row of each export that people sync first, with invented people.
 *
 * Headers and their order are those that several published programs expect, word for word, when they read such files. A report
 * of Salesforce has the columns that its author has chosen: here the usual ones, with Contact ID added at the end, under the
 * labels of https://help.salesforce.com/s/articleView?id=xcloud.field_mapping_for_other_data_sources_and_organization_import.htm
 * None of these rows was compared with a file from an account of these products.
 */
export interface RealExport {
	/** The column for External ID Column. */
	idColumn: string;
	row: Record<string, string>;
	/** What the contact has. */
	contact: { external_id: string; name?: string; email?: string; phonenumber?: string };
	/** Some columns that are not sent. */
	notSent: string[];
}

const { name, email } = { name: 'Ada Lovelace', email: 'ada@x.example' };
const names = { 'First Name': 'Ada', 'Last Name': 'Lovelace' };

/** Columns with one and the same text. */
const cells = (...columns: string[]) => Object.fromEntries(columns.map((column) => [column, 'x']));

export const realExports: Record<string, RealExport> = {
	Shopify: {
		idColumn: 'Customer ID',
		row: {
			// Shopify writes an apostrophe before numbers that a spreadsheet would change.
			'Customer ID': "'7001",
			...names,
			Email: email,
			'Accepts Email Marketing': 'yes',
			...cells('Default Address Company', 'Default Address Address1'),
			'Default Address Address2': '',
			...cells('Default Address City', 'Default Address Province Code'),
			'Default Address Country Code': 'GB',
			'Default Address Zip': "'10115",
			'Default Address Phone': '',
			Phone: "'+442079460001",
			'Accepts SMS Marketing': 'no',
			'Total Spent': '120.50',
			'Total Orders': '3',
			Note: '',
			'Tax Exempt': 'no',
			Tags: 'vip',
		},
		contact: { external_id: '7001', email, phonenumber: '+442079460001' },
		notSent: ['Accepts Email Marketing', 'Default Address Company', 'Accepts SMS Marketing'],
	},
	HubSpot: {
		idColumn: 'Record ID',
		row: {
			'Record ID': '301',
			...names,
			Email: email,
			'Phone Number': '+44 20 7946 0002',
			...cells('Contact owner', 'Primary Associated Company ID', 'Last Activity Date'),
			...cells('Lead Status', 'Marketing contact status', 'Create Date', 'Associated Company'),
		},
		contact: { external_id: '301', email, phonenumber: '+44 20 7946 0002' },
		notSent: ['Contact owner', 'Associated Company', 'Create Date'],
	},
	Stripe: {
		idColumn: 'id',
		row: {
			id: 'cus_1001',
			Description: 'x',
			Email: email,
			Name: name,
			'Created (UTC)': '2026-01-31 10:00',
			...cells('Delinquent', 'Plan', 'Status', 'Total Spend', 'Payment Count'),
			...cells('Refunded Volume', 'Dispute Losses'),
		},
		contact: { external_id: 'cus_1001', name, email },
		notSent: ['Description', 'Created (UTC)', 'Payment Count'],
	},
	WooCommerce: {
		idColumn: 'ID',
		row: {
			ID: '42',
			customer_id: '42',
			user_login: 'ada',
			user_nicename: 'ada',
			user_email: email,
			user_url: '',
			user_registered: '2026-01-31 10:00:00',
			display_name: name,
			first_name: 'Ada',
			last_name: 'Lovelace',
			roles: 'customer',
			billing_email: 'billing@x.example',
			billing_phone: '+44 20 7946 0003',
		},
		contact: { external_id: '42' },
		notSent: ['customer_id', 'user_login', 'display_name'],
	},
	'Google Contacts': {
		idColumn: 'E-mail 1 - Value',
		row: {
			'First Name': 'Ada',
			'Middle Name': '',
			'Last Name': 'Lovelace',
			...cells('Phonetic First Name', 'Phonetic Middle Name', 'Phonetic Last Name'),
			...cells('Name Prefix', 'Name Suffix', 'Nickname', 'File As', 'Organization Name'),
			...cells('Organization Title', 'Organization Department', 'Birthday', 'Notes', 'Photo'),
			Labels: '* myContacts',
			'E-mail 1 - Label': '* Work',
			'E-mail 1 - Value': email,
			'Phone 1 - Label': 'Mobile',
			'Phone 1 - Value': '+44 20 7946 0004',
		},
		contact: { external_id: email },
		notSent: ['First Name', 'Last Name'],
	},
	Salesforce: {
		idColumn: 'Contact ID',
		row: {
			...cells('Salutation'),
			...names,
			...cells('Title', 'Account Name', 'Mailing Street', 'Mailing City'),
			...cells('Mailing State/Province', 'Mailing Zip/Postal Code', 'Mailing Country'),
			Phone: '+44 20 7946 0005',
			Fax: 'x',
			Mobile: '+44 7700 900005',
			Email: email,
			'Account Owner': 'x',
			'Contact ID': '003xx000004TmiQ',
		},
		contact: { external_id: '003xx000004TmiQ', email, phonenumber: '+44 20 7946 0005' },
		notSent: ['Salutation', 'Account Name', 'Mobile'],
	},
};
