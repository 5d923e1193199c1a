import { readFileSync } from 'node:fs';

/** A floor imports from itself and from those before it. The last ones are what n8n loads. */
const floors = [
	{ name: 'values', path: 'nodes/Chatbase/values/' },
	{ name: 'api', path: 'nodes/Chatbase/api/' },
	{ name: 'execution', path: 'nodes/Chatbase/execution/' },
	{ name: 'panel', path: 'nodes/Chatbase/panel/' },
	{ name: 'sync', path: 'nodes/Chatbase/sync/' },
	{ name: 'chatbots', path: 'nodes/Chatbase/chatbots/' },
	{ name: 'resources', path: 'nodes/Chatbase/resources/' },
	{ name: 'node', path: 'nodes/Chatbase/[^/]+$' },
	{ name: 'trigger', path: 'nodes/ChatbaseTrigger/' },
	{ name: 'credentials', path: 'credentials/' },
];

const imports = floors.slice(0, -1).map(({ name, path }, index) => ({
	name: `${name}-imports-from-above`,
	comment: 'A folder imports from itself and from the floors below it: AGENTS.md lists them.',
	severity: 'error',
	from: { path: `^${path}` },
	to: { path: floors.slice(index + 1).map((above) => `^${above.path}`) },
}));

const resources = 'nodes/Chatbase/resources';

/** The way of a contact or a source, from an item to its answer. */
const contacts = `^${resources}/contact`;
const sources = `^${resources}/source`;
const wayOfData = [
	{
		name: 'plan-is-pure',
		comment:
			'What decides about contacts and sources takes and returns plain data: no request, no item, no field of the panel. The titles of errors are plain data, too.',
		severity: 'error',
		from: { path: [`${contacts}/plan/`, `${sources}/plan/`] },
		to: { path: '^nodes/Chatbase/(api/(?!ownErrors)|execution/|panel/)' },
	},
	{
		name: 'plan-of-sources-stands-alone',
		comment: 'What decides about sources knows nothing of reading, writing and remembering.',
		severity: 'error',
		from: { path: `${sources}/plan/` },
		to: { path: `${sources}/(?!plan/)` },
	},
	{
		name: 'write-sees-no-item',
		comment:
			'Writing takes steps and returns outcomes. The folder `answer` makes results of items of them.',
		severity: 'error',
		from: { path: `${contacts}/write/` },
		to: { path: ['^nodes/Chatbase/(execution|panel)/', `${contacts}/(read|panel|answer|mirror)/`] },
	},
	{
		name: 'read-comes-before-plan',
		comment: 'Reading and planning know nothing of writing and answering.',
		severity: 'error',
		from: { path: `${contacts}/(read|plan|panel)/` },
		to: { path: `${contacts}/(write|answer|mirror)/` },
	},
];

/** The operations are what the index lists. */
const index = readFileSync(`${resources}/index.ts`, 'utf8');
const operationFiles = [...index.matchAll(/from '\.\/(\w+\/\w+)'/g)].map(
	([, name]) => `^${resources}/${name}\\.ts$`,
);

export default {
	forbidden: [
		...imports,
		...wayOfData,
		{
			name: 'sources-import-chatbot',
			comment:
				'Chatbot: Clone uses sources. What sources need of a chatbot stands in nodes/Chatbase/chatbots.',
			severity: 'error',
			from: { path: `${sources}/` },
			to: { path: `^${resources}/chatbot/` },
		},
		{
			name: 'operation-imports-operation',
			comment: 'What two operations share stands in a file beside them.',
			severity: 'error',
			from: { path: operationFiles },
			to: { path: operationFiles },
		},
		...['service', 'probe'].map((name) => ({
			name: `${name}-knows-the-node`,
			comment: 'What is asked and answered stands in documents, not in the code that it tests.',
			severity: 'error',
			from: { path: `^${name}/` },
			to: { path: ['^nodes/', '^credentials/'] },
		})),
		{
			name: 'circle',
			comment: 'A file imports itself by way of others.',
			severity: 'error',
			from: {},
			to: { circular: true },
		},
		{
			name: 'orphan',
			comment: 'No other file imports it, and it imports none.',
			severity: 'error',
			from: { orphan: true },
			to: {},
		},
	],
	options: {
		doNotFollow: { path: 'node_modules' },
		tsConfig: { fileName: 'tsconfig.json' },
		// Imports of types count, too.
		tsPreCompilationDeps: true,
	},
};
