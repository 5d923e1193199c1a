import type { INodeProperties } from 'n8n-workflow';

import type { SingleOperation } from '../../execution/operation';
import { optionsField } from '../../fields/collections';
import { maxConcurrencyOption } from '../../fields/paging';
import { notFoundOption } from './description/notFoundOption';
import type { ChosenContact } from './input/chosenContact';
import { readChosenContact } from './input/chosenContact';
import { isContactMissing } from './requests/single';

/** Reads one contact. */
export const getContact: SingleOperation<ChosenContact> = {
	read: readChosenContact,

	async send({ item, params: { path, contactId, marksMissing }, api }) {
		const { method } = item.request;
		const response = await api.send({ method, path, subject: 'contact' });
		if (marksMissing && isContactMissing(response)) {
			return [{ found: false, external_id: contactId }];
		}
		return [api.expectBody(response, 'contact')];
	},
};

export const contactGetFields: INodeProperties[] = [
	optionsField({ resource: ['contact'], operation: ['get'] }, [
		notFoundOption('The item becomes found: false with the External ID'),
		maxConcurrencyOption,
	]),
];
