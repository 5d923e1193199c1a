import type { INodeProperties } from 'n8n-workflow';

import type { SingleOperation } from '../../execution/operation';
import { optionsField } from '../../fields/collections';
import { readBoolean } from '../../fields/values';
import { maxConcurrencyOption } from '../../fields/paging';
import { confirmsDeletion } from '../../api/response';
import { isObject } from '../../values/object';
import { notFoundOption } from './description/notFoundOption';
import { dryRunOption } from './description/writeOptions';
import type { ChosenContact } from './input/chosenContact';
import { readChosenContact } from './input/chosenContact';
import { readDryRun } from './input/writeTask';
import { isContactMissing } from './requests/single';

interface Task extends ChosenContact {
	includesDeleted: boolean;
	dryRun: boolean;
}

/** Deletes one contact, or shows which one it would delete. */
export const deleteContact: SingleOperation<Task> = {
	read(item) {
		const options = item.collection('options');
		return {
			...readChosenContact(item),
			includesDeleted: readBoolean(item, options, 'includeDeleted', 'Include Deleted Contact'),
			dryRun: readDryRun(item, options),
		};
	},

	async send({ item, params, api }) {
		const { path, contactId, marksMissing, includesDeleted, dryRun } = params;
		const method = dryRun ? 'GET' : item.request.method;
		const response = await api.send({ method, path, subject: 'contact' });
		const missing = isContactMissing(response);
		// An attempt whose response was lost has deleted the contact, when the next one finds it gone.
		if (missing && response.mayHaveRun && !dryRun) return [{ deleted: true }];
		if (missing && marksMissing) return [{ deleted: false, found: false, external_id: contactId }];
		if (response.outcome) throw api.failure(response, 'contact');
		if (dryRun) {
			return [{ deleted: false, wouldDelete: true, contact: api.expectBody(response, 'contact') }];
		}
		if (!confirmsDeletion(response)) throw api.unexpected(response, 'contact');
		const contact = isObject(response.body) ? response.body.data : undefined;
		return [{ deleted: true, ...(includesDeleted && isObject(contact) && { contact }) }];
	},
};

export const contactDeleteFields: INodeProperties[] = [
	{
		displayName:
			'The contact is deleted permanently. Options offers a dry run, and keeping the deleted contact in the output.',
		name: 'deleteNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { resource: ['contact'], operation: ['delete'] } },
	},
	optionsField({ resource: ['contact'], operation: ['delete'] }, [
		dryRunOption('Whether to look the contact up without deleting it'),
		notFoundOption('The item becomes deleted: false, found: false with the External ID'),
		{
			displayName: 'Include Deleted Contact',
			name: 'includeDeleted',
			type: 'boolean',
			default: false,
			description:
				'Whether to put the deleted contact into the output, where the service returns it',
		},
		maxConcurrencyOption,
	]),
];
