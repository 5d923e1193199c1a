import { writeNotice } from '../../panel/notices';
import { operation } from '../../panel/operation';
import { plainOutcome } from '../../sync/outcomeOptions';
import { outcomeOutput } from '../../sync/runOutput';
import { planThenWrite } from '../../sync/plan';
import { chatbotField } from '../../chatbots/chatbots';
import { Answers, skipBlankItems } from './answer/answers';
import { contactsPath } from './contact';
import { createMapper, mapperNotice } from './panel/mapper';
import { contactNouns, createAdditionalFields, createOptions } from './panel/options';
import { createAllOf } from './plan/matching';
import { wishesOf } from './plan/wishes';
import {
	type BlankItem,
	type ContactParams,
	readContactOrBlank,
} from './read/contactInput';
import { warnOfInput } from './read/warnings';
import { writeContacts } from './write/writeContacts';

export const create = operation<ContactParams | BlankItem>({
	value: 'create',
	description: 'Add contacts, up to 1,000 per request',
	request: { method: 'POST', path: contactsPath, resource: 'contacts' },
	fields: [
		chatbotField,
		writeNotice,
		...mapperNotice,
		createMapper,
		createAdditionalFields,
		createOptions,
	],

	read: async (item, api) => await readContactOrBlank(item, api, 'create'),

	async sendAll(run) {
		const filled = skipBlankItems(run);
		await warnOfInput(filled, 'create');
		await planThenWrite(filled, async ({ api, chatbotId, items }) => {
			const inputs = items.map(({ params }) => params.input);
			const matches = createAllOf(wishesOf(inputs));

			const answers = new Answers(items, { api, operation: 'create' });
			answers.refuseAll(matches.refused);

			const scope = { api, chatbotId, answers, isCreateOnly: true };
			return async () => {
				await writeContacts(scope, matches);
			};
		});
		return outcomeOutput(run, contactNouns, plainOutcome);
	},
});
