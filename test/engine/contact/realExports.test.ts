import { realExports } from '../../realExports';
import { automatic, chatbotId } from '../parameters';
import { useTestbed } from '../testbed';
import { messages, wholeList } from './rows';

/** Exports of other programs, with nothing set but External ID Column. */
const testbed = useTestbed({ resource: 'contact', operation: 'upsert', chatbotId });

describe.each(Object.entries(realExports))(
	'an export of %s',
	(_, { idColumn, row, contact, notSent }) => {
		it.each(['upsert', 'create', 'mirror'])(
			'makes contacts, and says what it leaves out (%s)',
			async (operation) => {
				const result = await testbed.succeed(
					{ operation, ...automatic(), options: { idColumn }, ...wholeList },
					{ input: [row] },
				);
				const { service } = testbed;
				expect(service.store.contact('bot', contact.external_id)).toMatchObject(contact);

				const left = messages(result).filter((text) => text.startsWith('Not sent'));
				expect(left).not.toEqual([]);
				for (const name of notSent) expect(left.join(' ')).toContain(name);
			},
		);

		it.each(['upsert', 'mirror'])(
			'takes two Dry Runs: the first one names the option and the column for it (%s)',
			async (operation) => {
				const dryRun = async (options: { idColumn?: string }) =>
					await testbed.run(
						{
							operation,
							...automatic(),
							...wholeList,
							dryRun: true,
							options: { dryRun: true, ...options },
						},
						{ input: [row] },
					);

				const { error } = await dryRun({});
				const said = error?.description ?? '';
				expect(error?.message).toContain('External ID is empty');
				expect(said).toContain('enter its name in Options → External ID Column');
				const [, columns = ''] = /The columns of the input are (.+?)\. /.exec(said) ?? [];
				const isEmailTheKey = contact.external_id === contact.email;
				expect(isEmailTheKey || columns.split(', ').includes(idColumn)).toBe(true);
				expect(said).toContain('If your data has no IDs, enter the column of the email.');

				const { items } = await dryRun({ idColumn });
				expect(items[0].json._sync).toMatchObject({ action: 'wouldCreate' });
				expect(testbed.service.requests.every(({ method }) => method === 'GET')).toBe(true);
			},
		);
	},
);
