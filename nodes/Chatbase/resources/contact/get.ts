import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { optionsField } from '../../fields/collections';
import { maxConcurrencyOption } from '../../fields/paging';
import { readId } from '../../fields/read';
import { nodeOf } from '../../transport/node';
import type { SingleOperation } from '../../transport/operation';
import { fillPath } from '../../transport/path';
import { notFoundOption } from './fields';
import { contactOf, isContactMissing } from './requests';

interface Task {
	path: string;
	contactId: string;
	markMissing: boolean;
}

/** Reads one contact. */
export const getContact: SingleOperation<Task> = {
	read(context, request) {
		const chatbotId = readId(context, 'chatbotId', 'Chatbot');
		const contactId = readId(context, 'contactId', 'Contact');
		const options = context.getNodeParameter('options', {}) as IDataObject;
		return {
			path: fillPath(nodeOf(context), request.path, { chatbotId, contactId }),
			contactId,
			markMissing: options.onNotFound === 'mark',
		};
	},

	async send({ task, service }) {
		const reply = await service.send({ method: 'GET', path: task.path, subject: 'contact' });
		if (task.markMissing && isContactMissing(reply)) {
			return [{ found: false, external_id: task.contactId }];
		}
		return [contactOf(service, reply)];
	},
};

export const contactGetFields: INodeProperties[] = [
	optionsField({ resource: ['contact'], operation: ['get'] }, [
		notFoundOption('The item becomes found: false with the External ID'),
		maxConcurrencyOption,
	]),
];
