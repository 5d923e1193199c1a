import type { INodePropertyOptions } from 'n8n-workflow';

import { resources } from '../../../nodes/Chatbase/resources';

const chat = resources.find(({ option }) => option.value === 'chat')!;

const shownFor = (operation: string, name: string) =>
	chat.properties.filter(
		(field) => field.name === name && field.displayOptions?.show?.operation?.includes(operation),
	);
const inWorkflow = (operation: string, name: string) =>
	shownFor(operation, name).find(({ displayOptions }) => !displayOptions?.show?.['@tool']?.[0])!;
const inTool = (operation: string, name: string) =>
	shownFor(operation, name).find(({ displayOptions }) => displayOptions?.show?.['@tool']?.[0])!;

it('offers the chat that remembers first, and by default', () => {
	const [operation] = chat.properties;
	expect(operation.default).toBe('sendWithMemory');
	const values = (operation.options as INodePropertyOptions[]).map(({ value }) => value);
	expect(values).toEqual(['sendWithMemory', 'send', 'sendToolResult']);
});

it('takes message and user of a Chat Trigger; in a tool, a model writes the message', () => {
	expect(inWorkflow('sendWithMemory', 'message').default).toBe('={{ $json.chatInput }}');
	expect(inWorkflow('sendWithMemory', 'userId').default).toBe('={{ $json.sessionId }}');
	expect(inTool('sendWithMemory', 'message').default).toContain('$fromAI(');
	expect(inTool('sendWithMemory', 'userId').default).toBe('');
	expect(inWorkflow('send', 'message').default).toBe('');
	expect(inTool('send', 'message').default).toContain('$fromAI(');
});

it('says that Send Message forgets, and suggests no session there', () => {
	const words = chat.properties
		.filter(({ displayOptions }) => displayOptions?.show?.operation?.includes('send'))
		.map((field) => JSON.stringify(field))
		.join();
	expect(words).toContain(
		'The chatbot does not remember earlier messages. For a chat that remembers, use Send Message With Memory.',
	);
	expect(words).not.toMatch(/session/i);
});
