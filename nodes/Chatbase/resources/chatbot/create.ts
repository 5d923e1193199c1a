import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import type { Failure } from '../../api/failure';
import { createdRecord, recordWith } from '../../api/unknownOutcome';
import type { InputItem } from '../../execution/item';
import { additionalFieldsField } from '../../panel/collections';
import { modelLook } from '../../panel/models';
import { toolNotice } from '../../panel/notices';
import {
	optionalField,
	readAs,
	readFilledFields,
	requiredField,
} from '../../panel/field';
import { operation } from '../../panel/operation';
import { filledText, text, webAddress } from '../../panel/types';
import { isBlank } from '../../values/json';
import { agentName, nameOfChatbot, trainingTextField } from './chatbotFields';
import { hasChatbotId, pendingStepsOf } from './confirmedChange';
import { bodyIf } from '../../api/response';

const mayExist =
	'The chatbot may exist. Look at the list of chatbots before you run again.';

const nameField = requiredField('name', 'Name', ...nameOfChatbot);
const trainingText = trainingTextField(
	'additionalFields',
	text,
	'What the chatbot should know, as plain text of at least 100 characters. Training continues after this step. Chatbot: Get returns the status.',
);

/** Only version 2 takes these, and it takes no training text. */
const agentFields = [
	optionalField('additionalFields.instructions', 'Instructions', filledText, {
		description:
			'The system prompt: role and behavior of the chatbot. May need a higher plan.',
		typeOptions: { rows: 6 },
		placeholder:
			'e.g. You help customers of an online shop. Answer briefly and politely.',
	}),
	optionalField(
		'additionalFields.model',
		'Model',
		filledText,
		modelLook(
			'agent',
			'The AI model for the answers of the chatbot. May need a higher plan.',
		),
	),
	optionalField('additionalFields.websiteUrl', 'Website URL', webAddress, {
		description: 'Website that the chatbot learns from. May need a higher plan.',
		placeholder: 'e.g. https://example.com',
	}),
];

export const create = operation({
	value: 'create',
	description: 'Set up a new chatbot, with or without training text or a website',
	request: { method: 'POST', path: '/create-chatbot', resource: 'chatbots' },
	fields: [
		toolNotice(
			'The agent can create as many chatbots as your plan allows. Describe under Tool Description when to use it, or add a human review step.',
		),
		nameField,
		additionalFieldsField([trainingText, ...agentFields]),
	],

	neverTwice: 'create the chatbots of all items again',

	read(item, api): NewChatbot {
		const name = nameField.read(item);
		const stated = trainingText.read(item);
		// Empty text, such as that of an expression without data, is none.
		const sourceText = isBlank(stated) ? undefined : stated;
		const agent = readFilledFields(item, agentFields);
		if (Object.keys(agent).length === 0) return { chatbotName: name, sourceText };

		if (sourceText !== undefined) throw twoKinds(item, Object.keys(agent));
		api.rootOf('agents');
		const { websiteUrl: url, ...others } = agent;
		return { agent: { name: readAs(item, name, agentName, 'Name'), url, ...others } };
	},

	async send({ item, params, api }) {
		const { agent, ...chatbot } = params;
		if (agent) return [await createAgent(item, api, agent)];

		const response = await api.send({ ...item.request, body: chatbot });
		// Without its ID, a workflow can't use the new chatbot.
		const find = bodyIf(hasChatbotId);
		return [createdRecord(api, response, { find, mayExist })];
	},
});

/** What an item wants: a chatbot of version 1, or an agent of version 2. */
interface NewChatbot {
	readonly chatbotName?: string;
	readonly sourceText?: string;
	/** The body of its request. */
	readonly agent?: IDataObject;
}

function twoKinds(item: InputItem, names: readonly string[]): Failure {
	const labels = agentFields
		.filter(({ property }) => names.includes(property.name))
		.map(({ property }) => property.displayName);
	return item.error(
		'Training Text does not go with a website',
		`Under Additional Fields, remove Training Text or ${labels.join(', ')}. To add a text later, use Source: Create.`,
	);
}

async function createAgent(
	item: InputItem,
	api: ApiClient,
	body: IDataObject,
): Promise<IDataObject> {
	const response = await api.send({
		...{ method: 'POST', path: '/agents', resource: 'agents' },
		body,
		timeout: 300_000,
	});

	const created = createdRecord(api, response, { find: recordWith('id'), mayExist });
	return { chatbotId: String(created.id), pendingSteps: pendingStepsOf(item, created) };
}
