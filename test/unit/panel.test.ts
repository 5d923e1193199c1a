/** The texts in the panels of both nodes and the titles of their errors. */

import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import { ChatbaseV1Api } from '../../credentials/ChatbaseV1Api.credentials';
import { Chatbase } from '../../nodes/Chatbase/Chatbase.node';
import { ChatbaseTrigger } from '../../nodes/ChatbaseTrigger/ChatbaseTrigger.node';
import codex from '../../nodes/Chatbase/Chatbase.node.json';
import { ownErrors } from '../../nodes/Chatbase/api/ownErrors';
import manifest from '../../package.json';
import { operationsOf } from '../documents/operations';

const nodes = [new Chatbase(), new ChatbaseTrigger()].map(({ description }) => description);

/** A field with those inside it. */
function withInner(field: INodeProperties): INodeProperties[] {
	return [field, ...groupsOf(field).flat().flatMap(withInner)];
}

/** The lists of fields that a collection offers. */
function groupsOf({ type, options = [] }: INodeProperties): INodeProperties[][] {
	if (type === 'collection') return [options as INodeProperties[]];
	if (type !== 'fixedCollection') return [];
	return (options as INodePropertyCollection[]).map(({ values }) => values);
}

const operations = operationsOf(nodes[0].properties);

const fields = nodes.flatMap(({ properties }) => properties.flatMap(withInner));
const choices = fields.flatMap(choicesOf);

/** The choices of a list with fixed ones. */
function choicesOf({ type, options = [] }: INodeProperties): INodePropertyOptions[] {
	return type === 'options' || type === 'multiOptions' ? (options as INodePropertyOptions[]) : [];
}

function namesOf(options: INodePropertyOptions[]): string[] {
	return options.map(({ name }) => name);
}

function sorted(options: INodePropertyOptions[]): INodePropertyOptions[] {
	return [...options].sort((one, other) =>
		one.name.localeCompare(other.name, 'en', { sensitivity: 'base' }),
	);
}

const smallWords = new Set('a an and as at by for in of on or the to'.split(' '));

