/** The exports of six products, with the column of the ID that the first Dry Run names. */
import { realExports } from '../../realExports';
import { automatic, chatbotId } from '../parameters';
import { useTestbed } from '../testbed';
import { messages } from './rows';

const testbed = useTestbed({ resource: 'contact', operation: 'upsert', chatbotId, ...automatic() });

it.each(Object.entries(realExports))(
	'%s: the contact gets what the export has',
	async (_, { contact, idColumn, notSent, row }) => {
		const first = await testbed.run({ options: { dryRun: true } }, { input: [row] });
		expect(first.error?.description).toContain('External ID Column');
		if (/id$/i.test(idColumn)) expect(first.error?.description).toContain(idColumn);

		const second = await testbed.succeed({ options: { idColumn } }, { input: [row] });
		const hints = messages(second).join('\n');
		// The hint names ten columns.
		expect(hints).toMatch(new RegExp(`Not sent: .*${notSent[0]}`));
		const stored = testbed.service.store.contact('bot', contact.external_id);
		const none = { name: undefined, email: undefined, phonenumber: undefined };
		const { external_id, name, email, phonenumber } = stored!;
		expect({
			external_id,
			name: name ?? undefined,
			email: email ?? undefined,
			phonenumber: phonenumber ?? undefined,
		}).toEqual({ ...none, ...contact });
	},
);
