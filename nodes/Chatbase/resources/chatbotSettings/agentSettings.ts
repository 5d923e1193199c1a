/** The settings that only version 2 of the API has. It calls a chatbot an agent. */
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import type { InputItem } from '../../execution/item';
import { type Field, optionalField, readAs } from '../../panel/field';
import {
	boolean,
	commaSeparated,
	entered,
	filledText,
	oneOf,
	only,
	type ValueType,
	wholeNumber,
} from '../../panel/types';
import { isBlank, isObject, objectIn } from '../../values/json';
import { confirmedAgent } from '../chatbot/confirmedChange';
import { recordWith } from '../../api/unknownOutcome';

const creditLimit = optionalField(
	'updateFields.creditLimit',
	'Credit Limit',
	entered(wholeNumber(0)),
	{
		description:
			'Maximum number of message credits per month for this chatbot. Empty text changes nothing. May need a higher plan.',
		placeholder: 'e.g. 500',
	},
);
/** An expression without a value, such as that of a customer without a limit, changes nothing. */
const creditLimitField: Field<number | undefined> = {
	...creditLimit,
	read(item) {
		const isEmpty = isBlank(item.parameter('updateFields.creditLimit'));
		return isEmpty ? undefined : creditLimit.read(item);
	},
};

const removeLimitField = optionalField(
	'updateFields.removeCreditLimit',
	'Remove Credit Limit',
	boolean,
	{
		description:
			'Whether the chatbot may use all credits of the workspace. May need a higher plan.',
		default: true,
	},
);

/** ISO 3166-1. A code that stands for another one, such as UK, has another region. */
function isCountry(code: string): boolean {
	if (!/^[A-Z]{2}$/.test(code)) return false;

	const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
	return names.of(code) !== undefined && new Intl.Locale(`und-${code}`).region === code;
}

const countries: ValueType<string[]> = {
	expected: 'a list of country codes',
	rule: 'Enter codes of two letters, such as DE or GB (not UK).',
	read(value) {
		const codes = commaSeparated.read(value)?.map((code) => code.toUpperCase());
		return codes?.length && codes.every(isCountry) ? codes : undefined;
	},
};

const blockedCountriesField = optionalField(
	'updateFields.blockedCountries',
	'Blocked Countries',
	countries,
	{
		description:
			"Countries whose visitors can't chat, as codes of two letters with commas between them. Replaces the current list. May need a higher plan.",
		placeholder: 'e.g. RU, BY',
	},
);

const autoRetrainField = optionalField(
	'updateFields.autoRetrain',
	'Auto-Retrain',
	boolean,
	{
		description:
			'Whether Chatbase reads the sources again every 7 days. May need a higher plan.',
		default: true,
	},
);

/** The settings under Update Fields. */
export const agentFields: Field[] = [
	autoRetrainField,
	blockedCountriesField,
	creditLimitField,
	removeLimitField,
];

/** The channels of the API, with the names of the dashboard. */
const channels = {
	android_sdk: 'Android SDK',
	api: 'API',
	center_stage: 'Center Stage',
	chat_widget: 'Chat Widget',
	email: 'Email',
	help_page: 'Help Page',
	instagram: 'Instagram',
	ios_sdk: 'iOS SDK',
	messenger: 'Messenger',
	phone: 'Phone',
	salesforce: 'Salesforce',
	search: 'Search',
	side_panel: 'Side Panel',
	slack: 'Slack',
	whatsapp: 'WhatsApp',
	zendesk: 'Zendesk',
	zendesk_messaging: 'Zendesk Messaging',
};
type Channel = keyof typeof channels;

const channelNames = Object.keys(channels) as Channel[];
const channelType = only(oneOf(...channelNames), 'one of the channels', () => true);

export const channelInstructionsField: INodeProperties = {
	displayName: 'Instructions by Channel',
	name: 'channelInstructions',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	default: {},
	placeholder: 'Add Channel',
	description:
		'Instructions that replace the general ones in a channel. Other channels keep theirs. May need a higher plan.',
	options: [
		{
			displayName: 'Channel',
			name: 'rows',
			values: [
				{
					displayName: 'Channel',
					name: 'channel',
					type: 'options',
					default: 'chat_widget',
					description: 'Where the chatbot answers',
					options: channelNames.map((value) => ({ name: channels[value], value })),
				},
				{
					displayName: 'Instructions',
					name: 'instructions',
					type: 'string',
					typeOptions: { rows: 4 },
					default: '',
					description: 'How the chatbot behaves in this channel',
					placeholder: 'e.g. Answer in two sentences, without links.',
				},
			],
		},
	],
};

