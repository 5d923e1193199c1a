/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
/** What the editor shows before a node has run, against what each operation returns with its defaults. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { addChatbots, itemFor, mirrors, operations } from './operations';
import { useTestbed } from './testbed';

/** As much of JSON Schema as n8n's editor reads. */
interface Schema {
	type: string | string[];
	properties?: Record<string, Schema>;
	items?: Schema;
}

/** Fields that only an option, or another state of the record, adds. */
const added: Partial<Record<string, string[]>> = {
	'chat send': ['conversationId'],
	'chat sendWithMemory': ['startedNew'],
	'chatbot create': ['pendingSteps'],
	'chatbot get': ['updated_at', 'usage'],
	'chatbot getAll': ['updated_at', 'usage'],
	'conversation export': ['transcript'],
	'conversation getAll': ['updated_at', 'transcript'],
	'conversation search': ['transcript'],
	'source delete': ['source'],
	'ticket get': ['messages', 'transcript'],
	'whatsAppTemplate getAll': ['variables_header', 'variables_body'],
};

const folder = join(__dirname, '../../nodes/Chatbase/__schema__/v1.0.0');
const runs = { ...operations, ...mirrors };
const testbed = useTestbed();

beforeEach(() => addChatbots(testbed.service, ['bot']));

it('exist for exactly the operations', () => {
	const shipped = readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.json'))
		.map((file) => file.replace('/', ' ').replace('.json', ''));
	expect(shipped.sort()).toEqual(Object.keys(runs).sort());
});

describe.each(Object.entries(runs))('%s', (name, { parameters }) => {
	const [resource, operation] = name.split(' ');
	const file = join(folder, resource, `${operation}.json`);
	const schema = JSON.parse(readFileSync(file, 'utf8')) as Schema;

	it('has a type for each value', () => {
		expect(schema).toMatchObject({ type: 'object', version: 1 });
		for (const part of partsOf(schema)) {
			const [type] = [part.type].flat();
			expect(['array', 'boolean', 'integer', 'number', 'object', 'string']).toContain(type);
			expect('items' in part).toBe(type === 'array');
			expect('properties' in part).toBe(type === 'object');
		}
	});

	it('shows what a run with defaults returns', async () => {
		const run = { resource, operation, ...parameters };
		const { items } = await testbed.succeed(run, { input: [itemFor('bot')] });
		expect(items).not.toEqual([]);
		const [{ json }] = items;
		expect(differencesOf(json, schema)).toEqual([]);
		const missing = Object.keys(schema.properties!).filter((field) => !(field in json));
		expect(missing).toEqual(added[name] ?? []);
	});
});

function partsOf(schema: Schema): Schema[] {
	const inner = [
		...Object.values(schema.properties ?? {}),
		...(schema.items ? [schema.items] : []),
	];
	return [schema, ...inner.flatMap(partsOf)];
}

/** Each value must be of a type that the schema shows, and be shown at all. */
function differencesOf(value: unknown, schema: Schema, path = ''): string[] {
	const type = typeOf(value);
	if (value === null) return [];
	const isShown = [schema.type].flat().some((shown) => shown.replace('integer', 'number') === type);
	if (!isShown) return [`${path} is ${type}`];

	if (Array.isArray(value)) {
		return value.flatMap((each) => differencesOf(each, schema.items!, `${path}[]`));
	}
	// Custom attributes, for example, can have any name.
	const isOpen = Object.keys(schema.properties ?? {}).length === 0;
	if (type !== 'object' || isOpen) return [];

	return Object.entries(value as object).flatMap(([name, inner]) => {
		if (name.startsWith('custom_attributes.')) return [];
		const shown = schema.properties![name];
		return shown
			? differencesOf(inner, shown, `${path}.${name}`)
			: [`${path}.${name} is not shown`];
	});
}

function typeOf(value: unknown): string {
	return Array.isArray(value) ? 'array' : typeof value;
}
