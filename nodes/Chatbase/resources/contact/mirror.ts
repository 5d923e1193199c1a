import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { confirmsDeletion } from '../../api/response';
import { dryRunOption } from '../../execution/dryRun';
import type { PendingItem, Run } from '../../execution/run';
import { operation, optionsField } from '../../fields/define';
import { chatbotField } from '../../fields/locators';
import { assertAllNamed, assertFullRun, assertOneSetting } from '../../sync/fullRun';
import { assertExpectedItems, handleMissing, limitOptions, planMissing } from '../../sync/missing';
import { outcomeOutput, readOutcome } from '../../sync/outcome';
import type { MissingRecords } from '../../sync/summary';
import { recordOf } from '../../sync/summary';
import { attributePrefix } from '../customAttribute/attributes';
import { writeChange } from './change';
import type { Contact } from './contact';
import {
	attributeText,
	ContactMissing,
	ContactRefused,
	contactsPath,
	externalIdOf,
	isContactMissing,
	readContact,
	sendToContact,
} from './contact';
import {
	contactNouns,
	matchByField,
	updateAdditionalFields,
	updateMapper,
	upsertOptions,
} from './fields';
import type { ContactParams } from './item';
import { readContactItem } from './item';
import { assertComplete, knowList, readContactList, wholeList } from './list';
import type { MirrorSettings } from './ownership';
import { decide, reserveIdentities } from './plan';
import type { WriteSettings } from './settings';
import {
	assertHoldsTags,
	createAttributes,
	findMissingAttributes,
	isManaged,
	isOfAnotherMirror,
	ownershipFields,
	readMirrorSettings,
	tagItems,
} from './ownership';
import { ContactWriter } from './writer';

interface MirrorParams extends ContactParams {
	mirror: MirrorSettings;
}

export const mirror = operation<MirrorParams>({
	value: 'mirror',
	name: 'Mirror',
	worksAsTool: false,
	action: 'Mirror contact list',
	description:
		'Create and update contacts from your complete list, and mark or delete those missing from it',
	request: { method: 'POST', path: contactsPath },
	fields: [
		chatbotField,
		updateMapper,
		matchByField,
		...ownershipFields,
		dryRunOption('Whether to show what would happen without writing anything'),
		updateAdditionalFields,
		optionsField([...upsertOptions, ...limitOptions(contactNouns)]),
	],

	validateRun: (context) => assertFullRun(context, contactNouns),

	async read(item, api) {
		// First the contact, which names the item in errors.
		const contact = await readContactItem(item, api, 'mirror');
		return { mirror: readMirrorSettings(item), ...contact };
	},

	continueAfterFailure: (item) => readOutcome(item, contactNouns).onFailedItems === 'finish',

	async sendAll(run) {
		const buildOutput = outcomeOutput(run, contactNouns);
		assertAllNamed(run, 'External ID');
		assertOneSetting(run, (params) => [params.mirror, params.settings]);
		const extras = run.items.length > 0 ? await mirrorAll(run) : undefined;
		return (results) => buildOutput(results, extras);
	},
});

