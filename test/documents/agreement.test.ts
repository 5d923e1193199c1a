/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { Chatbase } from '../../nodes/Chatbase/Chatbase.node';
import { ChatbaseTrigger } from '../../nodes/ChatbaseTrigger/ChatbaseTrigger.node';
import { actions } from '../../nodes/Chatbase/sync/records';
import { operationsOf } from './operations';

/** What the package says about itself is the same in all places. */
const project = resolve(__dirname, '../..');
const read = (path: string) => readFileSync(join(project, path), 'utf8');
const readJson = <Content>(path: string) => JSON.parse(read(path)) as Content;

const readme = read('README.md');
const { description } = new Chatbase();
const operations = operationsOf(description.properties);
const manifest = readJson<{
	name: string;
	version: string;
	description: string;
	engines: { node: string };
	n8n: { nodes: string[] };
}>('package.json');

/** The rows of the table below some words of a document, as lists of cells. */
function tableBelow(words: string, document = readme): string[][] {
	const section = document.slice(document.indexOf(words));
	const rows = section.slice(section.indexOf('\n| ---')).split('\n').slice(2);
	const end = rows.findIndex((row) => !row.startsWith('|'));
	return rows.slice(0, end).map((row) =>
		row
			.split('|')
			.slice(1, -1)
			.map((cell) => cell.trim()),
	);
}

