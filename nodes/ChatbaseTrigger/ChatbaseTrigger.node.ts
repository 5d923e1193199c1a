import {
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { withNodeErrors } from '../Chatbase/execution/nodeError';
import { searchChatbots } from '../Chatbase/chatbots/chatbots';
import { callableMethods } from '../Chatbase/panel/field';
import { searchCustomAttributes } from '../Chatbase/resources/customAttribute/attributes';
import { triggerFields } from './fields';
import { pollForChanges } from './poll';

export class ChatbaseTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Chatbase Trigger',
		name: 'chatbaseTrigger',
		icon: {
			light: 'file:../../icons/chatbase.svg',
			dark: 'file:../../icons/chatbase.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle: '={{ $parameter["event"].replace(/([A-Z])/g, " $1").toLowerCase() }}',
		// n8n's node search shows this text for node and trigger together.
		description:
			'Chat with Chatbase chatbots, sync contacts and knowledge, handle tickets and WhatsApp templates, and start workflows on new records',
		builderHint: {
			searchHint:
				'It polls, in published workflows only, and the first poll reports nothing old. A workflow that writes to the records that start it can loop.',
		},
		defaults: { name: 'Chatbase Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'chatbaseV1Api', required: true }],
		properties: triggerFields,
	};

	methods = callableMethods({ listSearch: { searchChatbots, searchCustomAttributes } });

	poll = withNodeErrors(pollForChanges);
}
