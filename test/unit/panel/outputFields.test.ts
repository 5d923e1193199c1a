/** Output of tools: Selected Fields are chosen from the fields that a record has. */
import type { INodePropertyOptions } from 'n8n-workflow';

import { Chatbase } from '../../../nodes/Chatbase/Chatbase.node';
import { contract, contractV2 } from '../../../service';

const lists = new Chatbase().description.properties.filter(({ name }) => name === 'outputFields');

/** The fields that can be chosen, of each operation. */
const choices = Object.fromEntries(
	lists.flatMap(({ options, displayOptions }) => {
		const { resource, operation } = displayOptions!.show! as Record<string, string[]>;
		const names = (options as INodePropertyOptions[]).map(({ value }) => String(value));
		return operation.map((each) => [`${resource[0]} ${each}`, names]);
	}),
);

const { ticket, whatsappTemplate } = contractV2;
const { chatbotListReply, chatbotOfClients } = contract;
const [saved, savedOfClients] = [
	contract.conversationListReply,
	contract.conversationListReplyOfClients,
].map(({ shape }) => Object.keys(shape.data.element.shape));
const chatbot = [chatbotListReply.shape.chatbots.element, chatbotOfClients].flatMap(({ shape }) =>
	Object.keys(shape),
);

it.each<[operation: string, fields: string[]]>([
	...['create', 'get', 'getAll', 'search', 'update'].map((name): [string, string[]] => [
		`ticket ${name}`,
		Object.keys(ticket.shape),
	]),
	['ticket get', ['transcript']],
	['whatsAppTemplate getAll', [...Object.keys(whatsappTemplate.shape), 'text', 'isSendable']],
	['conversation getAll', [...saved, ...savedOfClients, 'transcript']],
	['chatbot get', chatbot],
	['chatbot getAll', chatbot],
])('are chosen from all that a record has, beside its ID: %s', (operation, fields) => {
	const offered = new Set([...choices[operation], 'id', 'ticketNumber']);
	expect(fields.filter((field) => !offered.has(field))).toEqual([]);
});

it('have names of the panel', () => {
	const names = lists.flatMap(({ options }) =>
		(options as INodePropertyOptions[]).map(({ name, value }) => `${String(value)}: ${name}`),
	);
	expect(names).toEqual(
		expect.arrayContaining([
			'created_at: Created At',
			'num_of_characters: Num of Characters',
			'wabaId: Waba ID',
		]),
	);
});
