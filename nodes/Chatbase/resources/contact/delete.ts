import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { optionsField } from '../../fields/collections';
import { maxConcurrencyOption } from '../../fields/paging';
import type { SingleOperation } from '../../transport/operation';
import { confirmsDeletion } from '../../transport/response';
import { isObject } from '../../values/object';
import type { ChosenContact } from './chosenContact';
import { readChosenContact } from './chosenContact';
import { dryRunOption, notFoundOption } from './fields';
import { contactOf, isContactMissing } from './requests';

interface Task extends ChosenContact {
	includeDeleted: boolean;
	dryRun: boolean;
}

/** Deletes one contact, or shows which one it would delete. */
export const deleteContact: SingleOperation<Task> = {
	read(context, request) {
		const options = context.getNodeParameter('options', {}) as IDataObject;
		return {
			...readChosenContact(context, request),
			includeDeleted: options.includeDeleted === true,
			dryRun: options.dryRun === true,
		};
	},

	async send({ task, service }) {
		const { path, contactId, markMissing, includeDeleted, dryRun } = task;
		const method = dryRun ? 'GET' : 'DELETE';
		const response = await service.send({ method, path, subject: 'contact' });
		const missing = isContactMissing(response);
		// An attempt whose response was lost has deleted the contact, when the next one finds it gone.
		if (missing && response.unclear && !dryRun) return [{ deleted: true }];
		if (missing && markMissing) return [{ deleted: false, found: false, external_id: contactId }];
		if (response.outcome) throw service.failure(response, 'contact');
		if (dryRun) return [{ deleted: false, wouldDelete: true, contact: contactOf(service, response) }];
		if (!confirmsDeletion(response)) throw service.unexpected(response, 'contact');
		const contact = isObject(response.body) ? response.body.data : undefined;
		return [{ deleted: true, ...(includeDeleted && isObject(contact) && { contact }) }];
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
