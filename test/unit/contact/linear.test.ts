import type { Contact } from '../../../nodes/Chatbase/resources/contact/plan/contactRecord';
import { KnownContacts } from '../../../nodes/Chatbase/resources/contact/plan/knownContacts';
import { matchWishes, reserveKeys } from '../../../nodes/Chatbase/resources/contact/plan/matching';
import { creationFor, stepFor } from '../../../nodes/Chatbase/resources/contact/plan/steps';
import type {
	ContactInput,
	MatchBy,
} from '../../../nodes/Chatbase/resources/contact/plan/wantedContact';
import { wishesOf } from '../../../nodes/Chatbase/resources/contact/plan/wishes';
import { countSteps } from '../countSteps';
import { settings } from './settings';

/** Matching and grouping: twice as many contacts must not cost four times the steps. */
interface World {
	idOf(index: number): string | undefined;
	emailOf(index: number): string | undefined;
	/** Of the contact; like the item's if absent. */
	contactIdOf?(index: number): string;
	nameOf?(index: number): string;
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
	[
		'all contacts spell one ID in another way',
		{
			idOf: (index) => `c${index}`,
			emailOf: () => undefined,
			contactIdOf: (index) => ['same', ' same', 'same '][index % 3],
		},
	],
	['all share one ID', { idOf: () => 'same', emailOf: (index) => `${index}@x.example` }],
	[
		'all share one ID and contradict each other',
		{ idOf: () => 'same', emailOf: () => undefined, nameOf: (index) => `Name ${index}` },
	],
	[
		'each wants the email of the next',
		{
			idOf: (index) => `c${index}`,
			emailOf: (index) => `${index}@x.example`,
			contactIdOf: (index) => `c${index + 1}`,
		},
	],
];

function inputsOf(count: number, { idOf, emailOf, nameOf, matchBy }: World): ContactInput[] {
	return Array.from({ length: count }, (_, index) => {
		const email = emailOf(index);
		return {
			index,
			key: { id: idOf(index), email },
			settings: { ...settings, matchBy: matchBy ?? settings.matchBy },
			values: new Map([
				['name', nameOf?.(index) ?? 'Ada'],
				...(email === undefined ? [] : [['email', email] as const]),
			]),
			notSent: new Map(),
		};
	});
}

async function stepsFor(count: number, world: World): Promise<number> {
	const contactIdOf = world.contactIdOf ?? world.idOf;
	const contacts = Array.from({ length: count }, (_, index) => ({
		external_id: contactIdOf(index),
		email: world.emailOf(index),
	})) as Contact[];
	const inputs = inputsOf(count, world);

	return await countSteps(async () => {
		const known = new KnownContacts(contacts);
		const wanted = wishesOf(inputs);
		const matches = matchWishes(wanted, known, reserveKeys([], inputs, wanted.refused));
		matches.existing.forEach((matched) => stepFor(matched));
		matches.fresh.forEach((wish) => creationFor(wish));
	});
}

it.each(worlds)('grows with the number of contacts when %s', async (_, world) => {
	const few = await stepsFor(500, world);
	const many = await stepsFor(2000, world);
	expect(few).toBeGreaterThan(500);
	expect(many / few).toBeLessThan(4.5);
});
