import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { confirmsDeletion } from '../../api/response';
import type { RunContext } from '../../execution/context';
import { InputItem } from '../../execution/item';
import type { Run } from '../../execution/run';
import { maxConcurrencyOption, optionsField } from '../../panel/collections';
import { dryRunToggle } from '../../panel/dryRun';
import { operation } from '../../panel/operation';
import { assertFullRun, assertStartsOnce } from '../../sync/completeList';
import { assertExpectedItems } from '../../sync/limit';
import type { MirrorPlan } from '../../sync/missing';
import { recordOf } from '../../sync/records';
import { listNotice, notAsTool, runMirror } from '../../sync/runMirror';
import { firstOf } from '../../values/list';
import { chatbotField } from '../chatbot/chatbots';
import { readAttributesIfAny } from '../customAttribute/attributes';
import { writeChange } from './change';
import {
	attributeText,
	type Contact,
	contactsPath,
	externalIdOf,
	foldId,
	isContactMissing,
	readContact,
	sendToContact,
} from './contact';
import { attributePrefix } from './contactValues';
import {
	contactNouns,
	matchByOption,
	updateAdditionalFields,
	upsertOptions,
	type WriteSettings,
} from './fields';
import {
	completeContactItem,
	type ContactParams,
	readContactItem,
	warnOfInput,
} from './item';
import { assertComplete, KnownContacts, readContactList } from './list';
import { updateMapper } from './mappedFields';
import {
	assertHoldsTags,
	assertSomeAreOurs,
	contactLimits,
	createAttributes,
	findMissingAttributes,
	isManaged,
	isOfAnotherMirror,
	type MirrorSettings,
	ownershipFields,
	readMirrorSettings,
	tagAttributeOption,
	tagItems,
} from './ownership';
import { decide, reserveIdentities } from './match';
import { ContactWriter } from './writer';

interface MirrorParams extends ContactParams {
	mirror: MirrorSettings;
}

const request = { method: 'POST', path: contactsPath, resource: 'contacts' } as const;

export const mirror = operation<MirrorParams>({
	value: 'mirror',
	notAsTool,
	action: 'Mirror contact list',
	description:
		'Create and update contacts from your complete list, and mark or delete those missing from it',
	request,
	dryRun: dryRunToggle,
	maxConcurrency: maxConcurrencyOption,
	onFailedItems: contactNouns.outcomeOptions.onFailedItems,
	fields: [
		chatbotField,
		listNotice,
		updateMapper,
		...ownershipFields,
		dryRunToggle,
		updateAdditionalFields,
		optionsField([
			matchByOption,
			tagAttributeOption,
			...upsertOptions,
			...Object.values(contactLimits),
		]),
	],

	validateRun(context) {
		assertFullRun(context, contactNouns);
		// The settings are those of all items.
		const { onMissing } = readMirrorSettings(new InputItem(context, 0, request));
		if (onMissing !== 'report') assertStartsOnce(context, contactNouns);
	},

	read(item) {
		// First the contact, which names the item in errors.
		const contact = readContactItem(item, 'mirror');
		const mirror = item.context.readSettings('mirror', () => readMirrorSettings(item));
		return { mirror, ...contact };
	},

	complete: completeContactItem,

	async sendAll(run) {
		warnOfInput(run);
		const idLabel = 'External ID';
		return await runMirror(run, { nouns: contactNouns, idLabel, planOf: planMirror });
	},
});

