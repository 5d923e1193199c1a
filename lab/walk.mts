/**
 * Counts how far one item goes through the code of the node: functions that it enters, their files, and how often the next
 * function stands in another file. Usage: `npx tsx lab/walk.mts [checkout] [--list]`
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';

import { startService } from '../service/index.js';
import { Engine } from '../test/engine/harness/index.js';
import { PackageTypes } from '../test/engine/harness/packageTypes.js';
import { automatic } from '../test/engine/parameters.js';
import { byId } from '../test/engine/testbed.js';
import { projectFolder } from './paths.mjs';

/** A function of the node that was entered. */
interface Step {
	readonly file: string;
	/** Its name, if it has one, and its line. */
	readonly place: string;
}

let steps: Step[] = [];
Object.assign(globalThis, { enter: (file: string, place: string) => steps.push({ file, place }) });

/** The code of a file in which each function first calls `enter`. */
function withEntries(file: string, code: string): string {
	const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
	const added: Array<[position: number, text: string]> = [];

	const visit = (node: ts.Node) => {
		const body =
			ts.isFunctionLike(node) && 'body' in node ? (node.body as ts.ConciseBody) : undefined;
		if (body) {
			const { name = (node.parent as ts.NamedDeclaration).name } = node as ts.NamedDeclaration;
			const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
			const place = `${name?.getText(source) ?? ''}:${line + 1}`;
			const entry = `enter(${JSON.stringify(file)}, ${JSON.stringify(place)})`;
			if (ts.isBlock(body)) added.push([body.getStart(source) + 1, `${entry};`]);
			else added.push([body.getStart(source), `(${entry}, `], [body.end, ')']);
		}
		ts.forEachChild(node, visit);
	};
	visit(source);

	// From the end, so that positions before it stay right. Of two at one position, the inner function was added last.
	added.sort(([one], [other]) => other - one);
	return added.reduce((text, [at, entry]) => text.slice(0, at) + entry + text.slice(at), code);
}

/** Builds a checkout into a temporary folder, with entries in its code. */
async function buildWithEntries(checkout: string): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), 'walk-'));
	await cp(join(checkout, 'package.json'), join(folder, 'package.json'));
	await cp(join(checkout, 'dist'), join(folder, 'dist'), { recursive: true });
	await symlink(join(projectFolder, 'node_modules'), join(folder, 'node_modules'));

	const files = await readdir(join(checkout, 'nodes'), { recursive: true });
	for (const name of files.filter((file) => file.endsWith('.ts'))) {
		const code = withEntries(name, await readFile(join(checkout, 'nodes', name), 'utf8'));
		const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2021 };
		const { outputText } = ts.transpileModule(code, { compilerOptions });
		const built = join(folder, 'dist/nodes', name.replace(/\.ts$/, '.js'));
		await mkdir(dirname(built), { recursive: true });
		await writeFile(built, outputText);
	}
	return folder;
}

const row = { external_id: 'c1', name: 'Ann', email: 'ann@example.com', plan: 'pro' };
const attributes = { plan: 'text', source: 'text' } as const;
const schema = [{ id: 'custom_attributes.plan', type: 'string', displayName: 'Attribute: plan' }];
const tagged: INodeParameters = {
	manage: 'tag',
	tagValue: 'crm',
	onMissing: 'delete',
	options: { tagAttribute: { ...byId('source'), mode: 'name' } },
};

const walks: Array<{ operation: string; parameters?: INodeParameters; action: string }> = [
	{ operation: 'upsert', action: 'created' },
	{ operation: 'upsert', action: 'updated' },
	{ operation: 'mirror', action: 'updated', parameters: tagged },
];

const [checkout = projectFolder] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const folder = await buildWithEntries(resolve(checkout));
const service = await startService();
const { apiKey, baseUrl, store } = service;
const engine = new Engine(await PackageTypes.load(folder), { chatbaseV1Api: { apiKey, baseUrl } });

for (const { operation, parameters, action } of walks) {
	service.reset();
	store.addChatbot({ id: 'bot' });
	store.addAttributes('bot', attributes);
	if (action === 'updated') {
		const custom_attributes = { plan: 'free', source: 'crm' };
		store.addContact('bot', { external_id: row.external_id, name: 'Old', custom_attributes });
	}

	steps = [];
	const { items, error } = await engine.run({
		parameters: {
			...{ resource: 'contact', operation, chatbotId: byId('bot') },
			...automatic(schema),
			...parameters,
		},
		input: [row],
	});
	const sync = items[0]?.json._sync as IDataObject | undefined;
	assert.equal(sync?.action, action, error?.message);

	const functions = new Set(steps.map(({ file, place }) => `${file} ${place}`));
	const files = new Set(steps.map(({ file }) => file));
	const changes = steps.filter(({ file }, index) => index > 0 && file !== steps[index - 1].file);
	console.log(
		`${operation}, ${action}: ${functions.size} functions in ${files.size} files, ${changes.length} changes of file`,
	);
	if (process.argv.includes('--list')) console.log([...functions].join('\n'));
}

engine.close();
await service.close();
await rm(folder, { recursive: true });
