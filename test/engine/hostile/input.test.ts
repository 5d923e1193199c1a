import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { clean } from '../../../nodes/Chatbase/values/clean';
import { caseRuns, propertyRuns } from '../../propertyRuns';
import { operations } from '../operations';
import { chatbotId, contactId, mapped } from '../parameters';
import { byId, useTestbed } from '../testbed';
import { expressions, hostileIds, loneSurrogate, values } from './values';

const testbed = useTestbed();

beforeEach(() => {
	fill();
});

function fill() {
	const { store } = testbed.service;
	store.addContact('bot', { external_id: 'c', name: 'Before' });
	store.addAttributes('bot', { age: 'number', since: 'date' });
}

/** Words of JavaScript errors that must not reach a user. */
const internals = /is not a function|cannot read|of undefined|typeerror|\[object|unexpected token/i;

const continues = { onError: 'continueRegularOutput' } as const;

function isOnlyDots(id: string): boolean {
	return /^\.{0,2}$/.test(decodeText(id).replace(/[\s\p{Cc}\p{Cf}]/gu, ''));
}

/** What a reader sees that decodes percent codes; the text itself if they are not UTF-8. */
function decodeText(id: string): string {
	try {
		return decodeURIComponent(id);
	} catch {
		return id;
	}
}

describe('an ID', () => {
	const ids = fc.array(
		fc.oneof(
			fc.constantFrom(...hostileIds),
			fc
				.array(fc.integer({ min: 0, max: 0x10ffff }), { maxLength: 30 })
				.map((codes) => String.fromCodePoint(...codes)),
			fc.string({ unit: fc.constantFrom('.', '/', '%', '2', 'e', 'f', '\\', ' '), maxLength: 8 }),
			fc.string({ unit: fc.constantFrom('a', '\ud83d', '\ude00'), maxLength: 4 }),
		),
		{ minLength: 1, maxLength: 20 },
	);
	/** An ID of dots, or of nothing, leads to another path, also if it is decoded or trimmed on its way. */
	const isLegal = (id: string) => Buffer.from(id).toString() === id && !isOnlyDots(id);

	it.each([
		['get', {}],
		['delete', {}],
		['update', mapped({ name: 'New' })],
	])(
		'of a contact never leads to another path: %s',
		async (operation, parameters) => {
			await fc.assert(
				fc.asyncProperty(ids, async (given) => {
					testbed.service.clearRequests();
					const { items } = await testbed.succeed(
						{ resource: 'contact', operation, chatbotId, contactId, ...parameters },
						{ input: given.map((id) => ({ id })), nodeSettings: continues },
					);
					const asked = testbed.service.requests.map(({ path, query }) => {
						const [, chatbots, bot, contacts, id, ...rest] = path.split('/');
						expect([chatbots, bot, contacts, rest, query]).toEqual([
							'chatbots',
							'bot',
							'contacts',
							[],
							{},
						]);
						return decodeURIComponent(id);
					});
					expect(asked.sort()).toEqual(given.filter(isLegal).sort());
					given.forEach((id, index) => {
						if (isLegal(id)) return;
						expect(items[index].json.error).toMatch(
							/^(Contact is empty|Contact is not valid)\. Item \d+: /,
						);
					});
				}),
				propertyRuns(5),
			);
		},
		60_000,
	);

	it('of a chatbot never leads to another path', async () => {
		await fc.assert(
			fc.asyncProperty(ids, async (given) => {
				testbed.service.clearRequests();
				await testbed.run(
					{ resource: 'contact', operation: 'getAll', chatbotId: byId('={{ $json.id }}') },
					{ input: given.map((id) => ({ id })), nodeSettings: continues },
				);
				const asked = testbed.service.requests.map(({ path }) => {
					expect(path).toMatch(/^\/chatbots\/[^/]+\/contacts$/);
					return decodeURIComponent(path.split('/')[2]);
				});
				// Spaces that were copied along are no part of a chatbot's ID.
				const meant = given.filter(isLegal).map((id) => id.trim());
				expect(asked.sort()).toEqual(meant.sort());
			}),
			propertyRuns(5),
		);
	}, 60_000);

	it('of 10 kB is refused with a sentence', async () => {
		const { error } = await testbed.run(
			{ resource: 'contact', operation: 'get', chatbotId, contactId },
			{ input: [{ id: '👩'.repeat(2_500) }] },
		);
		expect(error?.message).toMatch(/^(Contact not found|The service rejected the request)$/);
	});
});

it('any text arrives unchanged', async () => {
	const text = fc.oneof(
		fc.string({ unit: 'grapheme', maxLength: 40 }),
		fc.constantFrom(...hostileIds, values.HTML as string, 'O’Brien "Jr." & <Co>\n\tline'),
	);
	const contact = fc.record({
		// The ID of a new contact is cleaned.
		external_id: text.map(clean).filter((id) => !isOnlyDots(id)),
		// A cell of spaces is empty.
		name: text.filter((name) => name.trim() !== ''),
		notes: text.filter((note) => note.trim() !== ''),
	});
	const rows = fc.uniqueArray(contact, {
		minLength: 1,
		maxLength: 8,
		selector: ({ external_id }) => external_id,
	});
	const parameters = {
		resource: 'contact',
		operation: 'upsert',
		chatbotId,
		...mapped({
			external_id: '={{ $json.external_id }}',
			name: '={{ $json.name }}',
			'custom_attributes.notes': '={{ $json.notes }}',
		}),
	};
	await fc.assert(
		fc.asyncProperty(rows, async (input) => {
			testbed.reset();
			fill();
			testbed.service.store.addAttribute('bot', { name: 'notes', type: 'text' });
			await testbed.succeed(parameters, { input });
			for (const { external_id, name, notes } of input) {
				const stored = testbed.service.store.contact('bot', external_id);
				expect(stored).toMatchObject({ name, custom_attributes: { notes } });
			}
			const again = await testbed.run(parameters, { input });
			const actions = again.items.map(({ json }) => (json._sync as IDataObject).action);
			expect(new Set(actions)).toEqual(new Set(['unchanged']));
		}),
		propertyRuns(8),
	);
}, 60_000);

describe("an attribute with the name of an object's property", () => {
	const names = ['__proto__', 'constructor', 'hasOwnProperty', 'toString', 'then', 'length'];

	it.each(names)('%s is sent when attributes cannot be listed', async (name) => {
		testbed.service.faults.add({
			when: { method: 'GET', path: '/chatbots/bot/custom-attributes' },
			fault: { kind: 'status', status: 404 },
		});
		const { items } = await testbed.succeed({
			resource: 'contact',
			operation: 'update',
			chatbotId,
			contactId: byId('c'),
			additionalFields: { customAttributesJson: `{"${name}": "value", "age": 7}` },
		});
		const { body } = testbed.service.requests.find(({ method }) => method === 'PATCH')!;
		expect(JSON.stringify(body)).toBe(`{"data":{"custom_attributes":{"${name}":"value","age":7}}}`);
		expect(items[0].json._sync).toMatchObject({ dropped: [`custom_attributes.${name}`] });
		expect(({} as IDataObject).value).toBeUndefined();
	});
});

/** Fields that an expression can fill, as parameters around a value. */
const fields: Record<string, (value: unknown) => INodeParameters> = {
	'contact.get Chatbot': (value) =>
		({ chatbotId: { __rl: true, mode: 'id', value }, contactId: byId('c') }) as INodeParameters,
	'contact.get Contact': (value) =>
		({ chatbotId, contactId: { __rl: true, mode: 'id', value } }) as INodeParameters,
	'contact.get If Not Found': inOptions('onNotFound'),
	'contact.getAll Return All': (value) => ({ chatbotId, returnAll: value }) as INodeParameters,
	'contact.getAll Limit': (value) => ({ chatbotId, limit: value }) as INodeParameters,
	'contact.getAll Page Size': inOptions('pageSize'),
	'contact.getAll Start Page': inOptions('startPage'),
	'contact.getAll Max Concurrency': inOptions('maxConcurrency'),
	'contact.getAll Email': inFilters('email'),
	'contact.getAll External ID': inFilters('externalId'),
	'contact.getAll Name': inFilters('name'),
	'contact.getAll Phone Number': inFilters('phonenumber'),
	'contact.getAll Created After': inFilters('createdAfter'),
	'contact.getAll Updated After': inFilters('updatedAfter'),
	'contact.create External ID': inMapper('external_id'),
	'contact.upsert External ID': inMapper('external_id'),
	'contact.upsert Email': inMapper('email'),
	'contact.update Name': inMapper('name'),
	'contact.update Phone Number': inMapper('phonenumber'),
	'contact.update age': inMapper('custom_attributes.age', 'number'),
	'contact.update since': inMapper('custom_attributes.since', 'dateTime'),
	'contact.update note': inMapper('custom_attributes.note', 'string'),
	'contact.update Custom Attributes': inMapper('custom_attributes'),
	'contact.update Contact Fields': (value) =>
		({ chatbotId, contactId: byId('c'), contactFields: value }) as INodeParameters,
	'contact.update Custom Attributes JSON': inAdditional('customAttributesJson'),
	'contact.update Clear Fields': inAdditional('clearFields'),
	'contact.update Payment Accounts': inAdditional('paymentAccounts'),
	'contact.update Payment Label': (value) =>
		inAdditional('paymentAccounts')({ accounts: [{ label: value, paymentId: 'p' }] }),
	'contact.update Dropped': inUpdateOptions('onDroppedFields'),
	'contact.update Empty Values': inUpdateOptions('emptyValues'),
	'contact.update Dry Run': inUpdateOptions('dryRun'),
	'contact.update Options': (value) =>
		({
			chatbotId,
			contactId: byId('c'),
			...mapped({ name: 'New' }),
			options: value,
		}) as INodeParameters,
	'chat.send Message': (value) => ({ chatbotId, message: value }) as INodeParameters,
	'chat.send Previous Messages': (value) =>
		({
			chatbotId,
			message: 'Hi',
			history: { turns: [{ role: 'user', content: value }] },
		}) as INodeParameters,
	'chat.send Previous Messages JSON': inChatOptions('historyJson'),
	'chat.send External ID': inChatOptions('contactId'),
	'chat.send Conversation ID': (value) =>
		({ chatbotId, message: 'Hi', conversationId: value }) as INodeParameters,
	'chat.send Temperature': inChatOptions('temperature'),
	'chat.send Enable Streaming': inChatOptions('stream'),
	'chat.sendWithMemory Message': (value) =>
		({ chatbotId, message: value, conversation: 'new' }) as INodeParameters,
	'chat.sendWithMemory Conversation ID': (value) =>
		({ chatbotId, message: 'Hi', conversation: 'id', conversationId: value }) as INodeParameters,
	'chat.sendWithMemory User ID': (value) =>
		({ chatbotId, message: 'Hi', conversation: 'user', userId: value }) as INodeParameters,
	'chat.sendWithMemory Enable Streaming': (value) =>
		({ ...inChatOptions('stream')(value), conversation: 'new' }) as INodeParameters,
	'conversation.get Conversation ID': (value) =>
		({ chatbotId, conversationId: value }) as INodeParameters,
	'conversation.pause Conversation ID': (value) =>
		({ chatbotId, conversationId: value }) as INodeParameters,
	'conversation.export End Date': inFilters('endDate'),
	'conversation.export Sources': inFilters('source'),
	'conversation.search Query': (value) => ({ chatbotId, query: value }) as INodeParameters,
	'conversation.search Topics': inFilters('topic'),
	'conversation.search Escalated': inFilters('escalated'),
	'conversation.search Updated After': inFilters('updatedAfter'),
	'source.get Source': (value) =>
		({ chatbotId, sourceId: { __rl: true, mode: 'id', value } }) as INodeParameters,
	'source.getAll Types': inFilters('type'),
	'source.create Source Type': inSource('sourceType'),
	'source.create Name': inSource('name'),
	'source.create Content': inSource('content'),
	'source.create Questions': inSource('questions', 'qna'),
	'source.create Answer': inSource('answer', 'qna'),
	'source.create URL': inSource('url', 'link'),
	'source.create Link Type': inSource('linkType', 'link'),
	'source.create Exclude Paths': (value) =>
		({
			...inSource('url', 'link')('https://a.b'),
			options: { excludePaths: value },
		}) as INodeParameters,
	'source.update Name': inSourceUpdate('name'),
	'source.update Slow Scraping': inSourceUpdate('slowScraping'),
	'source.upsert Name': inSource('name'),
	'source.upsert Seconds to Wait for Training': (value) =>
		({ ...inSource('name')('A'), options: { waitForTraining: value } }) as INodeParameters,
	'source.upsert Always Send': (value) =>
		({ ...inSource('name')('A'), options: { alwaysSend: value } }) as INodeParameters,
	'chatbotSettings.update Name': inSettings('name'),
	'chatbotSettings.update Initial Messages': inSettings('initialMessages'),
	'chatbotSettings.update Visibility': inSettings('visibility'),
	'chatbotSettings.update IP Limit': inSettings('ipLimit'),
	'chatbotSettings.update Temperature': inSettings('temp'),
	'chatbotSettings.update Settings JSON': (value) =>
		({ chatbotId, options: { settingsJson: value } }) as INodeParameters,
	'customAttribute.create Name': (value) =>
		({ chatbotId, attributeName: value }) as INodeParameters,
	'customAttribute.create Label': (value) =>
		({ chatbotId, attributeName: 'a', additionalFields: { label: value } }) as INodeParameters,
	'ticket.create Subject': inTicket('subject'),
	'ticket.create Customer Email': inTicket('customerEmail'),
	'ticket.create Customer Name': inAddedToTicket('customerName'),
	'ticket.create Assignee': inAddedToTicket('assignee'),
	'ticket.getAll Created After': inFilters('createdAfter'),
	'ticket.getAll Assignee ID': inFilters('assigneeId'),
	'ticket.get Ticket Number': (value) => ({ chatbotId, ticketNumber: value }) as INodeParameters,
	'ticket.reply Message': inTicket('message'),
	'ticket.reply Author': inTicket('author'),
	'ticket.search Query': (value) => ({ chatbotId, query: value }) as INodeParameters,
	'ticket.update Status': inTicketUpdate('status'),
	'ticket.update Team': inTicketUpdate('team'),
};

function inOptions(name: string) {
	return (value: unknown) =>
		({ chatbotId, contactId: byId('c'), options: { [name]: value } }) as INodeParameters;
}

function inSource(name: string, sourceType = 'text') {
	const filled = { name: 'A', content: 'Words', questions: 'Why?', answer: 'So' };
	return (value: unknown) =>
		({ chatbotId, sourceType, ...filled, [name]: value }) as INodeParameters;
}

function inSourceUpdate(name: string) {
	return (value: unknown) =>
		({ chatbotId, sourceId: byId('s'), updateFields: { [name]: value } }) as INodeParameters;
}

function inFilters(name: string) {
	return (value: unknown) => ({ chatbotId, filters: { [name]: value } }) as INodeParameters;
}

function inMapper(id: string, type?: string) {
	const schema = type ? [{ id, displayName: id, type, required: false, display: true }] : [];
	return (value: unknown) =>
		({
			chatbotId,
			contactId: byId('c'),
			...mapped({ [id]: value }, schema),
		}) as INodeParameters;
}

function inAdditional(name: string) {
	return (value: unknown) =>
		({
			chatbotId,
			contactId: byId('c'),
			...mapped({ name: 'New' }),
			additionalFields: { [name]: value },
		}) as INodeParameters;
}

function inUpdateOptions(name: string) {
	return (value: unknown) =>
		({
			chatbotId,
			contactId: byId('c'),
			...mapped({ name: 'New' }),
			options: { [name]: value },
		}) as INodeParameters;
}

function inChatOptions(name: string) {
	return (value: unknown) =>
		({ chatbotId, message: 'Hi', options: { [name]: value } }) as INodeParameters;
}

function inTicket(name: string) {
	return (value: unknown) =>
		({
			chatbotId,
			ticketNumber: '1',
			subject: 'Refund',
			description: 'I want a refund',
			customerEmail: 'jane@example.com',
			message: 'Hello',
			author: 'ada@team.example',
			[name]: value,
		}) as INodeParameters;
}

function inAddedToTicket(name: string) {
	return (value: unknown) => inTicket('additionalFields')({ [name]: value });
}

function inTicketUpdate(name: string) {
	return (value: unknown) =>
		({ chatbotId, ticketNumber: '1', updateFields: { [name]: value } }) as INodeParameters;
}

function inSettings(name: string) {
	return (value: unknown) => ({ chatbotId, updateFields: { [name]: value } }) as INodeParameters;
}

const everything: Array<[title: string, expression: string, value: unknown]> = [
	...Object.entries(values).map(([title, value]): [string, string, unknown] => [
		title,
		'={{ $json.value }}',
		value,
	]),
	...Object.entries(expressions).map(([title, text]): [string, string, unknown] => [
		title,
		text,
		undefined,
	]),
];

const legalPath =
	/^\/((agents\/[^/]+\/)?chat|agents\/[^/]+(\/conversations\/[^/]+|\/users\/[^/]+\/conversations|\/sources(\/[^/]+)?|\/helpdesk\/tickets(\/search|\/[1-9]\d*(\/messages)?)?)?|update-chatbot-settings|chatbots\/[^/]+\/(contacts(\/[^/]+)?|custom-attributes))$/;

const cells = Object.entries(fields).flatMap(([name, parametersFor]) =>
	everything.map(([title, text, value]) => ({ name, title, parametersFor, text, value })),
);

it.each(caseRuns(cells, 13))(
	'$name, $title: succeeds or is refused with a sentence',
	async ({ name, parametersFor, text, value }) => {
		const [resource, operation] = name.split(' ')[0].split('.');
		const { error, run } = await testbed.run(
			{ resource, operation, ...parametersFor(text) },
			{ input: [value === undefined ? {} : ({ value } as IDataObject)] },
		);
		// A name that the user chose is sent, though the contract does not have it.
		const isNamedByUser = [
			'contact.update Clear Fields',
			'chatbotSettings.update Settings JSON',
			'conversation.export Sources',
			'source.getAll Types',
		].includes(name);
		expect(
			testbed.illegal.filter(
				(line) => !isNamedByUser || !/Unknown field$|(source|type)\.\d+: Invalid option/.test(line),
			),
		).toEqual([]);
		for (const { path } of testbed.service.requests) expect(path).toMatch(legalPath);
		const { name: contactName } = testbed.service.store.contact('bot', 'c') ?? {};
		expect([null, 'undefined', 'NaN', '[object Object]']).not.toContain(contactName);
		if (!error) {
			expect(run?.status).toBe('success');
			return;
		}
		expect(`${error.message} ${error.description ?? ''}`).not.toMatch(internals);
		// Refused by the node, or by the service, which then is quoted.
		expect(error.description).toMatch(/^(Item 0|Contact c|Source [^]+): |^The service says: /);
	},
);

it('lone surrogates are refused or replaced in IDs and bodies', async () => {
	const { error } = await testbed.run({
		resource: 'contact',
		operation: 'create',
		chatbotId,
		...mapped({ external_id: `x${loneSurrogate}` }),
	});
	expect(error?.description).toMatch(/^Item 0: .*half a character/);
	expect(testbed.sent).toEqual([]);
});

it.each(Object.keys(operations).filter((name) => name !== 'chatbot create'))(
	'%s is refused with a sentence when its chatbot is half a character',
	async (name) => {
		const [resource, operation] = name.split(' ');
		const { parameters } = operations[name];
		if (!('chatbotId' in parameters)) return;
		const refusal = await testbed.refusal(
			{ resource, operation, ...parameters },
			{ input: [{ bot: `x${loneSurrogate}` }] },
		);
		expect(refusal).toBe('Chatbot is not valid');
	},
);

it.each(['={{ ({ age: 0 / 0 }) }}', '={{ ({ age: { deep: [1 / 0] } }) }}'])(
	'an invalid number does not clear an attribute: %s',
	async (customAttributesJson) => {
		const refusal = await testbed.refusal({
			resource: 'contact',
			operation: 'update',
			chatbotId,
			contactId: byId('c'),
			additionalFields: { customAttributesJson },
		});
		expect(refusal).toContain('Custom Attributes JSON');
	},
);
