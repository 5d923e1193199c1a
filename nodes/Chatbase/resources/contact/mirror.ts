import { chatbotField } from '../../chatbots/chatbots';
import type { RunContext } from '../../execution/context';
import { InputItem } from '../../execution/item';
import type { PendingItem, Run } from '../../execution/run';
import { optionsField } from '../../panel/collections';
import { dryRunToggle } from '../../panel/dryRun';
import { maxConcurrencyOption } from '../../panel/maxConcurrency';
import { operation } from '../../panel/operation';
import { assertFullRun, assertStartsOnce } from '../../sync/completeList';
import { assertExpectedItems } from '../../sync/limit';
import type { MirrorPlan } from '../../sync/missing';
import { type MirrorRun, notAsTool, runMirror } from '../../sync/runMirror';
import { clean } from '../../values/clean';
import { firstOf, giveWay } from '../../values/list';
import { Answers, recordFor } from './answer/answers';
import { contactsPath } from './contact';
import { assertComplete, readContactList } from './contactList';
import { handleMissingContact, listedContact } from './mirror/missingContacts';
import { foreignInput, isOfAnotherMirror, type MirrorSettings } from './mirror/ownership';
import { createAttributes, findMissingAttributes } from './mirror/ownershipAttributes';
import {
	contactLimits,
	ownershipFields,
	readMirrorSettings,
	tagAttributeOption,
} from './mirror/ownershipFields';
import { matchInput, presenceOf } from './mirror/presence';
import { mirrorMapperNotice, updateMapper } from './panel/mapper';
import {
	contactNouns,
	matchByOption,
	updateAdditionalFields,
	upsertOptions,
} from './panel/options';
import { type Contact, externalIdOf } from './plan/contactRecord';
import { KnownContacts } from './plan/knownContacts';
import type { StepRules } from './plan/steps';
import { attributePrefix } from './plan/values';
import { type ContactParams, readContactInput } from './read/contactInput';
import { warnOfInput } from './read/warnings';
import { foretell, writeContacts } from './write/writeContacts';

interface MirrorParams extends ContactParams {
	readonly mirror: MirrorSettings;
}

const request = { method: 'POST', path: contactsPath, resource: 'contacts' } as const;

export const mirror = operation<MirrorParams>({
	value: 'mirror',
	notAsTool,
	action: 'Mirror contact list',
	description:
		'Create and update contacts from your complete list, and report, mark or delete those missing from it',
	builderHint:
		'The input must be the complete list, all of it in one run: contacts that it lacks can be marked or deleted. Read all pages before, and put no loop, filter or second branch in front. For a part of a list, use Create or Update.',
	request,
	dryRun: dryRunToggle,
	// The errors of a mirror say it themselves.
	nothingDone: '',
	maxConcurrency: maxConcurrencyOption,
	onFailedItems: contactNouns.outcomeOptions.onFailedItems,
	fields: [
		chatbotField,
		...mirrorMapperNotice,
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
		// All items have the same settings.
		const { onMissing } = mirrorSettingsOf(new InputItem(context, 0, request));
		if (onMissing !== 'report') assertStartsOnce(context, contactNouns);
	},

	async read(item, api) {
		// The contact is read first, since it names the item in errors.
		const contact = await readContactInput(item, api, 'mirror');
		return { mirror: mirrorSettingsOf(item), ...contact };
	},

	async sendAll(run) {
		await warnOfInput(run, 'mirror');
		const idLabel = 'External ID';
		return await runMirror(run, { nouns: contactNouns, idLabel, planOf: planMirror });
	},
});

/** The settings of the mirror, read once for all items. */
function mirrorSettingsOf(item: InputItem): MirrorSettings {
	return item.context.readSettings('mirror', () => readMirrorSettings(item));
}

async function planMirror(run: MirrorRun<MirrorParams>): Promise<MirrorPlan<Contact>> {
	const { context, items } = run;
	const [{ params, api }] = items;
	const { mirror, settings } = params;
	const { chatbotId, dryRun } = settings;
	assertInput(run, mirror);

	const place = { api, chatbotId };
	const { schema, missing } = await findMissingAttributes(context, mirror, place);
	const list = await readContactList(api, { chatbotId });
	assertComplete(context, list);
	const known = new KnownContacts(list.contacts);
	await giveWay();

	const inputs = items.map((item) => item.params.input);
	const refused = run.refused.map(({ identity }) => identity);
	const matched = matchInput({ inputs, refused, mirror, schema }, known);
	const { matches } = matched;
	const answers = new Answers(items, { api, operation: 'mirror' });
	answers.refuseAll(matches.refused);
	await giveWay();

	const presence = presenceOf(list.contacts, mirror, matched);
	warnOfAlike(context, presence.alike);
	await giveWay();

	const { tag } = mirror;
	const rules: StepRules = {
		isSkipped: ({ record }) => isOfAnotherMirror(record, mirror),
		cleaned: ['external_id', ...(tag ? [attributePrefix + tag.attribute] : [])],
	};
	const scope = { api, chatbotId, answers, rules };
	return {
		...presence,
		newAttributes: missing.map(({ name }) => name),
		failure: foreignInput(mirror, matches),
		nameOf: (contact) => externalIdOf(contact)!,
		isAmbiguous: (contact) => known.isShared(externalIdOf(contact)!),

		async write() {
			if (dryRun) {
				await foretell(scope, matches);
				return;
			}

			await createAttributes(api, chatbotId, missing);
			await writeContacts(scope, matches);
		},

		async handle(listed) {
			const missingScope = { api, chatbotId, mirror };
			return recordFor(await handleMissingContact(missingScope, listedContact(listed)));
		},
	};
}

/** @param alike contacts whose ID the input has in another form */
function warnOfAlike(context: RunContext, alike: readonly Contact[]) {
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
	const { idPrefix = '', expectedItems: expected } = settings;
	const idOf = ({ params }: PendingItem<MirrorParams>) => clean(params.input.key.id!);
	const foreign = items.find((each) => !idOf(each).startsWith(idPrefix));
	if (foreign) {
		throw foreign.item.error(
			'An External ID lacks the ID Prefix',
			`"${foreign.params.input.key.id}" does not start with "${idPrefix}". The mirror would create a contact that it does not manage.`,
		);
	}

	const ids = new Set([
		...refused.map(({ identity }) => clean(identity.id!)),
		...items.map(idOf),
	]);
	assertExpectedItems(context, contactNouns, { count: ids.size, expected });
}
