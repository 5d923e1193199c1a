/** Seeding: the same contacts every time, in any number, with every kind of value. */
import fc from 'fast-check';

import { Clock, demoAttributes, seededContact, Store } from '../../service';

function seeded(count: number, seed?: number) {
	const store = new Store(new Clock());
	store.addChatbot({ id: 'bot' });
	store.seedContacts('bot', count, { seed });
	return [...store.chatbot('bot').contacts];
}

it('depends only on the seed and the index', () => {
	fc.assert(
		fc.property(fc.integer(), fc.nat(100_000), (seed, index) => {
			expect(seededContact(seed, index)).toEqual(seededContact(seed, index));
		}),
	);
	expect(seeded(300).slice(0, 100)).toEqual(seeded(100));
	expect(seeded(100, 2)).not.toEqual(seeded(100, 1));
});

it('gives 10,000 different contacts', () => {
	const contacts = seeded(10_000);
	expect(new Set(contacts.map(({ id }) => id)).size).toBe(10_000);
	expect(new Set(contacts.map(({ external_id }) => external_id)).size).toBe(10_000);
	const addresses = contacts.flatMap(({ email }) => email ?? []);
	expect(new Set(addresses).size).toBe(addresses.length);
});

it('has every kind of value among 100 contacts', () => {
	const contacts = seeded(100);
	for (const { name } of demoAttributes) {
		expect(contacts.some(({ custom_attributes }) => name in custom_attributes)).toBe(true);
	}
	expect(contacts.some(({ payment_accounts }) => payment_accounts.length > 0)).toBe(true);
	expect(contacts.some(({ email }) => email === null)).toBe(true);
	expect(contacts.some(({ name }) => /[^\x20-\x7e]/.test(name ?? ''))).toBe(true);
});

it("gives values of the attributes' types", () => {
	const types = { text: 'string', number: 'number', boolean: 'boolean', date: 'string' };
	for (const { custom_attributes } of seeded(200)) {
		for (const [name, value] of Object.entries(custom_attributes)) {
			const { type } = demoAttributes.find((attribute) => attribute.name === name)!;
			expect(typeof value).toBe(types[type]);
		}
	}
});

it('makes the same IDs for the same calls', () => {
	const ids = () => {
		const store = new Store(new Clock());
		const chatbot = store.addChatbot();
		return [chatbot.id, store.addContact(chatbot.id, { external_id: 'a' }).id];
	};
	expect(ids()).toEqual(ids());
	expect(ids()[0]).toMatch(/^[A-Za-z0-9]{21}$/);
	expect(ids()[1]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

it('refuses the same contact twice', () => {
	const store = new Store(new Clock());
	store.addChatbot({ id: 'bot' });
	store.addContact('bot', { external_id: 'a' });
	expect(() => store.addContact('bot', { external_id: 'a' })).toThrow('already');
	expect(() => store.chatbot('other')).toThrow('no chatbot');
	store.removeContact('bot', 'a');
	store.removeContact('bot', 'a');
	expect(store.contact('bot', 'a')).toBeUndefined();
});
