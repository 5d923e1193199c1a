import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { WantedContact } from '../../contacts/change';
import { optionsField } from '../../fields/collections';
import { readId, refuse } from '../../fields/read';
import type { ItemContext, JointOperation } from '../../transport/operation';
import { AttributeSchemas } from './attributeSchemas';
import { notFoundOption, writeOptions } from './fields';
import type { ContactTask, PreparedItem } from './prepare';
import { prepare, readContactTask } from './prepare';
import { ContactMissing, readContact } from './requests';
import { updateExisting } from './writeContact';

interface Task extends ContactTask {
	contactId: string;
	markMissing: boolean;
}

/** Changes contacts that exist, each by its External ID. */
export const updateContact: JointOperation<Task> = {
	read(context) {
		const options = context.getNodeParameter('options', {}) as IDataObject;
		return {
			...readContactTask(context, true, checked),
			contactId: readId(context, 'contactId', 'Contact'),
			markMissing: options.onNotFound === 'mark',
		};
	},

	async sendTogether(items) {
		const schemas = new AttributeSchemas(items[0].service);
		const ready = await prepare(items, schemas, checked);
		await Promise.all(ready.map(async (item) => await updateOne(item, schemas)));
	},
};

function checked(context: ItemContext, wanted: WantedContact): WantedContact {
	if (wanted.fields.size > 0 || wanted.attributes.size > 0) return wanted;
	throw refuse(
		context,
		'Contact Fields holds nothing to update',
		'Map at least one field with a value. Empty values count only when Empty Values is set to Clear.',
	);
}

async function updateOne({ item, wanted }: PreparedItem<Task>, schemas: AttributeSchemas) {
	const { service, task } = item;
	const { settings, contactId } = task;
	const { chatbotId, attributesMode, dryRun } = settings;
	try {
		// Merging needs the attributes that are there; everything else can be written without looking.
		const mustLook = dryRun || (attributesMode === 'merge' && wanted.attributes.size > 0);
		const existing = mustLook ? await readContact(service, chatbotId, contactId) : undefined;
		const result =
			existing instanceof ContactMissing
				? existing
				: await updateExisting(service, schemas, settings, contactId, existing, wanted);
		if (!(result instanceof ContactMissing)) item.succeed([result]);
		else if (task.markMissing) item.succeed([{ found: false, external_id: contactId }]);
		else item.fail(service.failure(result.response, 'contact'));
	} catch (error) {
		item.fail(error);
	}
}

export const contactUpdateFields: INodeProperties[] = [
	optionsField({ resource: ['contact'], operation: ['update'] }, [
		writeOptions.attributesMode,
		writeOptions.dryRun,
		writeOptions.emptyValues,
		writeOptions.droppedFields,
		notFoundOption('The item becomes found: false with the External ID'),
		writeOptions.maxConcurrency,
	]),
];
