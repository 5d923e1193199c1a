import { optionsField } from '../../panel/collections';
import { notFoundOption } from '../../panel/locators';
import { operation } from '../../panel/operation';
import { maxConcurrencyOption } from '../../panel/paging';
import { chatbotField } from '../chatbot/chatbotField';
import { ContactMissing, contactPath, readContact } from './contact';
import { contactField, readChosenContact } from './contactField';

export const get = operation({
	value: 'get',
	description: 'Read one contact by its External ID',
	request: { method: 'GET', path: contactPath, resource: 'contact' },
	maxConcurrency: maxConcurrencyOption,
	fields: [
		chatbotField,
		contactField,
		optionsField([
			notFoundOption('Returns found: false for the External ID'),
			maxConcurrencyOption,
		]),
	],

	read: readChosenContact,

	async send({ params: { chatbotId, contactId, marksMissing }, api }) {
		const contact = await readContact(api, chatbotId, contactId);
		if (!(contact instanceof ContactMissing)) return [contact];
		if (marksMissing) return [{ found: false, external_id: contactId }];
		throw api.failure(contact.response);
	},
});