interface ChannelInstructions {
	readonly channel: Channel;
	readonly instructions: string;
}

function readChannels(item: InputItem): ChannelInstructions[] {
	const { rows } = item.collection('channelInstructions');
	const stated = Array.isArray(rows) ? rows : [];
	const read = stated.map((row) => {
		const { channel, instructions } = objectIn(row);
		return {
			channel: readAs(item, channel, channelType, 'Channel'),
			instructions: readAs(item, instructions, filledText, 'Instructions'),
		};
	});

	const seen = new Set<Channel>();
	for (const { channel } of read) {
		if (seen.has(channel)) throw repeatedChannel(item, channel);
		seen.add(channel);
	}
	return read;
}

function repeatedChannel(item: InputItem, channel: Channel) {
	const nextStep = `"${channels[channel]}" has several rows under Instructions by Channel. Keep one of them.`;
	return item.error('A channel is named twice', nextStep);
}

/** What an item changes of the settings that only version 2 has. */
export interface AgentChanges {
	/** The part of an agent that is sent as it is. */
	readonly body: Readonly<IDataObject>;
	readonly channels: readonly ChannelInstructions[];
	readonly autoRetrain?: boolean;
	/** The names of all of these settings. */
	readonly names: readonly string[];
}

export function readAgentChanges(item: InputItem, api: ApiClient): AgentChanges {
	const limit = creditLimitField.read(item);
	const removesLimit = removeLimitField.read(item) === true;
	if (removesLimit && limit !== undefined) {
		throw item.error(
			'Credit Limit is set and removed',
			'Under Update Fields, keep Credit Limit or Remove Credit Limit.',
		);
	}

	const stated = {
		creditLimit: removesLimit ? null : limit,
		blockedCountries: blockedCountriesField.read(item),
	};
	const body = Object.fromEntries(
		Object.entries(stated).filter(([, value]) => value !== undefined),
	) as IDataObject;

	const rows = readChannels(item);
	const autoRetrain = autoRetrainField.read(item);
	const names = [
		...Object.keys(body),
		...rows.map(({ channel }) => `channelInstructions.${channel}`),
		...(autoRetrain === undefined ? [] : ['autoRetrain']),
	];
	if (names.length > 0) api.rootOf('agent');
	return { body, channels: rows, autoRetrain, names };
}

/**
 * The instructions of all channels with the changed ones, since the API replaces them together. Undefined if none is
 * changed.
 */
export async function mergedInstructions(
	api: ApiClient,
	chatbotId: string,
	{ channels: rows }: AgentChanges,
): Promise<IDataObject | undefined> {
	if (rows.length === 0) return undefined;

	const response = await api.send({ ...agentOf(chatbotId), method: 'GET' });
	const { channelInstructions } = api.expectBody(
		response,
		recordWith('channelInstructions'),
	);
	const stored = objectIn(channelInstructions);

	const changed = rows.map(({ channel, instructions }) => {
		const before = stored[channel];
		// A channel with a voice has instructions for chats and for calls.
		return [channel, isObject(before) ? { ...before, chat: instructions } : instructions];
	});
	return { ...stored, ...Object.fromEntries(changed) };
}

interface AgentSaving {
	readonly agent: AgentChanges;
	/** The instructions of all channels, if some are changed. */
	readonly instructions?: IDataObject;
	/** The names of what was saved are added here. */
	readonly saved: string[];
}

export async function saveAgent(
	api: ApiClient,
	chatbotId: string,
	{ agent, instructions, saved }: AgentSaving,
): Promise<void> {
	const { autoRetrain } = agent;
	const names = agent.names.filter((name) => name !== 'autoRetrain');
	if (names.length > 0) {
		const body = { ...agent.body, channelInstructions: instructions };
		const response = await api.send({ ...agentOf(chatbotId), method: 'PUT', body });
		api.expectBody(response, confirmedAgent);
		saved.push(...names);
	}

	if (autoRetrain === undefined) return;

	const response = await api.send({
		...agentOf(chatbotId),
		method: 'PUT',
		path: '/agents/{chatbotId}/auto-retrain',
		body: { enabled: autoRetrain },
	});
	api.expectBody(response, confirmedAgent);
	saved.push('autoRetrain');
}

function agentOf(chatbotId: string) {
	return {
		path: '/agents/{chatbotId}',
		resource: 'agent',
		params: { chatbotId },
	} as const;
}
