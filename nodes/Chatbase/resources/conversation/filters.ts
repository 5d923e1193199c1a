import type { INodeProperties } from 'n8n-workflow';

/** Where conversations come from (reference of version 2, 3.1). */
const sources = [
	'Action preview',
	'Agent page',
	'Android SDK',
	'API',
	'Center stage',
	'Chatbase site',
	'Email',
	'Iframe',
	'Instagram',
	'iOS SDK',
	'Messenger',
	'Phone',
	'Playground',
	'Qna preview',
	'Salesforce',
	'Search',
	'Slack',
	'Unspecified',
	'WhatsApp',
	'Widget or Iframe',
	'Zendesk',
	'Zendesk Messaging',
];

function choice(
	displayName: string,
	name: string,
	description: string,
	values: string[],
): INodeProperties {
	const options = values.map((value) => ({ name: titleOf(value), value }));
	return { displayName, name, type: 'multiOptions', default: [], description, options };
}

/** As in "Taken Over" for `taken_over`. */
function titleOf(value: string): string {
	return value
		.split(/[ _]/)
		.map((word) => (word === 'or' ? word : word[0].toUpperCase() + word.slice(1)))
		.join(' ');
}

function names(
	displayName: string,
	name: string,
	placeholder: string,
	description: string,
): INodeProperties {
	return { displayName, name, type: 'string', default: '', placeholder, description };
}

export const sourceFilter = choice(
	'Sources',
	'source',
	'Only conversations that were held in one of these places',
	sources,
);

/** Filters of a search that are lists of values; one of them has to match. */
export const listFilters: INodeProperties[] = [
	sourceFilter,
	names(
		'Action Types',
		'actionType',
		'e.g. collect-leads',
		'Only conversations with one of these actions, separated by commas',
	),
	choice('Feedback', 'feedback', 'Only conversations with an answer that was rated so', [
		'negative',
		'positive',
	]),
	names(
		'Procedure Outcomes',
		'procedureOutcome',
		'e.g. completed',
		'Only conversations in which a procedure, or one of those in Procedures, had one of these outcomes',
	),
	names(
		'Procedures',
		'procedure',
		'e.g. Return a parcel',
		'Only conversations with one of these procedures, separated by commas',
	),
	choice('Sentiment', 'sentiment', 'Only conversations with one of these moods', [
		'negative',
		'neutral',
		'positive',
		'unspecified',
	]),
	choice('Status', 'activityState', 'Only conversations that are in one of these states now', [
		'ended',
		'ongoing',
		'paused',
		'taken_over',
	]),
	names(
		'Tool Outcomes',
		'toolOutcome',
		'e.g. error',
		'Only conversations in which a tool, or one of those in Tools, had one of these outcomes',
	),
	names(
		'Tools',
		'tool',
		'e.g. lookupOrder',
		'Only conversations that used one of these tools, separated by commas',
	),
	names(
		'Topics',
		'topic',
		'e.g. Refunds, unspecified',
		'Only conversations about one of these topics, separated by commas',
	),
	names(
		'User ID',
		'userId',
		'e.g. user_abc123',
		'Only conversations of these users, separated by commas',
	),
];

/** Filters of a search that are on or off. */
export const toggleFilters: INodeProperties[] = [
	{
		displayName: 'Escalated',
		name: 'escalated',
		type: 'boolean',
		default: true,
		description:
			'Whether to return only conversations that were escalated. Turned off, it filters nothing.',
	},
	{
		displayName: 'Has Voice',
		name: 'hasVoice',
		type: 'boolean',
		default: true,
		description: 'Whether to return only conversations with voice, or only those without',
	},
];
