import { operation, writeNotice } from '../../panel/operation';
import { chatbotField } from '../../panel/locators';
import { outcomeOutput, plainOutcome } from '../../sync/outcome';
import { planThenWrite } from '../../sync/plan';
import { contactsPath } from './contact';
import { contactNouns, createAdditionalFields, createMapper } from './fields';
import { type ContactParams, readContactItem, warnOfInput } from './item';
import { tasksOf } from './plan';
import { ContactWriter } from './writer';

export const create = operation<ContactParams>({
	value: 'create',
	description: 'Add contacts, up to 1,000 per request',
	request: { method: 'POST', path: contactsPath, resource: 'contacts' },
	fields: [chatbotField, writeNotice, createMapper, createAdditionalFields],

	read: async (item, api) => await readContactItem(item, api, 'create'),

	async sendAll(run) {
		warnOfInput(run);
		await planThenWrite(run, async ({ api, chatbotId, items }) => {
			const tasks = await tasksOf(items);
			return async () => await new ContactWriter(api, chatbotId).write(tasks);
		});
		return outcomeOutput(run, contactNouns, plainOutcome);
	},
});
