import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { attributePrefix } from '../../contacts/attributes';
import type { WantedContact } from '../../contacts/change';
import { droppedFrom, newContact } from '../../contacts/change';
import type { Contact } from '../../contacts/contact';
import { optionsField } from '../../fields/collections';
import { refuse } from '../../fields/read';
import { refusal } from '../../transport/failure';
import type { ItemContext, JointOperation } from '../../transport/operation';
import type { Service } from '../../transport/service';
import { isObject } from '../../values/object';
import { AttributeSchemas } from './attributeSchemas';
import { byChatbot } from './byChatbot';
import type { Creation } from './createContacts';
import { createContacts } from './createContacts';
import { writeOptions } from './fields';
import type { FoundContacts } from './findContacts';
import { findContacts } from './findContacts';
import type { ContactTask, PreparedItem } from './prepare';
import { prepare, readContactTask } from './prepare';
import { ContactMissing } from './requests';
import type { ContactUnit } from './units';
import { failUnit, succeedUnit, unitsOf } from './units';
import type { SyncAction } from './writeContact';
import { syncRecord, updateExisting } from './writeContact';

type Unit = ContactUnit<ContactTask>;

/** Brings contacts to what the items say: creates those that are missing, patches those that differ. */
export const upsertContact: JointOperation<ContactTask> = {
	read: (context) => readContactTask(context, false, checked),

	async sendTogether(items) {
		const { service } = items[0];
		const schemas = new AttributeSchemas(service);
		const ready = await prepare(items, schemas, checked);
		await Promise.all(
			byChatbot(ready).map(async ({ chatbotId, items: ofChatbot }) => {
				try {
					await upsertAll(service, schemas, chatbotId, ofChatbot);
				} catch (error) {
					ofChatbot.forEach(({ item }) => item.fail(error));
				}
			}),
		);
	},
};

function checked(context: ItemContext, wanted: WantedContact): WantedContact {
	if (idOf(wanted) !== undefined || emailOf(wanted) !== undefined) return wanted;
	throw refuse(
		context,
		'External ID is empty',
		'The node finds contacts by this ID, or by Email where it has no ID. Map at least one of them.',
	);
}

async function upsertAll(
	service: Service,
	schemas: AttributeSchemas,
	chatbotId: string,
	items: Array<PreparedItem<ContactTask>>,
) {
	const inputs = unitsOf(items, ({ wanted }) => keyOf(wanted));
	if (inputs.length === 0) return;
	const byOwnId = new Map(inputs.map((unit) => [idOf(unit.wanted), unit]));
	const ids = new Set([...byOwnId.keys()].filter((id) => id !== undefined));
	const needsList = inputs.some(({ wanted }) => idOf(wanted) === undefined);
	const found = await findContacts(service, chatbotId, ids, needsList, (id, error) =>
		failUnit(byOwnId.get(id)!, error),
	);
	const known = inputs.filter(({ wanted }) => !found.failed.has(idOf(wanted) ?? ''));

	const existing = new Map<WantedContact, Contact>();
	for (const { wanted } of known.flatMap((unit) => unit.items)) {
		const contact = findFor(wanted, ids, found);
		if (contact) existing.set(wanted, contact);
	}
	// Two items can turn out to be about one contact: one by its ID, the other by its e-mail address.
	const units = unitsOf(
		known.flatMap((unit) => unit.items),
		({ wanted }) => existing.get(wanted)?.external_id ?? keyOf(wanted),
	);
	// Updates come first: they may free an e-mail address that a new contact is to have.
	await Promise.all(
		units
			.filter(({ wanted }) => existing.has(wanted))
			.map(async (unit) => await updateUnit(schemas, unit, existing.get(unit.wanted)!)),
	);
	const missing = units.filter(({ wanted }) => !existing.has(wanted));
	const isNameless = ({ wanted }: Unit) => idOf(wanted) === undefined;
	missing
		.filter(isNameless)
		.forEach((unit) => failUnit(unit, found.isWhole ? missingId(unit) : unknownEmail(unit)));
	await createUnits(
		service,
		schemas,
		chatbotId,
		missing.filter((unit) => !isNameless(unit)),
	);
}

