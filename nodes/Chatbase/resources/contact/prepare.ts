import type { WantedContact } from '../../contacts/change';
import type { ItemContext, JointItem } from '../../transport/operation';
import type { AttributeSchemas } from './attributeSchemas';
import type { ContactInput } from './contactFields';
import type { WriteSettings } from './writeContact';

interface Preparable {
	settings: WriteSettings;
	input: ContactInput;
	/** Already there when the item could be understood without the attributes of the chatbot. */
	wanted?: WantedContact;
}

/**
 * Finishes the items that could not be understood without the attributes of the chatbot. All of them are
 * finished before any is written, so that nothing is written in Stop mode while one turns out bad.
 *
 * @param check refuses what cannot be written
 * @returns the items that are valid; the others have failed
 */
export async function prepare<Task extends Preparable>(
	items: Array<JointItem<Task>>,
	schemas: AttributeSchemas,
	check: (context: ItemContext, wanted: WantedContact) => WantedContact,
): Promise<Array<{ item: JointItem<Task>; wanted: WantedContact }>> {
	const prepared = await Promise.all(
		items.map(async (item) => {
			const { wanted, input, settings } = item.task;
			if (wanted) return { item, wanted };
			try {
				const schema = await schemas.of(settings.chatbotId);
				return { item, wanted: check(item.context, input.toWanted(schema)) };
			} catch (error) {
				item.fail(error);
				return undefined;
			}
		}),
	);
	return prepared.filter((entry) => entry !== undefined);
}
