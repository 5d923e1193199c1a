/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
/** What a contact is for is said in the panel, and its lines for a web developer are those of the example. */
import type { INodeProperties } from 'n8n-workflow';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { Chatbase } from '../../nodes/Chatbase/Chatbase.node';

const project = resolve(__dirname, '../..');
const { properties } = new Chatbase().description;

/** A field of an operation on contacts, also one among its options. */
function fieldsOf(operation: string): INodeProperties[] {
	const shown = properties.filter(({ displayOptions: { show } = {} }) => {
		const isContact = show?.resource?.includes('contact') ?? false;
		return isContact && (show?.operation?.includes(operation) ?? false);
	});
	const inner = shown.flatMap(({ type, options = [] }) => (type === 'collection' ? options : []));
	return [...shown, ...(inner as INodeProperties[])];
}

const described = (operation: string, label: string) =>
	fieldsOf(operation).find(({ displayName }) => displayName === label)?.description;

const rule = /External ID must equal the user_id that it signs, as text\./;

it.each(['upsert', 'mirror'])('the panel of %s says it, and at Match Contacts By', (operation) => {
	expect(described(operation, 'Contact Fields')).toMatch(rule);
	expect(described(operation, 'Match Contacts By')).toMatch(rule);
});

it.each(['create', 'upsert', 'mirror', 'update'])(
	'the panel of %s says what Payment Accounts are for',
	(operation) => {
		const [additional] = fieldsOf(operation).filter(({ name }) => name === 'additionalFields');
		const accounts = (additional.options as INodeProperties[]).find(
			({ displayName }) => displayName === 'Payment Accounts',
		);
		expect(accounts?.description).toMatch(/Stripe actions/);
	},
);

/** The code blocks of a text, one after the other. */
const codeIn = (text: string) =>
	[...text.matchAll(/```(?:js)?\n([^`]*)```/g)].map(([, code]) => code).join('');

it('docs/loop.md has the lines for a web developer that test:n8n runs from the example', () => {
	const file = readFileSync(join(project, 'examples/recognize-the-customer.json'), 'utf8');
	const { nodes } = JSON.parse(file) as {
		nodes: Array<{ name: string; parameters: { content: string } }>;
	};
	const note = nodes.find(({ name }) => name === 'About the website')!;
	const loop = readFileSync(join(project, 'docs/loop.md'), 'utf8');
	expect(codeIn(loop)).toBe(codeIn(note.parameters.content));
	expect(codeIn(loop)).toContain('fetch(webhookUrl');
});