async function planMirror(run: Run<MirrorParams>): Promise<MirrorPlan<Contact>> {
	const { context, items } = run;
	const [{ params, api }] = items;
	const { chatbotId, dryRun } = params.settings;
	const ownership = params.mirror;
	const { missingSince } = ownership;

	assertInput(run, ownership);
	const { schema, missing } = await findMissingAttributes(
		context,
		api,
		chatbotId,
		ownership,
	);
	const list = await readContactList(api, { chatbotId });
	assertComplete(context, list);
	assertHoldsTags(context, ownership, list.contacts);

	const known = new KnownContacts(list.contacts, true);
	const tagged = await tagItems(items, ownership, schema);
	const { tasks: wanted, reserved } = reserveIdentities(run, items, tagged);
	const { tasks, ambiguous } = decide(wanted, known, reserved);

	const matched = tasks.map(({ existing }) => existing);
	const found = new Set([...matched, ...ambiguous]);
	const isSkipped = (contact: Contact) => isOfAnotherMirror(contact, ownership);
	const isOurs = (contact: Contact) => isManaged(contact, ownership);
	const ours = list.contacts.filter(isOurs);

	// Chatbase distinguishes the case of IDs. Still, such a difference alone makes no contact missing.
	const folded = new Set([...reserved.ids].map(foldId));
	const isAlike = (contact: Contact) => folded.has(foldId(externalIdOf(contact) ?? ''));
	const isPresent = (contact: Contact) => found.has(contact) || isAlike(contact);
	warnOfAlike(
		context,
		ours.filter((one) => isAlike(one) && !reserved.ids.has(externalIdOf(one)!)),
	);
	const isMarked = (contact: Contact) =>
		missingSince !== undefined && attributeText(contact, missingSince) !== undefined;

	const writer = new ContactWriter(api, chatbotId, known, isSkipped);
	return {
		managed: ours.filter((one) => isPresent(one) || !isMarked(one)),
		unmanaged: list.contacts.filter((one) => !isOurs(one) && !isPresent(one)).length,
		markedBefore: ours.filter((one) => !isPresent(one) && isMarked(one)).length,
		newAttributes: missing.map(({ name }) => name),
		isPresent,
		nameOf: (contact) => externalIdOf(contact)!,

		async write() {
			assertSomeAreOurs(context, ownership, matched);
			if (!dryRun) await createAttributes(api, chatbotId, missing);
			await writer.write(tasks);
		},

		async handle(listed) {
			const id = externalIdOf(listed)!;
			const { contact: current } = await readContact(api, chatbotId, id);
			if (!current) return recordOf(listed, 'deleted');

			// Another contact may have its ID.
			const isSame = current.id === listed.id && known.withId(id).length === 1;
			if (!isSame || !isOurs(current)) return recordOf(current, 'kept');

			return missingSince === undefined
				? await deleteMissing(api, chatbotId, current)
				: await markMissing(api, current, params);
		},
	};
}

/** @param alike contacts whose ID the input has in another form */
function warnOfAlike(context: RunContext, alike: Contact[]) {
	if (alike.length === 0) return;
	const names = firstOf(alike, (contact) => externalIdOf(contact)!);
	context.warn(
		`Not counted as missing: ${names}. The input has the same External ID in another form, such as in another case or with spaces.`,
	);
}

function assertInput(
	{ context, items, refused }: Run<MirrorParams>,
	settings: MirrorSettings,
) {
	const { idPrefix = '' } = settings;
	const foreign = items.find(({ item }) => !item.identity.id!.startsWith(idPrefix));
	if (foreign) {
		throw foreign.item.error(
			'An External ID lacks the ID Prefix',
			`"${foreign.item.identity.id}" does not start with "${idPrefix}". The mirror would create a contact that it does not manage.`,
		);
	}

	const ids = [...refused, ...items.map(({ item }) => item)].map(
		({ identity }) => identity.id,
	);
	assertExpectedItems(context, settings, new Set(ids).size, contactNouns);
}

async function deleteMissing(
	api: ApiClient,
	chatbotId: string,
	contact: Contact,
): Promise<IDataObject> {
	const contactId = externalIdOf(contact)!;
	const response = await sendToContact(api, chatbotId, contactId, { method: 'DELETE' });
	if (response.outcome) {
		if (!isContactMissing(response)) throw api.failure(response);
	} else if (!confirmsDeletion(response)) {
		const { contact: now } = await readContact(api, chatbotId, contactId);
		if (now) throw api.unexpected(response);
	}
	return recordOf(contact, 'deleted');
}

/** A date that was set meanwhile stays. */
async function markMissing(
	api: ApiClient,
	existing: Contact,
	{ settings, mirror: { missingSince } }: MirrorParams,
): Promise<IDataObject> {
	const name = attributePrefix + missingSince!;
	const schema = await readAttributesIfAny(api, settings.chatbotId);
	const values = new Map([[name, new Date().toISOString()]]);
	const wanted = { values, schema };
	const rules: WriteSettings = { ...settings, mode: 'merge', onlyIfEmpty: [name] };
	const change = { wanted, settings: rules, existing };
	const result = await writeChange(api, externalIdOf(existing)!, change);
	if ('response' in result) throw api.failure(result.response);
	return recordOf(result.contact, { ...result.sync, action: 'marked' });
}
