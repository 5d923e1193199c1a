/** The node of this package, used as in the README. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { ProcessedItems } from '../../test/engine/harness/index.js';
import {
	attributeTypes,
	customers,
	documents,
	fileItems,
	mappedAttributes,
	newcomers,
	newNumbers,
} from '../data.mjs';
import type { Target } from '../processes/service.mjs';
import { byId, type Plan, type Task } from './plan.mjs';

const ourType = 'n8n-nodes-chatbase.chatbase';

const baseFields = ['external_id', 'name', 'email', 'phonenumber'];

/** The columns in the mapper, as the editor stores them when the user chooses the chatbot. */
const schema = [
	...baseFields.map((id) => field(id, id, 'string')),
	...Object.entries(attributeTypes).map(([name, type]) =>
		field(`custom_attributes.${name}`, name, type),
	),
];

function field(id: string, displayName: string, type: string) {
	return { id, displayName, type, required: false, defaultMatch: false, display: true };
}

function chatbase(task: Task, parameters: INodeParameters, input: object[] = [{}]): Plan {
	const { target, concurrency, continues } = task;
	const options = concurrency === undefined ? {} : { maxConcurrency: concurrency };
	return {
		nodes: [
			{
				name: 'Chatbase',
				node: ourType,
				parameters: {
					resource: 'contact',
					chatbotId: byId(target.chatbotId),
					options,
					...parameters,
				},
				nodeSettings: continues ? { onError: 'continueRegularOutput' } : {},
			},
		],
		input: input as IDataObject[],
	};
}

/** Map Automatically, as the editor stores it. */
export const automatic = {
	mappingMode: 'autoMapInputData',
	value: null,
	schema,
} as INodeParameters;

/** Map Each Column Manually: six columns dragged from the input. */
export const manual = {
	mappingMode: 'defineBelow',
	value: {
		...Object.fromEntries(baseFields.map((id) => [id, `={{ $json.${id} }}`])),
		...Object.fromEntries(
			mappedAttributes.map((name) => [
				`custom_attributes.${name}`,
				`={{ $json.custom_attributes.${name} }}`,
			]),
		),
	},
	schema,
} as unknown as INodeParameters;

/** Get Many with Return All. */
export function readAll(task: Task): Plan {
	return chatbase(task, { operation: 'getAll', returnAll: true });
}

/** Create or Update with automatic mapping. */
export function sync(task: Task): Plan {
	const input = customers(task.count, task.percent ?? 0);
	return chatbase(task, { operation: 'upsert', contactFields: automatic }, input);
}

/** Mirror of every contact with an External ID, with automatic mapping. */
export function mirrorContacts(task: Task): Plan {
	const input = customers(task.count, task.percent ?? 0);
	return chatbase(
		task,
		{ operation: 'mirror', dryRun: false, contactFields: automatic, manage: 'all' },
		input,
	);
}

/** Create or Update of names and companies by expressions that n8n has to evaluate. */
export function syncByExpressions(task: Task): Plan {
	const value = {
		external_id: '={{ $json.external_id.trim() }}',
		name: '={{ $json.name.trim() }}',
	};
	const contactFields = { mappingMode: 'defineBelow', value, schema } as unknown as INodeParameters;
	const input = customers(task.count, task.percent ?? 0);
	return chatbase(task, { operation: 'upsert', contactFields }, input);
}

/** Create or Update with columns mapped one by one. */
export function syncManually(task: Task): Plan {
	const input = customers(task.count, task.percent ?? 0);
	return chatbase(task, { operation: 'upsert', contactFields: manual }, input);
}

/** Update of one contact for each item. */
export function patchEach(task: Task): Plan {
	const parameters = {
		operation: 'update',
		contactId: byId('={{ $json.external_id }}'),
		contactFields: automatic,
	};
	return chatbase(task, parameters, newNumbers(task.count));
}

/** Export with Return All. */
export function exportAll(task: Task): Plan {
	const parameters = { resource: 'conversation', operation: 'export', returnAll: true };
	return chatbase(task, { ...parameters, options: { transcript: false } });
}

/** Get of one contact for each item. */
export function readEach(task: Task): Plan {
	const parameters = { operation: 'get', contactId: byId('={{ $json.external_id }}') };
	return chatbase(task, parameters, newNumbers(task.count));
}

/** Create, with extra fields taken from the input. */
export function create(task: Task): Plan {
	return write(task, 'create');
}

/** The same by Create or Update. */
export function createOrUpdate(task: Task): Plan {
	return write(task, 'upsert');
}

function write(task: Task, operation: string): Plan {
	const parameters = {
		operation,
		contactFields: automatic,
		additionalFields: { extraFieldsJson: '={{ $json.extra }}' },
	};
	return chatbase(task, parameters, newcomers(task.count, task.flaw!));
}

interface Remembered {
	memory: IDataObject;
	processed: ProcessedItems;
}

/** By the address of the service. */
const memories = new Map<string, Remembered>();

/** What the node remembers of earlier runs against the same service. */
function rememberedOf({ baseUrl }: Target): Remembered {
	const remembered = memories.get(baseUrl) ?? { memory: {}, processed: new ProcessedItems() };
	memories.set(baseUrl, remembered);
	return remembered;
}

/** Mirror of the sources of a chatbot. */
export function mirrorSources(task: Task): Plan {
	const { target, count, percent = 0 } = task;
	const parameters = {
		resource: 'source',
		operation: 'mirror',
		dryRun: false,
		sourceType: 'text',
		name: '={{ $json.name }}',
		content: '={{ $json.content }}',
		namePrefix: 'Docs:',
		onMissing: 'delete',
	};
	return { ...chatbase(task, parameters, documents(count, percent)), ...rememberedOf(target) };
}

/** Create or Update of sources from files. */
export function upsertFiles(task: Task): Plan {
	const parameters = {
		resource: 'source',
		operation: 'upsert',
		sourceType: 'file',
		binaryPropertyName: 'data',
		name: '={{ $json.name }}',
	};
	return { ...chatbase(task, parameters, fileItems(task)), ...rememberedOf(task.target) };
}

/** A streamed answer that goes to the caller of the workflow, as after a Chat Trigger. */
export function chat({ target }: Task): Plan {
	const parameters = {
		resource: 'chat',
		operation: 'send',
		chatbotId: byId(target.chatbotId),
		message: '={{ $json.chatInput }}',
		conversationId: '={{ $json.sessionId }}',
		options: { stream: true },
	};
	return {
		nodes: [{ name: 'Chatbase', node: ourType, parameters }],
		input: [{ chatInput: 'How are you?', sessionId: 'a-session' }],
		streaming: true,
	};
}