/** Reads the whole list, checks the safety limit, then writes. */
async function mirrorAll(run: Run<MirrorParams>): Promise<MissingRecords> {
	const { context, items } = run;
	const [{ params, api }] = items;
	const { mirror, settings } = params;
	const { chatbotId, dryRun } = settings;
	const { ownership, missingSince } = mirror;
	const all = [...run.refused, ...items.map(({ item }) => item)];
	const ids = new Set(all.map(({ identity }) => identity.id));
	assertInput(items, mirror);
	assertExpectedItems(context, mirror, ids.size, contactNouns);
	const attributes = await findMissingAttributes(context, api, chatbotId, mirror);
	const list = await readContactList(api, wholeList(chatbotId));
	assertComplete(context, list);
	assertHoldsTags(context, ownership, list.contacts);
	const known = knowList(api, chatbotId, list);

	const { writable, reserved } = reserveIdentities(run, items, tagItems(items, mirror));
	const { tasks, ambiguous } = decide(writable, known, reserved);

	const present = new Set([...tasks.map(({ existing }) => existing), ...ambiguous]);
	const isPresent = (contact: Contact) =>
		present.has(contact) || reserved.ids.has(externalIdOf(contact)!);
	const isMarked = (contact: Contact) =>
		missingSince !== undefined && attributeText(contact, missingSince) !== undefined;
	const managed = list.contacts.filter(
		(contact) => isManaged(contact, ownership) && (isPresent(contact) || !isMarked(contact)),
	);
	const missing = managed.filter((contact) => !isPresent(contact));
	const nameOf = (contact: Contact) => externalIdOf(contact)!;
	const names = missing.map(nameOf);
	const plan = planMissing(context, contactNouns, mirror, dryRun, names, managed.length);
	const isSkipped = (contact: Contact) => isOfAnotherMirror(contact, ownership);
	const areAllSkipped = tasks.every(({ existing }) => existing && isSkipped(existing));
	if (tasks.length > 0 && areAllSkipped && ownership.kind === 'tag') {
		throw context.error(
			'Another mirror manages all contacts of the input',
			`None of them has the tag "${ownership.tag}". Nothing was written. If you have renamed the tag, change it back.`,
		);
	}

	if (!dryRun) await createAttributes(api, chatbotId, attributes);
	const writer = new ContactWriter(api, chatbotId, isSkipped);
	const { deed } = plan;
	if (deed !== 'missing') writer.missing = { contacts: new Set(missing), action: deed };
	await writer.write(tasks);

	// The service may have one contact for two spellings of an ID.
	const open = missing.filter(({ id }) => id === undefined || !writer.writtenIds.has(id));
	const others = list.contacts.filter(
		(contact) => !isManaged(contact, ownership) && !isPresent(contact),
	);
	const now = new Date().toISOString();
	return await handleMissing(run, plan, mirror, contactNouns, {
		missing: open,
		nameOf,
		unmanaged: others.length,
		newAttributes: attributes.map(({ name }) => name),
		async handle(listed) {
			const contactId = externalIdOf(listed)!;
			// It may have changed since the list was read.
			const current = await readContact(api, chatbotId, contactId);
			if (current instanceof ContactMissing) return recordOf(listed, 'deleted');
			const isStillMissing =
				current.id === listed.id &&
				externalIdOf(current) === contactId &&
				known.withId(contactId).length === 1 &&
				isManaged(current, ownership);
			if (!isStillMissing) return recordOf(current, 'kept');
			return missingSince === undefined
				? await deleteMissing(api, chatbotId, current)
				: await markMissing(api, settings, current, missingSince, now);
		},
	});
}

async function deleteMissing(
	api: ApiClient,
	chatbotId: string,
	contact: Contact,
): Promise<IDataObject> {
	const contactId = externalIdOf(contact)!;
	const response = await sendToContact(api, chatbotId, contactId, { method: 'DELETE' });
	if (response.outcome && !isContactMissing(response)) throw api.failure(response);
	if (!response.outcome && !confirmsDeletion(response)) {
		const now = await readContact(api, chatbotId, contactId);
		if (!(now instanceof ContactMissing)) throw api.unexpected(response);
	}
	return recordOf(contact, 'deleted');
}

/** A date that was set meanwhile stays. */
async function markMissing(
	api: ApiClient,
	settings: WriteSettings,
	existing: Contact,
	attribute: string,
	now: string,
): Promise<IDataObject> {
	const attributes = new Map([[attribute, now]]);
	const wanted = { fields: new Map(), attributes, unknown: new Map() };
	const onlyIfEmpty = [attributePrefix + attribute];
	const rules: WriteSettings = { ...settings, mode: 'merge', onlyIfEmpty };
	const task = { wanted, settings: rules, existing, readAt: Date.now() };
	const result = await writeChange(api, task, externalIdOf(existing)!);
	if (result instanceof ContactMissing) return recordOf(existing, 'deleted');
	if (result instanceof ContactRefused) throw api.failure(result.response);
	return recordOf(result.contact, { ...result.sync, action: 'marked' });
}

/** @throws NodeOperationError if the mirror would create a contact that it does not manage */
function assertInput(items: Array<PendingItem<MirrorParams>>, { ownership }: MirrorSettings) {
	if (ownership.kind !== 'idPrefix') return;
	const { prefix } = ownership;
	const foreign = items.find(({ item }) => !item.identity.id!.startsWith(prefix));
	if (!foreign) return;
	throw foreign.item.error(
		'An External ID lacks the ID Prefix',
		`"${foreign.item.identity.id}" does not start with "${prefix}". The mirror would create a contact that it does not manage.`,
	);
}