describe('README and its documents', () => {
	it('lists exactly the operations of the panel, by name', () => {
		const listed = tableBelow('## Operations').flatMap(([resource, names]) =>
			names.split(', ').map((name) => `${resource}: ${name}`),
		);
		expect(listed.sort()).toEqual(
			operations.map(({ resourceName, name }) => `${resourceName}: ${name}`).sort(),
		);
	});

	it.each(operations)(
		'calls $resourceName: $name by the same words in the list of nodes',
		(one) => {
			const words = new RegExp(`^${one.name.split(' ').join('\\b.* ')}\\b`, 'i');
			expect(one.action).toMatch(words);
		},
	);

	it("calls Chatbase's bots chatbots, and n8n's agents AI agents", () => {
		const descriptions = [
			description.description,
			new ChatbaseTrigger().description.description,
			manifest.description,
		];
		for (const text of descriptions) {
			expect(text).toMatch(/chat with( your)? Chatbase chatbots|chat with chatbots/i);
			expect(text).not.toMatch(/\bagents?\b/i);
		}
	});

	/** n8n's lint states its description. */
	const withoutPlan = ['source.upsert'];

	it.each(operations.filter((one) => !withoutPlan.includes(`${one.resource}.${one.operation}`)))(
		'$resourceName: $name says that it may need a higher plan if it uses version 2',
		({ path, description: words }) => {
			const isOfVersion2 = path.startsWith('/agents/');
			expect(/ May need a higher plan\.$/.test(words)).toBe(isOfVersion2);
		},
	);

	it.each([...withoutPlan, 'source.mirror'])('%s shows it in the panel, too', (name) => {
		const [resource, operation] = name.split('.');
		const typeField = description.properties.find(
			({ name: field, displayOptions }) =>
				field === 'sourceType' && displayOptions?.show?.operation?.includes(operation),
		);
		expect(typeField?.displayOptions?.show?.resource).toEqual([resource]);
		expect(typeField?.hint).toBe('May need a higher plan');
	});

	it('lists the endpoint of every operation with the operation beside it', () => {
		const rows = tableBelow('# Endpoints', read('docs/endpoints.md'));
		const listed = rows.flatMap(([endpoints, users]) =>
			users.split('; ').flatMap((user) => {
				const [resourceName, names = ''] = user.split(': ');
				return names.split(', ').map((name) => ({ endpoints, name: `${resourceName}: ${name}` }));
			}),
		);
		const missing = operations.filter(
			({ method, path, resourceName, name }) =>
				!listed.some(
					(row) =>
						row.endpoints.includes(`\`${method} ${path}\``) &&
						row.name === `${resourceName}: ${name}`,
				),
		);
		expect(missing).toEqual([]);
		const known = operations.map(({ resourceName, name }) => `${resourceName}: ${name}`);
		const unknown = listed.filter(({ name }) => !/: (and every .*)?$/.test(name));
		expect(known).toEqual(expect.arrayContaining(unknown.map(({ name }) => name)));
	});

	it('has a dated entry of the changelog for the version of the package', () => {
		const entries = [...read('CHANGELOG.md').matchAll(/^## (\S+) - \d{4}-\d\d-\d\d$/gm)];
		expect(entries.map(([, version]) => version)).toContain(manifest.version);
	});

	it('lists exactly the fields of a Summary', () => {
		const code = read('nodes/Chatbase/sync/records.ts');
		const [, body] = /interface Summary [^{]*\{(.*?)^\}/ms.exec(code)!;
		const own = [...body.matchAll(/^\t(\w+): /gm)].map(([, name]) => name);
		const rows = tableBelow('### Summary', read('docs/operations.md'));
		const listed = rows.flatMap(([names]) => names.split(', ').map((name) => name.slice(1, -1)));
		expect(listed.sort()).toEqual([...own, ...actions].sort());
	});

	it('lists the output of every operation that writes', () => {
		const rows = tableBelow('## What a write returns', read('docs/operations.md'));
		const listed = rows.map(([names]) => names).join(' ');
		const writes = operations.filter(({ method }) => method !== 'GET');
		const missing = writes.filter(({ resourceName, name }) => {
			const place = new RegExp(`${resourceName}: ([^*]*\\*, \\*)*${name}\\*`);
			return !place.test(listed) && name !== 'Search';
		});
		expect(missing.map(({ resourceName, name }) => `${resourceName}: ${name}`)).toEqual([]);
	});

	it.each(
		tableBelow('## What a write returns', read('docs/operations.md')).flatMap(([names, output]) => {
			const [resourceName, ...others] = names.replaceAll('*', '').split(': ');
			return others
				.join(': ')
				.split(', ')
				.map((name) => [resourceName, name, output] as const);
		}),
	)('names fields that %s: %s returns', (resourceName, name, output) => {
		const { resource, operation } = operations.find(
			(one) => one.resourceName === resourceName && one.name === name,
		)!;
		const schema = readJson<{ properties: object }>(
			`nodes/Chatbase/__schema__/v1.0.0/${resource}/${operation}.json`,
		);
		const named = [...output.matchAll(/"(\w+)":|`(\w+)`/g)].map(([, key, field]) => key ?? field);
		expect(Object.keys(schema.properties)).toEqual(expect.arrayContaining(named));
	});

	it('lists exactly the events of the trigger with their costs', () => {
		const event = new ChatbaseTrigger().description.properties.find(
			({ name }) => name === 'event',
		)!;
		const rows = tableBelow('## What polling costs', read('docs/trigger.md'));
		const named = rows.flatMap(([events]) => events.split(', ').map((name) => name.slice(1, -1)));
		const events = event.options as INodePropertyOptions[];
		expect(named.sort()).toEqual(events.map(({ name }) => name).sort());
	});

	it('names the versions that tests run with, and counts the examples', () => {
		const { dependencies } = readJson<{ dependencies: { n8n: string } }>(
			'lab/runtime/package.json',
		);
		const oldest = /version: '([\d.]+)'/.exec(read('test/n8n/checks/versions.mts'))![1];
		const versions = [...readme.matchAll(/n8n (\d+\.\d+\.\d+)/g)].map(([, version]) => version);
		expect(new Set(versions)).toEqual(new Set([dependencies.n8n, oldest]));
		const installation = read('docs/installation.md');
		const installed = [...installation.matchAll(/n8n (\d+\.\d+\.\d+)/g)];
		expect(new Set(installed.map(([, version]) => version))).toEqual(new Set(versions));
		const packed = [...installation.matchAll(/chatbase[-@](\d+\.\d+\.\d+)|"version": "([\d.]+)"/g)];
		expect(new Set(packed.map(([, file, version]) => file ?? version))).toEqual(
			new Set([manifest.version]),
		);
		expect(readme).toContain(`Node.js ${manifest.engines.node.replace('>=', '')}`);
		expect(`>=${read('.nvmrc').trim()}`).toBe(manifest.engines.node);
		const examples = readdirSync(join(project, 'examples')).filter((file) =>
			file.endsWith('.json'),
		);
		const words =
			'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty twenty-one twenty-two twenty-three'.split(
				' ',
			);
		for (const document of [readme, read('examples/README.md')]) {
			const count = /([\w-]+) workflows to import/.exec(document)![1].toLowerCase();
			expect(words.indexOf(count) + 1).toBe(examples.length);
		}
	});
});

describe('documents', () => {
	const documents = [
		...readdirSync(project).filter((file) => file.endsWith('.md')),
		...readdirSync(join(project, 'docs'), { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.md'))
			.map((file) => join('docs', file)),
		'examples/README.md',
	];

	it.each(documents.filter((document) => document.startsWith('docs/')))(
		'%s is linked from docs/README.md, and links back if it is for users',
		(document) => {
			const path = document.slice('docs/'.length);
			if (path === 'README.md') return;
			expect(read('docs/README.md')).toContain(`(${path}`);
			const isForUsers = !path.startsWith('contributors/');
			if (isForUsers) expect(read(document)).toContain('[All documents](README.md)');
		},
	);

	it.each(documents)('%s names files of code that exist', (document) => {
		const named = [...read(document).matchAll(/`([\w./]+\/\w+\.m?[jt]s)`/g)].map(
			([, file]) => file,
		);
		const exists = (file: string) =>
			['', 'nodes/Chatbase'].some((folder) => existsSync(join(project, folder, file)));
		expect(named.filter((file) => !exists(file))).toEqual([]);
	});

	it.each(documents)('%s names operations as the panel does', (document) => {
		const resources = new Set(operations.map(({ resourceName }) => resourceName));
		const named = [...read(document).matchAll(/\*([A-Z][\w ]+): ([A-Z][\w ]+)\*/g)]
			.filter(([, resource]) => resources.has(resource))
			.map(([, resource, operation]) => `${resource}: ${operation}`);
		const known = operations.map(({ resourceName, name }) => `${resourceName}: ${name}`);
		expect(named.filter((name) => !known.includes(name))).toEqual([]);
	});

	it('show every picture, each below 120 kB', () => {
		const shown = documents.map(read).join('\n');
		for (const picture of readdirSync(join(project, 'docs/images'))) {
			expect(shown).toContain(`images/${picture})`);
			// A drawing, which the demo does not take.
			if (picture.endsWith('.svg')) continue;
			const png = readFileSync(join(project, 'docs/images', picture));
			expect(png.length).toBeLessThan(120_000);
			const width = png.readUInt32BE(16);
			expect(width).toBeLessThanOrEqual(1400);
		}
	});
});

describe('examples', () => {
	const files = readdirSync(join(project, 'examples')).filter((file) => file.endsWith('.json'));
	/** A chatbot that is to be chosen from the list. */
	const emptyList = { __rl: true, mode: 'list', value: '' };
	/** The chatbot that the workflow has made, or the customer that it writes to. */
	const isFromEarlierNode = (value: unknown) =>
		/^=\{\{ .*\}\}$/.test(String((value as { value?: unknown }).value ?? value));
	/** Parameters that n8n adds to a node that is used as a tool. */
	const toolProperties = ['descriptionType', 'toolDescription'];
	const nodeTypes = new Map([
		[`${manifest.name}.${description.name}`, description.properties],
		[`${manifest.name}.${description.name}Tool`, description.properties],
		[`${manifest.name}.chatbaseTrigger`, new ChatbaseTrigger().description.properties],
	]);

	interface Example {
		nodes: Array<{
			type: string;
			name: string;
			position: [number, number];
			parameters: Record<string, unknown>;
			credentials?: object;
		}>;
		settings: object;
		connections: Record<string, { main?: Array<Array<{ node: string }> | null> }>;
	}

	/** The space of a node on the canvas, with its name below it. */
	function boxOf({ name, position: [left, top], parameters }: Example['nodes'][number]) {
		const { width = 96, height = 96 + 64 } = parameters as { width?: number; height?: number };
		return { name, left, top, right: left + width, bottom: top + height };
	}

	/** Options and choices that the node doesn't have. */
	function unknownIn(values: Record<string, unknown>, properties: INodeProperties[]): string[] {
		return Object.entries(values).flatMap(([name, value]) => {
			const [property] = properties.filter((one) => one.name === name);
			if (property?.type === 'collection') {
				const inner = property.options as INodeProperties[];
				const added = value as Record<string, unknown>;
				const unknown = Object.keys(added).filter((key) => !inner.some((one) => one.name === key));
				return [...unknown, ...unknownIn(added, inner)];
			}
			const isChoice = property?.type === 'options' && !String(value).startsWith('=');
			const options = (property?.options ?? []) as INodePropertyOptions[];
			return isChoice && !options.some((one) => one.value === value) ? [`${name}: ${value}`] : [];
		});
	}

	it('are the ones that examples/README.md lists', () => {
		const listed = [...read('examples/README.md').matchAll(/\]\(([^)]+\.json)\)/g)];
		expect(listed.map(([, file]) => file).sort()).toEqual(files.sort());
	});

	it.each(files)('%s is named in the README and shown with a picture of its canvas', (file) => {
		const workflow = JSON.parse(read(`examples/${file}`)) as { name: string };
		expect(readme).toContain(workflow.name);
		const name = file.replace('.json', '');
		expect(read('examples/README.md')).toContain(`](../docs/images/${name}.png)`);
	});

	it.each(files)('%s uses only parameters that the nodes have', (file) => {
		const ours = readJson<Example>(join('examples', file)).nodes.filter(({ type }) =>
			type.includes('chatbase'),
		);
		// Chatbase calls these two, and they call nothing of it.
		const isCalled = /^(new-lead-by-webhook|order-status-for-the-chatbot)\./.test(file);
		expect(ours.length > 0).toBe(!isCalled);
		for (const { type, parameters } of ours) {
			const properties = nodeTypes.get(type);
			expect(properties).toBeDefined();
			const shown = properties!.filter(({ displayOptions = {} }) =>
				['resource', 'operation'].every((name) => {
					const values = displayOptions.show?.[name];
					return !values || values.includes(String(parameters[name]));
				}),
			);
			expect(unknownIn(parameters, shown)).toEqual([]);
			const known = new Set(shown.map(({ name }: INodeProperties) => name));
			const added = [
				'pollTimes',
				'requestOptions',
				...(type.endsWith('Tool') ? toolProperties : []),
			];
			for (const name of Object.keys(parameters)) expect([...known, ...added]).toContain(name);
			const { resource, operation } = parameters;
			if (!operation) continue;
			expect(operations.map((one) => `${one.resource}.${one.operation}`)).toContain(
				`${String(resource)}.${String(operation)}`,
			);
		}
	});

	it.each(files)('%s has no overlapping nodes or notes', (file) => {
		const boxes = readJson<Example>(join('examples', file)).nodes.map(boxOf);
		const overlaps = boxes.flatMap((one, index) =>
			boxes
				.slice(index + 1)
				.filter(
					(other) =>
						one.left < other.right &&
						other.left < one.right &&
						one.top < other.bottom &&
						other.top < one.bottom,
				)
				.map((other) => `${one.name} and ${other.name}`),
		);
		expect(overlaps).toEqual([]);
	});

	/** The chatbot may ask again. */
	const loops = ['Send result to Tool called?'];

	it.each(files)('%s has no line that runs back, behind other nodes, but a loop', (file) => {
		const { nodes, connections } = readJson<Example>(join('examples', file));
		const boxes = new Map(nodes.map((node) => [node.name, boxOf(node)]));
		const lines = Object.entries(connections).flatMap(([from, { main = [] }]) =>
			main.flatMap((targets) => (targets ?? []).map(({ node }) => ({ from, to: node }))),
		);
		const back = lines
			.filter(({ from, to }) => boxes.get(to)!.left < boxes.get(from)!.right)
			.map(({ from, to }) => `${from} to ${to}`);
		expect(back.filter((line) => !loops.includes(line))).toEqual([]);
	});

	it.each(files)('%s has a note and no secret', (file) => {
		const { nodes } = readJson<Example>(join('examples', file));
		expect(nodes.some(({ type }) => type === 'n8n-nodes-base.stickyNote')).toBe(true);
		expect(read(join('examples', file))).not.toMatch(
			/Bearer |apiKey|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"\s*,\s*"name": "Chatbase API"/,
		);
	});

	it.each(files)('%s lets nobody start it from outside without a secret', (file) => {
		const { nodes } = readJson<Example>(join('examples', file));
		const open = nodes
			.filter(({ type }) => /\.(webhook|formTrigger)$/.test(type))
			// The post of a lead is signed.
			.filter(({ parameters }) => parameters.path !== 'chatbase-lead')
			.filter(({ parameters, credentials }) => !parameters.authentication || !credentials);
		expect(open.map(({ name }) => name)).toEqual([]);
	});

	it.each(files)('%s stores no executions if they would hold a secret header', (file) => {
		const { nodes, settings } = readJson<Example>(join('examples', file));
		const hasSecret = nodes.some(({ parameters }) => parameters.authentication === 'headerAuth');
		const nothing = {
			saveDataErrorExecution: 'none',
			saveDataSuccessExecution: 'none',
			saveManualExecutions: false,
			saveExecutionProgress: false,
		};
		expect(settings).toEqual({ executionOrder: 'v1', ...(hasSecret && nothing) });
	});

	it.each(files)(
		'%s leaves chatbots and email addresses empty, so that n8n asks for them, unless an earlier node has them',
		(file) => {
			const filled = readJson<Example>(join('examples', file)).nodes.flatMap(
				({ name, parameters }) => {
					const { chatbotId = emptyList, fromEmail = '', toEmail = '' } = parameters;
					const left = [chatbotId, fromEmail, toEmail].filter((value) => !isFromEarlierNode(value));
					const isEmpty = left.every((value) =>
						isDeepStrictEqual(value, value === chatbotId ? emptyList : ''),
					);
					return isEmpty ? [] : [name];
				},
			);
			expect(filled).toEqual([]);
		},
	);

	it.each(files)('%s is in the guide of the demo', (file) => {
		expect(read('demo/guide.mts')).toContain(
			readJson<{ name: string }>(join('examples', file)).name,
		);
	});
});

describe('codex', () => {
	it.each(manifest.n8n.nodes)('is beside %s and names it', (path) => {
		const source = path.replace(/^dist\//, '').replace(/\.js$/, '.json');
		const codex = readJson<{ node: string; resources: object; alias: string[] }>(source);
		const name = path.includes('Trigger') ? 'chatbaseTrigger' : 'chatbase';
		expect(codex.node).toBe(`${manifest.name}.${name}`);
		expect(codex.resources).toBeDefined();
		expect(codex.alias.join(' ').toLowerCase()).toMatch(/contacts/);
	});
});