/** The contact that exists for an input: by its ID, else by its e-mail address if no other input claims it. */
function findFor(
	wanted: WantedContact,
	claimed: Set<string>,
	{ byId, byEmail }: FoundContacts,
): Contact | undefined {
	const byOwnId = byId.get(idOf(wanted) ?? '');
	if (byOwnId) return byOwnId;
	const candidate = byEmail.get(emailOf(wanted) ?? '');
	if (!candidate?.external_id) return undefined;
	const isClaimed = idOf(wanted) !== undefined && claimed.has(candidate.external_id);
	return isClaimed ? undefined : candidate;
}

async function updateUnit(schemas: AttributeSchemas, unit: Unit, existing: Contact) {
	const { items, wanted } = unit;
	const [{ item }] = items;
	const { service, task } = item;
	const contactId = String(existing.external_id);
	try {
		const result = await updateExisting(
			service,
			schemas,
			task.settings,
			contactId,
			existing,
			wanted,
		);
		if (result instanceof ContactMissing) failUnit(unit, service.failure(result.response, 'contact'));
		else succeedUnit(unit, result);
	} catch (error) {
		failUnit(unit, error);
	}
}

async function createUnits(
	service: Service,
	schemas: AttributeSchemas,
	chatbotId: string,
	units: Unit[],
) {
	const isDry = ({ items: [{ item }] }: Unit) => item.task.settings.dryRun;
	units.filter(isDry).forEach((unit) => {
		succeedWith(unit, newContact(unit.wanted), 'wouldCreate', unit.wanted.unknown);
	});
	const creations = units.filter((unit) => !isDry(unit)).map((unit) => creationOf(schemas, unit));
	await createContacts(service, chatbotId, creations);
}

function creationOf(schemas: AttributeSchemas, unit: Unit): Creation {
	const { wanted } = unit;
	const data = newContact(wanted);
	const onCreated = (contact: Contact) =>
		succeedWith(unit, contact, 'created', [...droppedFrom(data, contact), ...wanted.unknown]);
	return {
		externalId: String(idOf(wanted)),
		data,
		onCreated,
		async onExisting(contact, mayBeOurs) {
			if (mayBeOurs && droppedFrom(data, contact).length === 0) onCreated(contact);
			else await updateUnit(schemas, unit, contact);
		},
		onFailed: (error) => failUnit(unit, error),
	};
}

function succeedWith(unit: Unit, contact: IDataObject, action: SyncAction, dropped: string[]) {
	const [{ item }] = unit.items;
	const data = newContact(unit.wanted);
	const { custom_attributes: attributes, ...fields } = data;
	const changed = [
		...Object.keys(fields),
		...Object.keys(isObject(attributes) ? attributes : {}).map((name) => attributePrefix + name),
	];
	try {
		const { service, task } = item;
		succeedUnit(unit, syncRecord(service, task.settings, contact, action, changed, dropped));
	} catch (error) {
		failUnit(unit, error);
	}
}

function missingId({ items: [{ item }] }: Unit) {
	return refusal(
		item.service.node,
		item.index,
		'No contact has this Email, and External ID is empty',
		'To create a contact, map External ID to the ID that it has in your own system.',
	);
}

function unknownEmail({ items: [{ item }] }: Unit) {
	return refusal(
		item.service.node,
		item.index,
		'The contact list could not be read completely',
		'It changed while the node looked for this Email, so nobody can tell whether a contact has it. Run the node again at a quieter time.',
	);
}

function idOf({ fields }: WantedContact): string | undefined {
	const id = fields.get('external_id');
	return typeof id === 'string' ? id : undefined;
}

function emailOf({ fields }: WantedContact): string | undefined {
	const email = fields.get('email');
	return typeof email === 'string' ? email.toLowerCase() : undefined;
}

/** Tells inputs apart that are about no contact that exists. */
function keyOf(wanted: WantedContact): string {
	return idOf(wanted) ?? `e-mail ${emailOf(wanted)}`;
}

export const contactUpsertFields: INodeProperties[] = [
	{
		displayName:
			'Contacts are found by External ID. Where several items come in, or one without External ID, the node reads the contact list: a contact with the same Email is then updated too, and takes the External ID of the item.',
		name: 'matchingNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { resource: ['contact'], operation: ['upsert'] } },
	},
	optionsField({ resource: ['contact'], operation: ['upsert'] }, [
		writeOptions.attributesMode,
		writeOptions.dryRun,
		writeOptions.emptyValues,
		writeOptions.droppedFields,
		writeOptions.maxConcurrency,
	]),
];