function isTitleCase(name: string): boolean {
	return name
		.replace(/ found: false$/, '')
		.split(/[\s-]+/)
		.every((word, index, { length }) =>
			smallWords.has(word.toLowerCase()) && index > 0 && index < length - 1
				? word === word.toLowerCase()
				: /^[("]?[A-Z0-9]/.test(word),
		);
}

const named = (field: INodeProperties) => `${field.displayName} (${field.name})`;

/** The different values of a key. */
function severalOf(pairs: Array<[key: string, value: string]>): Record<string, string[]> {
	const all = new Map<string, Set<string>>();
	for (const [key, value] of pairs) all.set(key, (all.get(key) ?? new Set()).add(value));
	return Object.fromEntries(
		[...all].filter(([, values]) => values.size > 1).map(([key, values]) => [key, [...values]]),
	);
}

it('has one label for each name, unless it means something else', () => {
	const shown = fields.filter(({ type }) => type !== 'notice');
	expect(severalOf(shown.map(({ name, displayName }) => [name, displayName]))).toEqual({
		contactId: ['External ID', 'Contact'],
		expectedItems: ['Expected Contacts', 'Expected Sources'],
		maxMissing: ['Max Missing Contacts', 'Max Missing Sources'],
		name: ['New Name', 'Name', 'Name Contains'],
		onFailedItems: ['If Contacts Fail', 'If Sources Fail'],
		onMissing: ['Missing Contacts', 'Missing Sources'],
	});
});

it('has one example for each field, unless it means something else', () => {
	const shown = fields.filter(({ placeholder }) => placeholder);
	expect(severalOf(shown.map((field) => [named(field), field.placeholder!]))).toEqual({
		'Content (content)': [
			'e.g. Do you ship to Norway?',
			'e.g. You can return a parcel within 30 days.',
		],
		'Conversation ID (conversationId)': [
			'e.g. 1785371a-63bb-4625-b20d-bcf91276567a',
			'e.g. order-1001',
		],
		'Instructions (instructions)': [
			'e.g. You help customers of an online shop. Answer briefly and politely.',
			'e.g. Answer in two sentences, without links.',
		],
		'Label (label)': ['e.g. Main account', 'e.g. Lifetime Value'],
		'Name (name)': ['e.g. Support Bot', 'e.g. Return policy'],
		'Name Contains (name)': ['e.g. Smith', 'e.g. Return policy', 'e.g. order'],
	});
});

it("tells n8n's assistant what it could build wrong", () => {
	const hints = choices.flatMap(({ action, builderHint }) =>
		builderHint ? [[action, builderHint.propertyHint]] : [],
	);
	expect(Object.fromEntries(hints)).toEqual({
		'Mirror contact list': expect.stringContaining('must be the complete list') as string,
		'Mirror source list': expect.stringContaining('must be the complete list') as string,
		'Send message': expect.stringContaining('does not remember earlier messages') as string,
		'Send message with memory': expect.stringContaining('Chatbase keeps the history') as string,
	});
	const [node, trigger] = nodes.map(({ builderHint }) => builderHint?.searchHint);
	expect(node).toContain('without Loop Over Items');
	expect(trigger).toContain('the first poll reports nothing old');
});

it('gives n8n only data', () => {
	for (const description of nodes) {
		const functions: string[] = [];
		JSON.stringify(description.properties, (key, value: unknown) => {
			if (typeof value === 'function') functions.push(key);
			return value;
		});
		expect(functions).toEqual([]);
	}
});

it('starts the description of a toggle with "Whether"', () => {
	const toggles = fields.filter(({ type }) => type === 'boolean');
	expect(toggles.length).toBeGreaterThan(10);
	expect(toggles.filter(({ description }) => !description?.startsWith('Whether '))).toEqual([]);
});

it('has a default that fits the type of its field', () => {
	const defaults: Record<string, string> = {
		boolean: 'boolean',
		number: 'number',
		string: 'string',
		color: 'string',
		json: 'string',
		dateTime: 'string',
		multiOptions: 'object',
		collection: 'object',
		fixedCollection: 'object',
		resourceLocator: 'object',
		resourceMapper: 'object',
	};
	for (const field of fields.filter(({ type }) => type in defaults)) {
		expect([named(field), typeof field.default]).toEqual([named(field), defaults[field.type]]);
	}
	const others = fields.filter(({ type }) => !(type in defaults));
	expect(new Set(others.map(({ type }) => type))).toEqual(new Set(['notice', 'options']));
});

it('has a default in each list that is one of its choices', () => {
	const lists = fields.filter(({ type, options }) => type === 'options' && options);
	expect(lists.length).toBeGreaterThan(30);
	const wrong = lists.filter((field) =>
		choicesOf(field).every(({ value }) => value !== field.default),
	);
	expect(wrong.map(named)).toEqual([]);
});

it("describes every field except n8n's standard ones", () => {
	const known = ['Resource', 'Operation', 'Trigger On', 'Options', 'Additional Fields', 'Filters'];
	const silent = fields.filter(
		({ type, description, displayName }) =>
			type !== 'notice' && !description && !known.includes(displayName),
	);
	expect(silent.map(named)).toEqual([]);
});

it('ends a description with a full stop only when it has several sentences', () => {
	const descriptions = [...fields, ...choices].flatMap(({ description }) => description || []);
	const wrong = descriptions.filter((description) => {
		const hasSeveral = /[.!?] [A-Z]/.test(description);
		return description.endsWith('.') !== hasSeveral;
	});
	expect(wrong).toEqual([]);
});

it('writes every name in Title Case', () => {
	const shown = fields.filter(({ type }) => type !== 'notice');
	const names = [
		...shown.map(({ displayName }) => displayName),
		...choices.map(({ name }) => name),
		...shown.flatMap(({ modes = [] }) => modes.map(({ displayName }) => displayName)),
	];
	// Apple writes it so.
	const others = names.filter((name) => name !== 'iOS SDK');
	expect(others.filter((name) => !isTitleCase(name))).toEqual([]);
});

/** Ends with what n8n's lint demands. */
const withoutFixedWords = (label: string) => label.replace(/:? ?Names? or IDs?$/, '');

it('has labels of at most 6 words', () => {
	const shown = [
		...fields.filter(({ type }) => type !== 'notice'),
		...new ChatbaseV1Api().properties,
	];
	const labels = [...shown.map(({ displayName }) => displayName), ...namesOf(choices)];
	expect(labels.filter((label) => withoutFixedWords(label).split(' ').length > 6)).toEqual([]);
});

it('describes a choice in at most 100 characters', () => {
	const long = choices.filter(({ description = '' }) => description.length > 100);
	expect(long.map(({ name, description }) => `${name}: ${description}`)).toEqual([]);
});

it('has error titles of at most 60 characters without a full stop', () => {
	// What is filled in is a label, mostly.
	const titles = Object.values(ownErrors)
		.flatMap((errors) => Object.keys(errors))
		.map((title) => title.replace('…', 'Label'));
	expect(titles.length).toBeGreaterThan(100);
	expect(titles.filter((title) => title.length > 60 || /\w\.$/.test(title))).toEqual([]);
});

it('lists five and more choices alphabetically', () => {
	const long = fields.map(choicesOf).filter((options) => options.length >= 5);
	expect(long.length).toBeGreaterThan(3);
	for (const options of long) expect(namesOf(options)).toEqual(namesOf(sorted(options)));
});

it('starts each placeholder with "e.g."', () => {
	const wrong = fields
		.filter(({ type }) => type === 'string')
		.filter(({ placeholder }) => placeholder && !placeholder.startsWith('e.g. '));
	expect(wrong.map(named)).toEqual([]);
});

it('lists fields of a collection alphabetically', () => {
	const unsorted = fields
		.filter(({ type }) => type === 'collection')
		.filter((field) => {
			const labels = groupsOf(field)[0].map(({ displayName }) => displayName);
			const sorted = [...labels].sort((one, other) =>
				one.localeCompare(other, 'en', { sensitivity: 'base' }),
			);
			return labels.join() !== sorted.join();
		});
	expect(unsorted.map(named)).toEqual([]);
});

it('has short actions, because they become names of tools', () => {
	const actions = nodes[0].properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ options }) => (options as INodePropertyOptions[]).map(({ action }) => action!));
	expect(actions).toHaveLength(operations.length);
	const wrong = actions.filter(
		(action) => !/^[A-Z][a-z]+( (WhatsApp|[a-z]+)){1,4}( \(upsert\))?$/.test(action),
	);
	expect(wrong).toEqual([]);
	expect(actions.filter((action) => /\b(a|an|the|permanently|costs?)\b/.test(action))).toEqual([]);
});

