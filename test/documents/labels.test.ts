/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
/** Documents name fields, options and choices by their labels. A label that was changed is found here. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { ChatbaseV1Api } from '../../credentials/ChatbaseV1Api.credentials';
import { Chatbase } from '../../nodes/Chatbase/Chatbase.node';
import { ChatbaseTrigger } from '../../nodes/ChatbaseTrigger/ChatbaseTrigger.node';

const project = resolve(__dirname, '../..');
const read = (path: string) => readFileSync(join(project, path), 'utf8');

/** Labels of n8n, compared with n8n 2.41.1. */
const labelsOfN8n = [
	...[
		'Allow access',
		'Allowed Domains',
		'Allowed HTTP Request Domains',
		'All',
		'Approve',
		'Decline',
	],
	...[
		'Always Output Data',
		'Execute Once',
		'Retry On Fail',
		'On Error',
		'Continue (using error output)',
	],
	...['Basic Auth', 'Header Auth', 'Header Auth account', 'Header Auth account 2', 'JWT Auth'],
	...[
		'Batching',
		'Chat URL',
		'Community nodes',
		'Connection tested successfully',
		'Data tables',
		'Install',
	],
	...['Code', 'Edit Fields', 'Extract from File', 'HTTP Request', 'IF', 'Merge', 'Simple Memory'],
	...[
		'Custom Form',
		'Execute workflow',
		'Executions',
		'Extract From XLSX',
		'Hmac Secret',
		'Secret',
	],
	...['Authentication', 'Credential Type', 'Custom API Call', 'Predefined Credential Type'],
	...[
		'CSV UTF-8',
		'Exclude Byte Order Mark (BOM)',
		'Extract From CSV',
		'Filter',
		'Google Drive',
		'Latin1',
		'Limit',
	],
	...['Invalid Opening Quote', 'Invalid Record Length', 'Read/Write Files from Disk'],
	...['Include Empty Cells', 'Map Automatically', 'Map Each Column Manually', 'Refresh Field List'],
	...['Installation of unverified community packages is forbidden!', 'Retry', 'Schema', 'Settings'],
	...[
		'Respond',
		'Response Mode',
		'Run once with all items',
		'Send and Wait for Response',
		'Streaming',
	],
	...['Timeout Workflow', 'Tool Description', 'Using Response Nodes', 'Continue'],
];

/** Labels of Chatbase's dashboard and of GitHub, codes, and columns of an example. */
const otherLabels = [
	...['Add variable', 'Leads Submitted', 'Private vulnerability reporting', 'Publish'],
	...['DIFFERS', 'EAI_AGAIN', 'ECONNREFUSED', 'ENOTFOUND', 'EPROTO', 'answer', 'must', 'mustNot'],
	...['Body: day · … is on ▢ at …', 'Credential', 'If … Fail'],
];

/** Every label in a description: of fields, options, choices and actions, at any depth. */
function labelsIn(value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return [];
	const { displayName, name, action } = value as Record<string, unknown>;
	const own = [displayName ?? name, action].filter((label) => typeof label === 'string');
	// n8n's lint demands the end.
	const labels = own.map((label) => label.replace(/:? Names? or IDs?$/, ''));
	return [...labels, ...Object.values(value).flatMap(labelsIn)];
}

interface Example {
	name: string;
	nodes: Array<{ name: string }>;
}

const examples = readdirSync(join(project, 'examples'))
	.filter((file) => file.endsWith('.json'))
	.map((file) => JSON.parse(read(join('examples', file))) as Example);

const credential = new ChatbaseV1Api();
const known = new Set([
	...labelsOfN8n,
	...otherLabels,
	...labelsIn([new Chatbase().description, new ChatbaseTrigger().description, credential]),
	...examples.flatMap(({ name, nodes }) => [name, ...nodes.map((node) => node.name)]),
	...[...read('docs/troubleshooting.md').matchAll(/^\| ([^|]+) \|/gm)].map(([, title]) => title),
]);
const messagesOfTest = JSON.stringify(credential.test);

/** Such as "Options", "Contact: Create" or "Output: Summary". */
function isKnown(label: string): boolean {
	if (known.has(label) || messagesOfTest.includes(`"${label}`)) return true;
	const parts = label.split(/: | → /);
	return parts.length > 1 && parts.every((part) => known.has(part));
}

/** What a document has in italics, outside of code. */
function italicsIn(document: string): string[] {
	const text = document.replace(/```.*?```|`[^`]*`|\*\*.*?\*\*/gs, '').replace(/\s+/g, ' ');
	return [...text.matchAll(/(?<![*\w])\*([^*]{2,80}?)\*(?![*\w])/g)].map(([, label]) => label);
}

const documents = [
	...readdirSync(project).filter((file) => file.endsWith('.md')),
	...readdirSync(join(project, 'docs'), { recursive: true, encoding: 'utf8' })
		// The tables for contributors name their sources in italics.
		.filter((file) => file.endsWith('.md') && !file.startsWith('contributors'))
		.map((file) => join('docs', file)),
	'examples/README.md',
];

it.each(documents)('%s names labels as the panel and n8n show them', (document) => {
	expect(italicsIn(read(document)).filter((label) => !isKnown(label))).toEqual([]);
});

it('finds labels in italics, and knows a wrong one', () => {
	const labels = italicsIn('Set *Output: Summary* in **bold *text***, or *Outputs* in `*code*`.');
	expect(labels).toEqual(['Output: Summary', 'Outputs']);
	expect(labels.map(isKnown)).toEqual([true, false]);
});
