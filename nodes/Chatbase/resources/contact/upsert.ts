import { optionsField } from '../../panel/collections';
import { maxConcurrencyOption } from '../../panel/maxConcurrency';
import { dryRunOption } from '../../panel/dryRun';
import { writeNotice } from '../../panel/notices';
import { operation } from '../../panel/operation';
import { outcomeOutput } from '../../sync/runOutput';
import { planThenWrite } from '../../sync/plan';
import { chatbotField } from '../../chatbots/chatbots';
import { Answers, skipBlankItems } from './answer/answers';
import { contactsPath } from './contact';
import { findContacts } from './contactList';
import { mapperNotice, updateMapper } from './panel/mapper';
import {
	contactNouns,
	matchByField,
	updateAdditionalFields,
	upsertOptions,
} from './panel/options';
import { isMatchedByEmail, matchWishes, reserveKeys } from './plan/matching';
import { wishesOf } from './plan/wishes';
import { readContactOrBlank } from './read/contactInput';
import type { BlankItem, ContactParams } from './read/contactParams';
import { warnOfInput } from './read/warnings';
import { foretell, writeContacts } from './write/writeContacts';

export const upsert = operation<ContactParams | BlankItem>({
	value: 'upsert',
	name: 'Create or Update',
	action: 'Create or update contact (upsert)',
	description:
		'Create a new record, or update the current one if it already exists (upsert)',
	request: { method: 'POST', path: contactsPath, resource: 'contacts' },
	dryRun: dryRunOption,
	maxConcurrency: maxConcurrencyOption,
	onFailedItems: contactNouns.outcomeOptions.onFailedItems,
	fields: [
		chatbotField,
		writeNotice,
		...mapperNotice,
		updateMapper,
		matchByField,
		updateAdditionalFields,
		optionsField([...upsertOptions, dryRunOption]),
	],

	read: async (item, api) => await readContactOrBlank(item, api, 'upsert'),

	async sendAll(run) {
		// This comes before any write, because it throws if an option is invalid.
		const buildOutput = outcomeOutput(run, contactNouns);
		const filled = skipBlankItems(run);
		await warnOfInput(filled, 'upsert');

		await planThenWrite(filled, async ({ api, chatbotId, items }) => {
			const inputs = items.map(({ params }) => params.input);
			const wanted = wishesOf(inputs);

			const ids = new Set(wanted.wishes.flatMap(({ key }) => key.id ?? []));
			const needsEmails = wanted.wishes.some(isMatchedByEmail);
			const known = await findContacts(api, { chatbotId, ids, needsEmails });

			const failed = run.refused
				.map(({ identity }) => identity)
				.filter((one) => one.chatbotId === undefined || one.chatbotId === chatbotId);
			const reserved = reserveKeys(failed, inputs, wanted.refused);
			const matches = matchWishes(wanted, known, reserved);

			const answers = new Answers(items, { api, operation: 'upsert' });
			answers.refuseAll(matches.refused);

			const scope = { api, chatbotId, answers };
			const [{ params }] = items;
			const { dryRun } = params.input.settings;
			const write = dryRun ? foretell : writeContacts;
			return async () => {
				await write(scope, matches);
			};
		});
		return buildOutput;
	},
});