it('offers no operation in a tool that works only outside of one', () => {
	const hidden = nodes[0].properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ options, displayOptions }) =>
			(options as INodePropertyOptions[])
				.filter(({ displayOptions: own }) => own?.show?.['@tool']?.includes(false))
				.map(({ value }) => `${String(displayOptions?.show?.resource)} ${String(value)}`),
		);
	expect(hidden.sort()).toEqual([
		'chatbot uploadIcon',
		'chatbot uploadProfilePicture',
		'contact mirror',
		'source mirror',
		'whatsAppTemplate send',
	]);
});

it('hides Include Messages of Export in a tool, which always returns the transcript', () => {
	const hidden = nodes[0].properties
		.flatMap(({ options = [] }) => options as INodeProperties[])
		.filter(({ displayName }) => displayName === 'Include Messages')
		.map(({ description, displayOptions }) => [
			description?.includes('read faster'),
			displayOptions?.show?.['@tool'],
		]);
	expect(hidden).toContainEqual([true, [false]]);
});

it('requires no field that a choice in the panel can hide, except where that choice needs it', () => {
	const choices = ['resource', 'operation', '@tool'];
	const needed = ['idPrefix', 'tagValue'];
	const required = fields.filter(
		(field) => field.required && field.displayOptions && !needed.includes(field.name),
	);
	expect(required.length).toBeGreaterThan(3);
	for (const field of required) {
		const { show, hide } = field.displayOptions!;
		const depends = Object.keys({ ...show, ...hide }).filter((name) => !choices.includes(name));
		expect([named(field), depends]).toEqual([named(field), []]);
	}
});

it('never shows two notices in a row', () => {
	for (const { properties } of nodes) {
		for (const [index, field] of properties.entries()) {
			const next = properties[index + 1];
			if (field.type !== 'notice' || next?.type !== 'notice') continue;
			const [{ show = {}, hide = {} }, other] = [field.displayOptions!, next.displayOptions!];
			const excludes = (name: string) =>
				(show[name] &&
					other.show?.[name] &&
					!show[name].some((x) => other.show![name]!.includes(x))) ||
				(show[name] &&
					other.hide?.[name] &&
					show[name].every((x) => other.hide![name]!.includes(x))) ||
				(hide[name] && other.show?.[name]?.every((x) => hide[name]!.includes(x)));
			const names = Object.keys({ ...show, ...hide });
			expect([field.displayName, names.some(excludes)]).toEqual([field.displayName, true]);
		}
	}
});

