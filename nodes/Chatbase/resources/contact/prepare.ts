import type { IDataObject } from 'n8n-workflow';

import type { Attribute } from '../../contacts/attributes';
import type { WantedContact } from '../../contacts/change';
import { assertPathSegment, readId } from '../../fields/read';
import type { ItemContext, JointItem } from '../../transport/operation';
import type { AttributeSchemas } from './attributeSchemas';
import type { ContactInput } from './contactFields';
import { readContactInput } from './contactFields';
import type { WriteSettings } from './writeContact';
import { readWriteSettings } from './writeContact';

/** What an operation that writes contacts has read of an item. */
export interface ContactTask {
	settings: WriteSettings;
	input: ContactInput;
	/** Already there when the item can be understood without the attributes of the chatbot. */
	wanted?: WantedContact;
}

/** An item that is ready to be written. */
export interface PreparedItem<Task> {
	item: JointItem<Task>;
	wanted: WantedContact;
}

/** Refuses what the operation cannot write, and returns the rest as it is. */
type Check = (context: ItemContext, wanted: WantedContact) => WantedContact;

/**
 * Reads an item of an operation that writes contacts.
 *
 * @param isUpdate whether another field chooses the contact, so that automatic mapping leaves its ID alone
 * @throws NodeOperationError that names the field whose value cannot work
 */
export function readContactTask(
	context: ItemContext,
	isUpdate: boolean,
	check: Check,
): ContactTask {
	const chatbotId = readId(context, 'chatbotId', 'Chatbot');
	const options = context.getNodeParameter('options', {}) as IDataObject;
	const input = readContactInput(context, isUpdate, options.emptyValues === 'clear');
	return {
		settings: readWriteSettings(chatbotId, options),
		input,
		wanted: input.needsSchema ? undefined : check(context, readWanted(context, input, [])),
	};
}

/**
 * Finishes the items that could not be understood without the attributes of the chatbot. All of them are
 * finished before any is written, so that nothing is written in Stop mode while one turns out bad.
 *
 * @returns the items that are valid; the others have failed
 */
export async function prepare<Task extends ContactTask>(
	items: Array<JointItem<Task>>,
	schemas: AttributeSchemas,
	check: Check,
): Promise<Array<PreparedItem<Task>>> {
	const prepared = await Promise.all(
		items.map(async (item) => {
			const { wanted, input, settings } = item.task;
			if (wanted) return { item, wanted };
			try {
				const schema = await schemas.of(settings.chatbotId);
				return { item, wanted: check(item.context, readWanted(item.context, input, schema)) };
			} catch (error) {
				item.fail(error);
				return undefined;
			}
		}),
	);
	return prepared.filter((entry) => entry !== undefined);
}

/** Reads what the contact should hold, and refuses an ID that no path could name later on. */
function readWanted(context: ItemContext, input: ContactInput, schema: Attribute[]): WantedContact {
	const wanted = input.toWanted(schema);
	const id = wanted.fields.get('external_id');
	if (typeof id === 'string') assertPathSegment(context, id, 'External ID');
	return wanted;
}
