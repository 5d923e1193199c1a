import { writeNotice } from '../../panel/notices';
import { operation } from '../../panel/operation';
import { outcomeOutput, plainOutcome } from '../../sync/outcome';
import { planThenWrite } from '../../sync/plan';
import { chatbotField } from '../chatbot/chatbots';
import { contactsPath } from './contact';
import { contactNouns, createAdditionalFields } from './fields';
import {
	completeContactItem,
	type ContactParams,
	readContactItem,
	warnOfInput,
} from './item';
import { createMapper } from './mappedFields';
import { tasksOf } from './match';
import { ContactWriter } from './writer';

export const create = operation<ContactParams>({
	value: 'create',
	description: 'Add contacts, up to 1,000 per request',
	request: { method: 'POST', path: contactsPath, resource: 'contacts' },
	fields: [chatbotField, writeNotice, createMapper, createAdditionalFields],

	read: (item) => readContactItem(item, 'create'),

	complete: completeContactItem,

	async sendAll(run) {
		warnOfInput(run);
		await planThenWrite(run, async ({ api, chatbotId, items }) => {
			const tasks = tasksOf(items);
			return async () => await new ContactWriter(api, chatbotId).write(tasks);
		});
		return outcomeOutput(run, contactNouns, { ...plainOutcome, hidesSync: true });
	},
});
