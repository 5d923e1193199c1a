import { optionsField } from '../../panel/collections';
import { maxConcurrencyOption } from '../../panel/maxConcurrency';
import { notFoundOption } from '../../panel/notFound';
import { operation } from '../../panel/operation';
import { chatbotField } from '../../chatbots/chatbots';
import { contactPath, readContact } from './contact';
import { contactField, missingContact, readChosenContact } from './panel/contactField';

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

	async send({ item, params, api }) {
		const { chatbotId, contactId } = params;
		const { contact, response } = await readContact(api, chatbotId, contactId);
		return [contact ?? missingContact(item, api, { ...params, response })];
	},
});
