import type { IDataObject } from 'n8n-workflow';

import { automatic, chatbotId } from '../parameters';
import { useTestbed } from '../testbed';

/**
 * Rows shaped like exports of other programs, with invented people. WooCommerce's headers were looked up; those of Stripe and
 * Google Contacts come from programs that read them, and those of Shopify, HubSpot and Salesforce were never compared with a
 * real export.
 */
const testbed = useTestbed({ resource: 'contact', operation: 'upsert', chatbotId });

interface Export {
	idColumn: string;
	row: IDataObject;
	contact: IDataObject;
	notSent: string[];
}

const ada = { name: 'Ada Lovelace', email: 'ada@x.example' };

/** Columns with one and the same text. */
const cells = (...columns: string[]) => Object.fromEntries(columns.map((column) => [column, 'x']));

const exports: Record<string, Export> = {
	Shopify: {
		idColumn: 'Customer ID',
		row: {
			'Customer ID': "'7001",
			'First Name': 'Ada',
			'Last Name': 'Lovelace',
			Email: ada.email,
			'Accepts Email Marketing': 'yes',
			...cells('Default Address Company', 'Default Address Address1', 'Default Address City'),
			'Default Address Phone': '',
			Phone: "'+442079460001",
			'Accepts SMS Marketing': 'no',
			'Total Spent': '120.50',
			'Total Orders': '3',
			Note: '',
			'Tax Exempt': 'no',
			Tags: 'vip',
		},
		contact: { external_id: '7001', ...ada, phonenumber: '+442079460001' },
		notSent: ['Accepts Email Marketing', 'Default Address Company', 'Total Spent'],
	},
	HubSpot: {
		idColumn: 'Record ID',
		row: {
			'Record ID': '301',
			'First Name': 'Ada',
			'Last Name': 'Lovelace',
			Email: ada.email,
			'Phone Number': '+44 20 7946 0002',
			...cells('Contact owner', 'Associated Company', 'Last Activity Date', 'Lead Status'),
			...cells('Marketing contact status', 'Create Date'),
		},
		contact: { external_id: '301', ...ada, phonenumber: '+44 20 7946 0002' },
		notSent: ['Contact owner', 'Associated Company', 'Create Date'],
	},
	Stripe: {
		idColumn: 'id',
		row: {
			id: 'cus_1001',
			Description: 'x',
			Email: ada.email,
			Name: ada.name,
			'Created (UTC)': '2026-01-31 10:00',
			...cells('Delinquent', 'Card ID', 'Card Last4', 'Total Spend', 'Payment Count'),
		},
		contact: { external_id: 'cus_1001', ...ada },
		notSent: ['Description', 'Created (UTC)', 'Card ID'],
	},
	WooCommerce: {
		idColumn: 'ID',
		row: {
			ID: '42',
			customer_id: '42',
			user_login: 'ada',
			user_nicename: 'ada',
			user_email: ada.email,
			user_url: '',
			user_registered: '2026-01-31 10:00:00',
			display_name: ada.name,
			first_name: 'Ada',
			last_name: 'Lovelace',
			roles: 'customer',
			billing_email: 'billing@x.example',
			billing_phone: '+44 20 7946 0003',
		},
		contact: { external_id: '42', ...ada },
		notSent: ['customer_id', 'first_name', 'last_name', 'billing_phone'],
	},
	'Google Contacts': {
		idColumn: 'E-mail 1 - Value',
		row: {
			'First Name': 'Ada',
			'Middle Name': '',
			'Last Name': 'Lovelace',
			...cells('Phonetic First Name', 'Nickname', 'File As', 'Organization Name', 'Labels'),
			'E-mail 1 - Label': '* Work',
			'E-mail 1 - Value': ada.email,
			'Phone 1 - Label': 'Mobile',
			'Phone 1 - Value': '+44 20 7946 0004',
			'Address 1 - City': 'London',
		},
		contact: { external_id: ada.email, ...ada, phonenumber: '+44 20 7946 0004' },
		notSent: ['Nickname', 'E-mail 1 - Label', 'Phone 1 - Label'],
	},
	Salesforce: {
		idColumn: 'Contact ID',
		row: {
			...cells('Salutation'),
			'First Name': 'Ada',
			'Last Name': 'Lovelace',
			...cells('Title', 'Account Name', 'Mailing Street', 'Mailing City', 'Fax'),
			Phone: '+44 20 7946 0005',
			Mobile: '+44 7700 900005',
			Email: ada.email,
			'Account Owner': 'x',
			'Contact ID': '003xx000004TmiQ',
		},
		contact: { external_id: '003xx000004TmiQ', ...ada, phonenumber: '+44 20 7946 0005' },
		notSent: ['Salutation', 'Account Name', 'Mobile'],
	},
};

describe.each(Object.entries(exports))(
	'an export of %s',
	(_, { idColumn, row, contact, notSent }) => {
		it.each(['upsert', 'create', 'mirror'])(
			'makes contacts with nothing set but External ID Column, and says what it leaves out (%s)',
			async (operation) => {
				const { hints } = await testbed.succeed(
					{
						operation,
						...automatic(),
						options: { idColumn },
						manage: 'all',
						onMissing: 'report',
						dryRun: false,
					},
					{ input: [row] },
				);
				const { service } = testbed;
				expect(service.store.contact('bot', String(contact.external_id))).toMatchObject(contact);

				const left = hints
					.map(({ message }) => message)
					.filter((text) => text.startsWith('Not sent'));
				expect(left).not.toEqual([]);
				for (const name of notSent) expect(left.join(' ')).toContain(name);
			},
		);

		it('without the option says which columns there are', async () => {
			const input = [
				Object.fromEntries(Object.entries(row).filter(([name]) => !/mail/i.test(name))),
			];
			const { error } = await testbed.run(automatic(), { input });
			expect(error?.message).toBe('External ID is empty');
			expect(error?.description).toContain('The columns of the input are ');
			expect(error?.description).toContain('External ID Column');
		});
	},
);
