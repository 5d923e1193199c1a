import type {
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { chatbotField } from '../Chatbase/fields/locators';
import { searchChatbots } from '../Chatbase/methods/searchChatbots';
import { searchCustomAttributes } from '../Chatbase/methods/searchCustomAttributes';
import { filterFields, noticeFields, optionFields } from './fields';
import { pollForChanges } from './poll';

/** The trigger, which n8n polls as often as the user has set. */
export class ChatbaseTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Chatbase Trigger',
		name: 'chatbaseTrigger',
		icon: { light: 'file:../../icons/chatbase.svg', dark: 'file:../../icons/chatbase.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: '={{ $parameter["event"].replace(/([A-Z])/g, " $1").toLowerCase() }}',
		description:
			'Starts the workflow when contacts, conversations or leads are new or have changed',
		defaults: { name: 'Chatbase Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'chatbaseV1Api', required: true }],
		properties: [
			{
				displayName: 'Event',
				name: 'event',
				type: 'options',
				noDataExpression: true,
				default: 'contactCreated',
				options: [
					{
						name: 'Contact Created',
						value: 'contactCreated',
						description: 'A contact was added to the chatbot',
					},
					{
						name: 'Contact Created or Updated',
						value: 'contactCreatedOrUpdated',
						description: 'A contact was added, or data of it has changed',
					},
					{
						name: 'Contact Updated',
						value: 'contactUpdated',
						description: 'Data of a contact has changed after it was added',
					},
					{
						name: 'Conversation Started',
						value: 'conversationStarted',
						description: 'Somebody has begun a conversation with the chatbot',
					},
					{
						name: 'Lead Created',
						value: 'leadCreated',
						description:
							'A visitor has left a name, e-mail address or phone number in the form of the chatbot',
					},
				],
			},
			...noticeFields,
			chatbotField({}),
			...filterFields,
			...optionFields,
		],
	};

	methods = { listSearch: { searchChatbots, searchCustomAttributes } };

	/** Called by n8n at the Poll Times; what it returns starts an execution, null starts none. */
	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await pollForChanges(this);
	}
}