/** n8n 2.41 shows the label of a mapper, but not its description. */
it.each<[operation: string, manual: RegExp, automatic: RegExp]>([
	['create', /External ID .* Custom Attribute: Create/, /External ID Column\..* A column fills/],
	['upsert', /External ID .* Custom Attribute: Create/, /External ID Column\..* A column fills/],
	['update', /Custom Attribute: Create/, /A column fills/],
	['mirror', /complete list\. External ID/, /complete list\. A column fills/],
])('says above Contact Fields what its description would (%s)', (operation, manual, automatic) => {
	const ofOperation = nodes[0].properties.filter(({ displayOptions: { show = {} } = {} }) =>
		[show.resource?.includes('contact'), show.operation?.includes(operation)].every(Boolean),
	);
	const mapper = ofOperation.findIndex(({ name }) => name === 'contactFields');
	const noticeFor = (mode: string) =>
		ofOperation
			.slice(0, mapper)
			.filter(({ type }) => type === 'notice')
			.filter(({ displayOptions }) =>
				displayOptions!.show!['/contactFields.mappingMode']?.includes(mode),
			)
			.map(({ displayName }) => displayName);
	expect(noticeFor('defineBelow')).toEqual([expect.stringMatching(manual)]);
	expect(noticeFor('autoMapInputData')).toEqual([expect.stringMatching(automatic)]);
});

it('has notices of at most two sentences', () => {
	const notices = fields.filter(({ type }) => type === 'notice');
	const long = notices.filter(({ displayName }) => displayName.split(/[.!?] (?=[A-Z])/).length > 2);
	expect(long.map(({ displayName }) => displayName)).toEqual([
		// The safety limit has two sentences, with the same words everywhere.
		expect.stringMatching(/^Deletion is permanent\. The run stops/),
		expect.stringMatching(/^Deletion is permanent\. Visitors who/),
		expect.stringMatching(/^Deletion is permanent\. The run stops/),
	]);
});

/** n8n 2.41 searches the name and the aliases of a node, and the actions of one, for the letters in order. */
it.each([
	['upsert', 'Create or update contact (upsert)'],
	['create or update contact', 'Create or update contact (upsert)'],
	['mirror', 'Mirror contact list'],
	['send message', 'Send message'],
	['ticket', 'Create ticket'],
	['export', 'Export conversations'],
])('is found in the node search by "%s"', (query, action) => {
	const letters = new RegExp([...query].map((letter) => `${letter}.*`).join(''), 'i');
	const actions = nodes[0].properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ options }) => (options as INodePropertyOptions[]).map((each) => each.action!));
	expect(actions.filter((each) => letters.test(each))).toContain(action);
	expect([...codex.alias, ...actions].some((text) => text.toLowerCase().includes(query))).toBe(
		true,
	);
});

it.each(['contact sync', 'faq', 'live chat', 'support', 'handoff', 'knowledge base'])(
	'is found in the node search by "%s", as people call what it is for',
	(query) => {
		expect(codex.alias.some((alias) => alias.toLowerCase().includes(query))).toBe(true);
	},
);

it('names contacts, knowledge, tickets and WhatsApp where people read what the package is for', () => {
	for (const text of [new Chatbase().description.description, manifest.description]) {
		expect(text).toMatch(/contacts.*knowledge.*tickets.*WhatsApp/);
	}
});

it('says that an agent can delete anything only if it chooses what', () => {
	const conditions = nodes[0].properties
		.filter(({ displayName }) => displayName.startsWith('The agent can delete any'))
		.map(({ displayOptions }) => {
			const { resource, operation, ...conditions } = displayOptions!.show!;
			return [`${String(resource)} ${String(operation)}`, conditions];
		});
	// No fixed value is in an empty list, and n8n takes any expression for a match.
	expect(conditions).toEqual([
		['chatbot delete', { '@tool': [true], chatbotId: [] }],
		['contact delete', { '@tool': [true], contactId: [] }],
		['source delete', { '@tool': [true], sourceId: [] }],
	]);
});

it('says in a tool which operations write', () => {
	const warned = nodes[0].properties
		.filter(({ name }) => name === 'toolNotice')
		.flatMap(({ displayOptions }) => {
			const { resource = [], operation = [], '@tool': tool } = displayOptions!.show!;
			expect(tool).toEqual([true]);
			return operation.map((one) => `${String(resource[0])} ${String(one)}`);
		});
	const noTools = ['uploadIcon', 'uploadProfilePicture', 'mirror'];
	const writing = operations
		.filter(({ method, operation }) => method !== 'GET' && !noTools.includes(operation))
		.map(({ resource, operation }) => `${resource} ${operation}`)
		// The first only reads, though by POST. The second is no tool.
		.filter((name) => !['ticket search', 'whatsAppTemplate send'].includes(name));
	expect(warned.sort()).toEqual(writing.sort());
});
