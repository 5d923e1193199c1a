import { type Field, toggleOption } from '../../panel/field';
import { anyOfFilter, filterField } from '../../panel/filters';
import { boolean } from '../../panel/types';

/** The only lists of conversations from every source; the plain ones have those of the API alone. */
export const exportPath = '/agents/{chatbotId}/conversations/export';

export const searchPath = '/agents/{chatbotId}/conversations/search';

export function transcriptOption(more = ''): Field<boolean> {
	return toggleOption('transcript', 'Add Transcript', {
		description: `Whether to add the field transcript to each conversation: its messages as one text, line by line, with who said what and when (in the time zone of the workflow)${more}`,
	});
}

/** The fields of a conversation that an agent needs, of those that an operation returns. */
export const simplifiedFields = [
	'id',
	'title',
	'createdAt',
	'updatedAt',
	'userId',
	'source',
	'status',
	'snippet',
	'transcript',
];

export function isSameConversation(id: unknown, conversationId: string): boolean {
	return String(id).toLowerCase() === conversationId.toLowerCase();
}

/** Where conversations come from, in both versions (public reference, 4.7). */
const commonSources =
	'Action preview, API, Chatbase site, Instagram, Messenger, Playground, Slack, Unspecified, WhatsApp, Widget or Iframe';

/** The further sources of version 2 (reference of version 2, 3.1). */
const laterSources =
	'Agent page, Android SDK, Center stage, Email, Iframe, iOS SDK, Phone, Qna preview, Salesforce, Search, Zendesk, Zendesk Messaging';

function oneOf(label: string, name: string, what: string, values: string[] | string) {
	const options = Array.isArray(values) ? choicesOf(values) : values;
	return anyOfFilter(
		label,
		name,
		`Only conversations with one of these ${what}`,
		options,
	);
}

/** Named as in "Taken Over" for `taken_over`. */
function choicesOf(values: string[]) {
	const capitalize = (word: string) =>
		word === 'or' ? word : word[0].toUpperCase() + word.slice(1);
	return values.map((value) => ({
		name: value.split(/[ _]/).map(capitalize).join(' '),
		value,
	}));
}

const sources = `${commonSources}, ${laterSources}`.split(', ');

export const sourceFilter = oneOf(
	'Sources',
	'source',
	'sources',
	sources.sort((one, other) => one.localeCompare(other)),
);

export const listFilters = [
	sourceFilter,
	oneOf('Action Types', 'actionType', 'actions', 'e.g. collect-leads'),
	oneOf('Feedback', 'feedback', 'ratings of an answer', ['negative', 'positive']),
	oneOf(
		'Procedure Outcomes',
		'procedureOutcome',
		'outcomes of a procedure (of those in Procedures, if added)',
		'e.g. completed',
	),
	oneOf('Procedures', 'procedure', 'procedures', 'e.g. Return a parcel'),
	oneOf('Sentiment', 'sentiment', 'moods', [
		'negative',
		'neutral',
		'positive',
		'unspecified',
	]),
	oneOf('Status', 'activityState', 'states', [
		'ended',
		'ongoing',
		'paused',
		'taken_over',
	]),
	oneOf(
		'Tool Outcomes',
		'toolOutcome',
		'outcomes of a tool (of those in Tools, if added)',
		'e.g. error',
	),
	oneOf('Tools', 'tool', 'tools', 'e.g. lookupOrder'),
	oneOf('Topics', 'topic', 'topics', 'e.g. Refunds, unspecified'),
	oneOf('User ID', 'userId', 'users', 'e.g. {{ $json.sessionId }}'),
];

export const escalatedFilter = filterField('escalated', 'Escalated', boolean, {
	default: true,
	description:
		'Whether to return only conversations that were escalated. Turned off, it filters nothing.',
});

export const voiceFilter = filterField('hasVoice', 'Has Voice', boolean, {
	default: true,
	description: 'Whether to return only conversations with voice, or only those without',
});

/** Filters of a list of version 1. */
export const sourceFields = [
	anyOfFilter(
		'Sources',
		'sources',
		'Only conversations from these places',
		choicesOf(commonSources.split(', ')),
	),
	anyOfFilter(
		'Other Sources',
		'otherSources',
		'Sources that are not in the Sources list',
		'e.g. Telegram, Email',
	),
];
