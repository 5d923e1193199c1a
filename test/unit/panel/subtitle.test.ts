import { type INode, type INodeTypes, Workflow } from 'n8n-workflow';

import { Chatbase } from '../../../nodes/Chatbase/Chatbase.node';

/** The line below the name of a node, as n8n evaluates it. */
function subtitleOf(resource: string, operation: string): unknown {
	const chatbase = new Chatbase();
	const node: INode = {
		id: 'node',
		name: 'Node',
		type: 'chatbase',
		typeVersion: 1,
		position: [0, 0],
		parameters: { resource, operation },
	};
	const nodeTypes = { getByNameAndVersion: () => chatbase } as unknown as INodeTypes;
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const { subtitle } = chatbase.description;
	return workflow.expression.getSimpleParameterValue(node, subtitle, 'internal', {});
}

it.each([
	['contact', 'getAll', 'Get Many: Contact'],
	['contact', 'upsert', 'Create or Update: Contact'],
	['chat', 'sendWithMemory', 'Send Message With Memory: Chat'],
	['whatsAppTemplate', 'send', 'Send: WhatsApp Template'],
	['chatbotSettings', 'update', 'Update: Chatbot Settings'],
])('the subtitle of %s.%s is %s', (resource, operation, expected) => {
	expect(subtitleOf(resource, operation)).toBe(expected);
});

it('every operation has a subtitle', () => {
	const { customOperations } = new Chatbase();
	for (const [resource, operations] of Object.entries(customOperations)) {
		for (const operation of Object.keys(operations)) {
			expect([resource, operation, typeof subtitleOf(resource, operation)]).toEqual([
				resource,
				operation,
				'string',
			]);
		}
	}
});
