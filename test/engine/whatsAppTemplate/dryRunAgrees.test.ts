/** What a Dry Run refuses or shows is what the run then does, whatever was chosen or typed. */
import fc from 'fast-check';

import { expectSeen, propertyRuns } from '../../propertyRuns';
import { openAccount, orderUpdate } from './account';

const account = openAccount('send');

const numbers = ['14155552672', '14155552673', '14155552674'];

interface World {
	accounts: Array<{ senders: number; languages: string[] }>;
	name: string;
	language?: string;
	from?: string;
	keys: string[];
	account?: number;
}

const worlds: fc.Arbitrary<World> = fc.record(
	{
		accounts: fc
			.array(
				fc.record({
					senders: fc.constantFrom(1, 1, 0, 2),
					languages: fc.uniqueArray(fc.constantFrom('en_US', 'de'), { maxLength: 2 }),
				}),
				{ minLength: 1, maxLength: 2 },
			)
			.filter((all) => all.some(({ senders }) => senders > 0)),
		name: fc.constantFrom('order_update', 'order_update', 'order_update', 'gone'),
		language: fc.constantFrom('en_US', 'en_US', 'de'),
		from: fc.constantFrom(...numbers, '4915100000000'),
		keys: fc.constantFrom(['1', '2'], ['1', '2'], ['1'], ['1', '2', '3']),
		account: fc.constantFrom(0, 1),
	},
	{ requiredKeys: ['accounts', 'name', 'keys'] },
);

function connect({ accounts }: World) {
	account.here.accounts.length = 0;
	const free = [...numbers];
	for (const [index, { senders, languages }] of accounts.entries()) {
		account.here.accounts.push({
			id: `waba_${index}`,
			senders: free.splice(0, senders).map((from) => ({ from, verifiedName: null })),
			templates: languages.map((language) => ({
				...orderUpdate,
				language,
				variables: { body: ['1', '2'] },
			})),
		});
	}
}

function parametersFor({ name, language, from, keys, account: chosen }: World) {
	const isChosen = chosen !== undefined && language !== undefined;
	const value = isChosen ? `${name}|${language}|waba_${chosen}` : name;
	const body = Object.fromEntries(keys.map((key) => [key, `value ${key}`]));
	return {
		template: { __rl: true, mode: isChosen ? 'list' : 'name', value },
		to: '14155552671',
		options: {
			variablesJson: JSON.stringify({ body }),
			...(language !== undefined && { language }),
			...(from !== undefined && { from }),
		},
	};
}

/** What only the service can decide, and refuses at no cost. */
const leftToService = [
	'The chatbot does not have the number in From',
	'The chatbot has several WhatsApp numbers',
	'The template has several languages',
	// Of several templates with this name, the list can't know which one is meant.
	'The template needs more variables',
	'The template was not found',
];

it('refuses in the same words, or shows what the customer then gets', async () => {
	const seen = { refused: 0, refusedByService: 0, sent: 0 };
	await fc.assert(
		fc.asyncProperty(worlds, async (world) => {
			connect(world);
			const parameters = parametersFor(world);
			const options = { ...parameters.options, dryRun: true };
			const dry = await account.testbed.run({ ...parameters, options });
			expect(account.here.sent).toEqual([]);
			const real = await account.testbed.run(parameters);

			const [message] = account.here.sent.splice(0);
			if (dry.error) {
				seen.refused++;
				expect(real.error?.message).toBe(dry.error.message);
				expect(real.error?.description).toBe(dry.error.description);
				return;
			}
			if (!message) {
				seen.refusedByService++;
				expect(leftToService).toContain(real.error?.message);
				return;
			}

			seen.sent++;
			const { to, from, template, language, variables, text } = dry.items[0].json;
			expect(message).toMatchObject({
				to,
				template: { name: template, variables, ...(language !== undefined && { language }) },
			});
			if (from !== undefined) expect(message.from).toBe(from);
			if (text !== undefined)
				expect(text).toBe('Order {{1}}\nHi value 1, it arrives on value 2.\nAcme');
			if (parameters.template.mode === 'list') expectChosenAccount(world, message.from);
		}),
		propertyRuns(120),
	);
	expectSeen(seen);
});

/** The service sends the template of the number's account. */
function expectChosenAccount(world: World, from: string) {
	const { senders } = account.here.accounts[world.account!];
	expect(senders.map((sender) => sender.from)).toContain(from);
}

describe('a typed template', () => {
	const typed = { __rl: true, mode: 'name', value: 'order_update' };
	const variablesJson = '{"header": {"1": "#1"}, "body": {"1": "Jane", "2": "Friday"}}';
	const run = async (options: object = {}) =>
		await account.testbed.run({
			template: typed,
			to: '14155552671',
			options: { variablesJson, ...options },
		});

	it.each([true, false])('is refused if the list has none. Dry Run: %s', async (dryRun) => {
		account.here.accounts[0].templates.length = 0;
		const { error } = await run({ dryRun });
		expect(error?.message).toBe('The template was not found');
		expect(error?.description).toContain('The list has no template "order_update".');
		expect(account.sent).toHaveLength(1);
	});

	it('needs Language if there are several', async () => {
		account.here.accounts[0].templates.push({ ...orderUpdate, language: 'de' });
		expect((await run()).error?.message).toBe('The template has several languages');
		expect((await run({ language: 'de' })).error).toBeUndefined();
	});

	it('needs From if several accounts have it', async () => {
		account.connect('waba_2', '14155552673', [orderUpdate]);
		expect((await run()).error?.message).toBe('The chatbot has several WhatsApp numbers');
		expect((await run({ from: '14155552672' })).error).toBeUndefined();
		expect(account.here.sent).toMatchObject([{ from: '14155552672' }]);
	});

	it('is sent from the number of the only account that has it', async () => {
		account.connect('waba_2', '14155552673', []);
		await run();
		expect(account.here.sent).toMatchObject([{ from: '14155552672' }]);
	});

	it('is refused with a number of an account that lacks it', async () => {
		account.connect('waba_2', '14155552673', []);
		const { error } = await run({ from: '14155552673' });
		expect(error?.message).toBe('From is not a number of the template');
		expect(account.here.sent).toEqual([]);
	});
});
