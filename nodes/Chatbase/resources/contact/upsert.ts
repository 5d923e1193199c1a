/**
 * The way of an item: `read/contactInput` reads it, `contactList` reads the contacts, `plan/matching` finds its contact,
 * `write/writeContacts` writes what differs, and `answer/answers` makes its output.
 */
import type { Run } from '../../execution/run';
import { optionsField } from '../../panel/collections';
import { maxConcurrencyOption } from '../../panel/maxConcurrency';
import { dryRunOption } from '../../panel/dryRun';
import { writeNotice } from '../../panel/notices';
import { operation } from '../../panel/operation';
import { outcomeOutput } from '../../sync/runOutput';
import { type ChatbotItems, planThenWrite } from '../../sync/plan';
import { chatbotField } from '../../chatbots/chatbots';
import { Answers, skipBlankItems } from './answer/answers';
import { contactsPath } from './contact';
import { findContacts, readAllContacts } from './contactList';
import { mapperNotice, updateMapper } from './panel/mapper';
import {
	contactNouns,
	matchByField,
	updateAdditionalFields,
	upsertOptions,
} from './panel/options';
import {
	isMatchedByEmail,
	type Matches,
	matchWishes,
	reserveKeys,
} from './plan/matching';
import { wishesOf } from './plan/wishes';
import {
	type BlankItem,
	type ContactParams,
	readContactOrBlank,
} from './read/contactInput';
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
		const writing = planThenWrite(filled, async (chatbot) => {
			const { api, chatbotId, items } = chatbot;
			const matches = await matchItems(run, chatbot);
			const answers = new Answers(items, { api, operation: 'upsert' });
			answers.refuseAll(matches.refused);

			const [{ params }] = items;
			const write = params.settings.dryRun ? foretell : writeContacts;
			return async () => {
				await write({ api, chatbotId, answers }, matches);
			};
		});
		// The hints about the input are made while the contacts are being read.
		await Promise.all([writing, warnOfInput(filled, 'upsert')]);
		return buildOutput;
	},
});

/** Makes wishes of the items of a chatbot, reads the contacts that they could mean, and finds the one of each wish. */
async function matchItems(
	{ context, refused }: Run<unknown>,
	{ api, chatbotId, items }: ChatbotItems<ContactParams>,
): Promise<Matches> {
	const inputs = items.map(({ params }) => params.input);
	const wanted = wishesOf(inputs);

	const ids = new Set(wanted.wishes.flatMap(({ key }) => key.id ?? []));
	const needsAll = wanted.wishes.some(isMatchedByEmail);
	const known = needsAll
		? await readAllContacts(api, context, chatbotId)
		: await findContacts(api, { chatbotId, ids });

	const failed = refused
		.map(({ identity }) => identity)
		.filter((one) => one.chatbotId === undefined || one.chatbotId === chatbotId);
	return matchWishes(wanted, known, reserveKeys(failed, inputs, wanted.refused));
}
