import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { InputItem } from '../../execution/item';
import type { BatchOperation, PendingItem } from '../../execution/operation';
import { optionsField } from '../../fields/collections';
import { notFoundOption } from './description/notFoundOption';
import { writeOptions } from './description/writeOptions';
import type { ChosenContact } from './input/chosenContact';
import { readChosenContact } from './input/chosenContact';
import type { WriteTask } from './input/writeTask';
import { readWriteTask } from './input/writeTask';
import type { WantedContact } from './plan/change';
import { showRunHint } from './report/hint';
import { ContactMissing, ContactRefused, readContact } from './requests/single';
import { refusedError } from './write/conflict';
import { entriesOf } from './write/entries';
import { recordAllowed } from './write/unitWriter';
import { writeChange } from './write/writeChange';

interface Task extends WriteTask {
	chosen: ChosenContact;
}

/** Changes contacts that exist, each by its External ID. */
export const updateContact: BatchOperation<Task> = {
	read: (item) => ({ chosen: readChosenContact(item), ...readWriteTask(item, true, check) }),

	async sendAll(run) {
		const entries = await entriesOf(run, check);
		await Promise.all(
			entries.map(async ({ open, wanted }) => {
				try {
					open.succeed([await updateInTurn(open, wanted)]);
				} catch (error) {
					open.fail(error);
				}
			}),
		);
		return showRunHint(run, { dryRun: run.items.some(({ params }) => params.settings.dryRun) });
	},
};

function check(item: InputItem, { fields, attributes }: WantedContact) {
	if (fields.size > 0 || attributes.size > 0) return;
	throw item.refusal(
		'Contact Fields holds nothing to update',
		'Map at least one field with a value. Empty values count only when Empty Values is set to Clear.',
	);
}

/** Items that name the same contact, by its old ID or its new one, come one after the other. */
async function updateInTurn(
	{ item, params, api }: PendingItem<Task>,
	wanted: WantedContact,
): Promise<IDataObject> {
	const { settings, chosen } = params;
	const { chatbotId, dryRun, onDroppedFields } = settings;
	const { contactId, marksMissing } = chosen;
	const names = [contactId, wanted.fields.get('external_id') ?? contactId];
	const turns = names.map((name) => `contact ${chatbotId} ${String(name)}`);
	return await api.state.runExclusive(turns, async () => {
		// Custom attributes are sent as a whole; everything else can be written without looking.
		const mustLook = dryRun || wanted.attributes.size > 0;
		// From one slot: nobody else's write is to come between reading and writing, nor before a refusal is told.
		const result = await api.inOneSlot(async (sender) => {
			const existing = mustLook ? await readContact(sender, chatbotId, contactId) : undefined;
			if (existing instanceof ContactMissing) return existing;
			const written = await writeChange(sender, settings, contactId, existing, wanted);
			if (!(written instanceof ContactRefused)) return written;
			throw await refusedError(sender, {
				chatbotId,
				response: written.response,
				contactId,
				email: wanted.fields.get('email'),
				isSwap: false,
				canMatchByEmail: false,
			});
		});
		if (result instanceof ContactMissing) {
			if (marksMissing) return { found: false, external_id: contactId };
			throw api.failure(result.response, 'contact');
		}
		return recordAllowed({ item }, result, onDroppedFields);
	});
}

export const contactUpdateFields: INodeProperties[] = [
	optionsField({ resource: ['contact'], operation: ['update'] }, [
		...writeOptions,
		notFoundOption('The item becomes found: false with the External ID'),
	]),
];
