import type { PendingItem } from '../../../nodes/Chatbase/execution/run';
import type { Contact } from '../../../nodes/Chatbase/resources/contact/contact';
import type { ContactParams } from '../../../nodes/Chatbase/resources/contact/item';
import type { MatchBy } from '../../../nodes/Chatbase/resources/contact/fields';
import { KnownContacts } from '../../../nodes/Chatbase/resources/contact/list';
import { decide, reserveIdentities } from '../../../nodes/Chatbase/resources/contact/match';
import { byChatbot } from '../../../nodes/Chatbase/sync/plan';
import { countSteps } from '../steps';

/** Matching and grouping: twice as many contacts must not cost four times the steps. */
interface World {
	idOf(index: number): string | undefined;
	emailOf(index: number): string | undefined;
	/** Of the contact; like the item's if absent. */
	contactIdOf?(index: number): string;
	nameOf?(index: number): string;
	chatbotOf?(index: number): string;
	matchBy?: MatchBy;
}

const worlds: Array<[string, World]> = [
	['each has an ID', { idOf: (index) => `c${index}`, emailOf: (index) => `${index}@x.example` }],
	['all share one email', { idOf: (index) => `c${index}`, emailOf: () => 'same@x.example' }],
	[
		'all share one email and have no ID',
		{ idOf: () => undefined, emailOf: () => 'same@x.example', contactIdOf: (index) => `c${index}` },
	],
	[
		'all share one email, and no contact has their IDs',
		{
			idOf: (index) => `new${index}`,
			emailOf: () => 'same@x.example',
			contactIdOf: (index) => `c${index}`,
			matchBy: 'externalIdThenEmail',
		},
	],
	['all share one ID', { idOf: () => 'same', emailOf: (index) => `${index}@x.example` }],
	[
		'all share one ID and contradict each other',
		{ idOf: () => 'same', emailOf: () => undefined, nameOf: (index) => `Name ${index}` },
	],
	[
		'each is for a chatbot of its own',
		{ idOf: () => 'same', emailOf: () => undefined, chatbotOf: (index) => `bot${index}` },
	],
];

function itemsOf(count: number, world: World): Array<PendingItem<ContactParams>> {
	const { idOf, emailOf, nameOf = () => 'Ada', chatbotOf = () => 'bot' } = world;
	const api = {} as never;
	return Array.from({ length: count }, (_, index) => {
		const id = idOf(index);
		const email = emailOf(index);
		const item = { index, identity: { id, email }, error: (title: string) => new Error(title) };
		const settings = {
			chatbotId: chatbotOf(index),
			matchBy: world.matchBy ?? 'externalId',
			mode: 'merge',
			onlyIfEmpty: [],
			onDroppedFields: 'warn',
			dryRun: false,
		};
		const wanted = {
			values: new Map([['name', nameOf(index)]]),
			unknown: new Map(),
		};
		const params = { settings, wanted };
		return { item, params, api, succeed: () => {}, fail: () => {} } as never;
	});
}

async function stepsFor(count: number, world: World): Promise<number> {
	const contactIdOf = world.contactIdOf ?? world.idOf;
	const contacts = Array.from({ length: count }, (_, index) => ({
		external_id: contactIdOf(index),
		email: world.emailOf(index),
	})) as Contact[];
	const items = itemsOf(count, world);
	const run = { refused: [], items } as never;
	const known = new KnownContacts();
	known.isWhole = true;
	return await countSteps(async () => {
		contacts.forEach((contact) => known.add(contact));
		for (const { items: group } of byChatbot(items)) {
			const { tasks, reserved } = await reserveIdentities(run, group);
			await decide(tasks, known, reserved);
		}
	});
}

it.each(worlds)('grows with the number of contacts when %s', async (_, world) => {
	const few = await stepsFor(500, world);
	const many = await stepsFor(2000, world);
	expect(few).toBeGreaterThan(500);
	expect(many / few).toBeLessThan(4.5);
});
