/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
/** What each operation needs besides its file. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import type { INodeProperties } from 'n8n-workflow';

import { Chatbase } from '../../nodes/Chatbase/Chatbase.node';
import { ChatbaseTrigger } from '../../nodes/ChatbaseTrigger/ChatbaseTrigger.node';
import type { PanelOperation } from '../../nodes/Chatbase/panel/operation';
import { resources } from '../../nodes/Chatbase/resources';

const project = resolve(__dirname, '../..');
const folder = join(project, 'nodes/Chatbase/resources');
const node = new Chatbase();
const { properties } = node.description;

async function exportsOf(file: string): Promise<unknown[]> {
	return Object.values((await import(join(folder, file))) as object);
}

function isOperation(value: unknown): value is PanelOperation {
	return typeof value === 'object' && value !== null && 'request' in value && 'fields' in value;
}

/** The names of the fields that the panel can show for an operation, in their order. */
function panelOf(resource: string, operation: string): string[] {
	const isShown = ({ name, displayOptions }: INodeProperties) =>
		name !== 'operation' &&
		displayOptions?.show?.resource?.includes(resource) &&
		displayOptions.show.operation?.includes(operation);
	return properties.filter(isShown).map(({ name }) => name);
}

const folders = readdirSync(folder).filter((name) => name !== 'index.ts');

it('has one resource for each folder', () => {
	expect(resources.map(({ option }) => option.value).sort()).toEqual(folders.sort());
});

describe.each(folders)('resources/%s', (name) => {
	const files = readdirSync(join(folder, name)).filter((file) => file.endsWith('.ts'));
	const resource = resources.find(({ option }) => option.value === name)!;

	it('is a resource of the node, under the name of its folder', () => {
		expect(Object.keys(node.customOperations[name])).toEqual(
			resource.operations.map(({ value }) => value),
		);
	});

	it('lists every operation of its files in index.ts', async () => {
		const all = await Promise.all(files.map(async (file) => await exportsOf(`${name}/${file}`)));
		const exported = all.flat().filter(isOperation);
		const listed = resource.operations.map(({ value }) => value);
		expect(listed.sort()).toEqual(exported.map(({ value }) => value).sort());
	});

	it('shows the fields of each operation in the order of its file', () => {
		for (const { value, fields } of resource.operations) {
			expect([value, panelOf(name, value)]).toEqual([value, fields.map((field) => field.name)]);
		}
	});

	it('opens with an operation that works, as a tool, too', () => {
		const [opening] = properties.filter(
			(field) => field.name === 'operation' && field.displayOptions?.show?.resource?.includes(name),
		);
		const first = resource.operations.find(({ value }) => value === opening.default);
		expect(first).toBeDefined();
		expect(first?.notAsTool).toBeUndefined();
	});

	it('says in the definition of each operation which fields steer its runs', () => {
		for (const operation of resource.operations) {
			const { options = [] } = operation.fields.find((field) => field.name === 'options') ?? {};
			const names = [...operation.fields, ...options].map((field) => field.name);
			const steering = ['dryRun', 'maxConcurrency', 'onFailedItems'] as const;
			const declared = steering.filter((field) => operation[field]);
			expect([operation.value, declared]).toEqual([
				operation.value,
				steering.filter((field) => names.includes(field)),
			]);
		}
	});

	it('has a suite in test/engine for each operation', () => {
		const sources = readdirSync(join(project, 'test/engine', name))
			.filter((file) => file.endsWith('.test.ts'))
			.map((file) => readFileSync(join(project, 'test/engine', name, file), 'utf8'))
			.join('\n');
		const isRun = ({ value }: { value: string }) =>
			new RegExp(`(operation: |^\\s*\\[\\s*|\\b(open\\w+|use\\w+)\\()'${value}'`, 'm').test(
				sources,
			);
		expect(resource.operations.filter((one) => !isRun(one)).map(({ value }) => value)).toEqual([]);
	});
});

describe.each([
	['node', new Chatbase()],
	['trigger', new ChatbaseTrigger()],
])('the panel of the %s', (_, { description, methods }) => {
	/** The functions that properties name, at any depth. */
	function namedIn(value: unknown, key: string): string[] {
		if (typeof value !== 'object' || value === null) return [];
		return Object.entries(value).flatMap(([name, inner]) =>
			name === key ? [String(inner)] : namedIn(inner, key),
		);
	}

	it.each([
		['searchListMethod', 'listSearch'],
		['loadOptionsMethod', 'loadOptions'],
		['resourceMapperMethod', 'resourceMapping'],
	])('can load everything that a field names as %s, and nothing else', (key, kind) => {
		const named = [...new Set(namedIn(description.properties, key))].sort();
		const loadable = (methods as Record<string, object>)[kind] ?? {};
		expect(Object.keys(loadable).sort()).toEqual(named);
	});
});
