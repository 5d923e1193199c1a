import { confirmsDeletion, dataIn } from '../../api/response';
import { unwritten } from '../../execution/results';
import { optionsField } from '../../panel/collections';
import { maxConcurrencyOption } from '../../panel/maxConcurrency';
import { deletionNotice, notice } from '../../panel/notices';
import { dryRunIn } from '../../panel/dryRun';
import { toggleField } from '../../panel/field';
import { notFoundOption } from '../../panel/notFound';
import { operation } from '../../panel/operation';
import { isObject } from '../../values/json';
import { chatbotField } from '../../chatbots/chatbots';
import { contactFailure } from './answer/problems';
import {
	assertIsContact,
	contactPath,
	isContactMissing,
	readContact,
	sendToContact,
} from './contact';
import { contactField, missingContact, readChosenContact } from './panel/contactField';

const dryRun = dryRunIn('Whether to read the contact without deleting it');
const includeDeleted = toggleField('options.includeDeleted', 'Include Deleted Contact', {
	description: 'Whether to return the deleted contact, if the service returns it',
});

export const deleteContact = operation({
	value: 'delete',
	description: 'Delete one contact by its External ID',
	request: { method: 'DELETE', path: contactPath, resource: 'contact' },
	dryRun,
	maxConcurrency: maxConcurrencyOption,
	fields: [
		deletionNotice('contact', 'contactId'),
		chatbotField,
		contactField,
		notice(
			'deleteNotice',
			'Deletion is permanent. To see what it would delete, turn on Dry Run in Options.',
		),
		optionsField([
			dryRun,
			notFoundOption('Returns deleted: false and found: false for the External ID'),
			includeDeleted,
			maxConcurrencyOption,
		]),
	],

	read: (item) => ({
		...readChosenContact(item),
		includesDeleted: includeDeleted.read(item),
		dryRun: dryRun.read(item),
	}),

	async send({ item, params, api }) {
		const { chatbotId, contactId, includesDeleted } = params;
		if (params.dryRun) {
			const { contact, response } = await readContact(api, chatbotId, contactId);
			if (contact) return unwritten({ deleted: false, wouldDelete: true, contact });
			return unwritten({
				deleted: false,
				...missingContact(item, api, { ...params, response }),
			});
		}

		const response = await sendToContact(api, { method: 'DELETE', chatbotId, contactId });
		// If an attempt lost its response and the next one gets a 404, the first one deleted the contact.
		if (isContactMissing(response)) {
			if (response.mayHaveRun) return [{ deleted: true }];
			return unwritten({
				deleted: false,
				...missingContact(item, api, { ...params, response }),
			});
		}
		if (response.outcome) throw contactFailure(api, response, { id: contactId });
		if (!confirmsDeletion(response)) throw api.unexpected(response);

		assertIsContact(api, response, [contactId]);
		const contact = dataIn(response);
		return [{ deleted: true, ...(includesDeleted && isObject(contact) && { contact }) }];
	},
});
