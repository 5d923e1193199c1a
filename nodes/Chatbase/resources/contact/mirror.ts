import type { NodeOperationError } from 'n8n-workflow';

import { dryRunOption } from '../../execution/dryRun';
import type { PendingItem, Run } from '../../execution/run';
import { operation, optionsField } from '../../fields/define';
import { chatbotField } from '../../fields/locators';
import { assertAllNamed, assertFullRun, assertOneSetting } from '../../mirror/fullRun';
import {
	assertExpectedItems,
	handleMissing,
	limitOptions,
	planMissing,
} from '../../mirror/missing';
import { outcomeOutput, readOutcome } from '../../mirror/outcome';
import type { MissingRecords } from '../../mirror/summary';
import type { Contact } from './contact';
import { attributeText, contactsPath, externalIdOf } from './contact';
import {
	contactNouns,
	matchByField,
	updateAdditionalFields,
	updateMapper,
	upsertOptions,
} from './fields';
import type { ContactParams } from './item';
import { readContactItem, settingsText } from './item';
import { incompleteListText, knowList, readContactList, wholeList } from './list';
import { MissingHandler } from './missing';
import type { MirrorSettings } from './ownership';
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
import { ContactWriter, decide, reservedBy, worksOf } from './writer';

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
		assertOneSetting(run, (params) => [params.mirror, settingsText(params.settings)]);
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
	const { ownership, onMissing, missingSince } = mirror;
	const ids = [
		...items.map(({ params: { identity } }) => identity),
		...run.refused.map(({ identity }) => identity),
	];
	assertInput(items, mirror);
	assertExpectedItems(context, mirror, new Set(ids.map(({ id }) => id)).size, contactNouns);
	const attributes = await findMissingAttributes(context, api, chatbotId, mirror);
	const readAt = Date.now();
	const list = await readContactList(api, wholeList(chatbotId));
	if (!list.isComplete) {
		throw context.error('The contact list could not be read completely', incompleteListText(list));
	}
	assertHoldsTags(context, ownership, list.contacts);
	const known = knowList(api, chatbotId, list, readAt);

	// By ID first: of two equal items, one could match the contact by its email and take it from the other.
	const named = worksOf(tagItems(items, mirror), ({ params: { identity } }) => identity.id!);
	const reserved = reservedBy(run, items, named);
	const { works, ambiguous } = decide(
		named.flatMap((work) => work.items),
		known,
		reserved,
	);

	const existing = works.map((work) => work.existing).filter((contact) => contact !== undefined);
	const present = new Set<Contact>([...existing, ...ambiguous]);
	const isPresent = (contact: Contact) =>
		present.has(contact) || reserved.ids.has(externalIdOf(contact)!);
	const isMarked = (contact: Contact) =>
		missingSince !== undefined && attributeText(contact, missingSince) !== undefined;
	const managed = list.contacts.filter(
		(contact) => isManaged(contact, ownership) && (isPresent(contact) || !isMarked(contact)),
	);
	const missing = managed.filter((contact) => !isPresent(contact));
	const names = missing.map((contact) => externalIdOf(contact)!);
	const plan = planMissing(context, contactNouns, mirror, dryRun, names, managed.length);
	const isSkipped = (contact: Contact) => isOfAnotherMirror(contact, ownership);
	if (works.length > 0 && works.every(({ existing }) => existing && isSkipped(existing))) {
		throw allSkipped(run, mirror);
	}

	if (!dryRun) await createAttributes(api, chatbotId, attributes);
	const writer = new ContactWriter(api, chatbotId, isSkipped);
	if (onMissing !== 'report') {
		const deed = onMissing === 'mark' ? 'marked' : 'deleted';
		writer.missing = { contacts: new Set(missing), deed };
	}
	await writer.write(works);

	// The service may have one contact for two spellings of an ID.
	const open = missing.filter(({ id }) => id === undefined || !writer.writtenIds.has(id));
	const others = list.contacts.filter(
		(contact) => !isManaged(contact, ownership) && !isPresent(contact),
	);
	const handler = new MissingHandler(
		api,
		chatbotId,
		(current, listed) =>
			current.id === listed.id &&
			externalIdOf(current) === externalIdOf(listed) &&
			known.withId(externalIdOf(listed)!).length === 1 &&
			isManaged(current, ownership),
	);
	return await handleMissing(run, plan, mirror, contactNouns, {
		missing: open,
		nameOf: (contact) => externalIdOf(contact)!,
		unmanaged: others.length,
		newAttributes: attributes.map(({ name }) => name),
		handle: async (contact) =>
			missingSince === undefined
				? await handler.delete(contact)
				: await handler.mark(contact, missingSince, settings),
	});
}

/** @throws NodeOperationError if the mirror would create a contact that it does not manage */
function assertInput(items: Array<PendingItem<MirrorParams>>, { ownership }: MirrorSettings) {
	if (ownership.kind !== 'idPrefix') return;
	const { prefix } = ownership;
	const foreign = items.find(({ params }) => !params.identity.id!.startsWith(prefix));
	if (!foreign) return;
	throw foreign.item.error(
		'An External ID lacks the ID Prefix',
		`"${foreign.params.identity.id}" does not start with "${prefix}". The mirror would create a contact that it does not manage.`,
	);
}

function allSkipped(
	{ context }: Run<MirrorParams>,
	{ ownership }: MirrorSettings,
): NodeOperationError {
	const tag = ownership.kind === 'tag' ? ownership.tag : '';
	return context.error(
		'Another mirror manages all contacts of the input',
		`None of them has the tag "${tag}". Nothing was written. If you have renamed the tag, change it back.`,
	);
}
