import type { INode } from 'n8n-workflow';

/** The node that errors are for. */
export const node: INode = {
	id: '1',
	name: 'Chatbase',
	type: 'n8n-nodes-chatbase.chatbase',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};
