/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const folder = resolve(__dirname, '../../examples');

interface Node {
	name: string;
	type: string;
	parameters: Record<string, unknown>;
}

interface Example {
	file: string;
	nodes: readonly Node[];
	/** The green note, which says what to do before the first run. */
	note: string;
}

const examples = readdirSync(folder)
	.filter((file) => file.endsWith('.json'))
	.map(readExample);

function readExample(file: string): Example {
	const { nodes } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { nodes: Node[] };
	const notes = nodes.filter(({ type }) => type.endsWith('.stickyNote'));
	const green = notes.find(({ parameters }) => parameters.color === 4);
	return { file, nodes, note: String(green?.parameters.content) };
}

/** The files of the examples that have such a node, and their notes. */
function withNode(isWanted: (node: Node) => boolean): Array<[file: string, note: string]> {
	return examples.filter(({ nodes }) => nodes.some(isWanted)).map(({ file, note }) => [file, note]);
}

const isTrigger = ({ type }: Node) => type === 'n8n-nodes-chatbase.chatbaseTrigger';
const isChat = ({ type, parameters }: Node) =>
	type.endsWith('.chatTrigger') && parameters.authentication === undefined;
const hasSecretHeader = ({ parameters }: Node) => parameters.authentication === 'headerAuth';
const writesList = ({ type, parameters }: Node) =>
	type === 'n8n-nodes-chatbase.chatbase' &&
	['upsert', 'mirror'].includes(String(parameters.operation));

describe('the green note of an example', () => {
	/** The rows are those of the example, or a person has written what is sent. */
	const previewedOtherwise = [
		'contacts-from-a-spreadsheet.json',
		'questions-without-a-good-answer.json',
	];
	const lists = withNode(writesList).filter(([file]) => !previewedOtherwise.includes(file));

	it.each(lists)('asks for a Dry Run before a list is written: %s', (_, note) => {
		expect(note).toMatch(/\*Dry Run\*.*execute the workflow/);
	});

	it('says which part of the example rows stays in the chatbot', () => {
		const { note } = readExample('contacts-from-a-spreadsheet.json');
		expect(note).toMatch(/use a chatbot for tests.*They can't be deleted/);
	});

	it.each(withNode(isTrigger))('says what a run by hand does with real records: %s', (_, note) => {
		expect(note).toMatch(/To try it, execute the workflow: up to five .* that exist are/);
	});

	it.each(withNode(isChat))('says who can chat, by the labels of n8n: %s', (_, note) => {
		expect(note).toMatch(/\*Open chat\*[^]*\*Chat URL\*.*Everyone with this URL.*costs credits/);
	});

	// n8n fills in the newest credential of the type, which may be that of another webhook.
	it.each(withNode(hasSecretHeader))('asks for a new secret for the webhook: %s', (_, note) => {
		expect(note).toContain('Make a new credential *Header Auth*');
	});

	// n8n publishes no workflow in which a node lacks a credential or a field.
	const published: Array<[file: string, note: string]> = examples
		.filter(({ note }) => /publish/i.test(note))
		.map(({ file, note }) => [file, note]);

	it.each(published)('asks for each credential before n8n can publish: %s', (_, note) => {
		const [, afterwards] = /publish([^]*)/i.exec(note)!;
		expect(afterwards).not.toMatch(/credential|enter the addresses/i);
	});

	it('finds the examples of each kind', () => {
		const kinds = [
			lists,
			withNode(isTrigger),
			withNode(isChat),
			withNode(hasSecretHeader),
			published,
		];
		expect(kinds.map(({ length }) => length)).toEqual([5, 3, 2, 6, 21]);
	});
});
