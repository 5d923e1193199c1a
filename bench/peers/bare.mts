/**
 * Nodes of a few lines that do one job with n8n's own helpers only. No node can be
 * faster.
 */
import type { IDataObject, IExecuteFunctions, INodeProperties, INodeType } from 'n8n-workflow';

import { newNumbers } from '../data.mjs';
import { inOrder } from './inOrder.mjs';
import type { Plan, Task } from './plan.mjs';

const typeName = 'bench.bare';

function bare(
	parameters: Record<string, string>,
	input: object[],
	execute: (this: IExecuteFunctions) => Promise<IDataObject[]>,
): Plan {
	const type: INodeType = {
		description: {
			displayName: 'Bare',
			name: typeName,
			group: ['transform'],
			version: 1,
			description: '',
			defaults: { name: 'Bare' },
			inputs: ['main'],
			outputs: ['main'],
			credentials: [{ name: 'chatbaseV1Api', required: true }],
			properties: Object.keys(parameters).map((name): INodeProperties => ({
				displayName: name,
				name,
				type: 'string',
				default: '',
			})),
		},
		async execute() {
			return [(await execute.call(this)).map((json) => ({ json }))];
		},
	};
	return {
		nodes: [{ name: 'Bare', node: typeName, parameters }],
		nodeTypes: { [typeName]: type },
		input: input as IDataObject[],
	};
}

/** The parameters of Get for each item, and no request. */
export function readEach({ target, count }: Task): Plan {
	const { chatbotId } = target;
	const parameters = { chatbotId, contactId: '={{ $json.external_id }}' };
	return bare(parameters, newNumbers(count), async function () {
		return this.getInputData().map((_, index) => ({
			chatbotId: this.getNodeParameter('chatbotId', index),
			external_id: this.getNodeParameter('contactId', index),
		}));
	});
}

/** A PATCH for each item. */
export function patchEach({ target, count, concurrency = 1 }: Task): Plan {
	const url = `${target.baseUrl}/chatbots/${target.chatbotId}/contacts/`;
	return bare({}, newNumbers(count), async function () {
		return await inOrder(this.getInputData(), concurrency, async ({ json }) => {
			const { external_id, phonenumber } = json;
			const { data } = (await this.helpers.httpRequestWithAuthentication.call(
				this,
				'chatbaseV1Api',
				{
					method: 'PATCH',
					url: url + encodeURIComponent(String(external_id)),
					body: { data: { phonenumber } },
					json: true,
				},
			)) as { data: IDataObject };
			return data;
		});
	});
}

/** Passes a streamed answer on unread. */
export function chat({ target }: Task): Plan {
	const { baseUrl, chatbotId } = target;
	const parameters = {
		message: '={{ $json.chatInput }}',
		conversationId: '={{ $json.sessionId }}',
	};
	const input = [{ chatInput: 'How are you?', sessionId: 'a-session' }];
	const plan = bare(parameters, input, async function () {
		const content = this.getNodeParameter('message', 0);
		const conversationId = this.getNodeParameter('conversationId', 0);
		const messages = [{ role: 'user', content }];
		const stream = (await this.helpers.httpRequestWithAuthentication.call(this, 'chatbaseV1Api', {
			method: 'POST',
			url: `${baseUrl}/chat`,
			body: { chatbotId, messages, conversationId, stream: true },
			encoding: 'stream',
		})) as AsyncIterable<Uint8Array>;
		for await (const chunk of stream) {
			await this.sendChunk('item', 0, Buffer.from(chunk).toString());
		}
		return [{}];
	});
	return { ...plan, streaming: true };
}
