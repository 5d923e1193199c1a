import type { INodeProperties } from 'n8n-workflow';

import { optionsField } from '../../fields/collections';
import { maxConcurrencyOption } from '../../fields/paging';
import type { SingleOperation } from '../../transport/operation';
import type { ChosenContact } from './chosenContact';
import { readChosenContact } from './chosenContact';
import { notFoundOption } from './fields';
import { contactOf, isContactMissing } from './requests';

/** Reads one contact. */
export const getContact: SingleOperation<ChosenContact> = {
	read: readChosenContact,

	async send({ task, service }) {
		const response = await service.send({ method: 'GET', path: task.path, subject: 'contact' });
		if (task.markMissing && isContactMissing(response)) {
			return [{ found: false, external_id: task.contactId }];
		}
		return [contactOf(service, response)];
	},
};

export const contactGetFields: INodeProperties[] = [
	optionsField({ resource: ['contact'], operation: ['get'] }, [
		notFoundOption('The item becomes found: false with the External ID'),
		maxConcurrencyOption,
	]),
];
