import type { IDataObject, INodeProperties, IPollFunctions } from 'n8n-workflow';

import { Failure } from '../Chatbase/api/failure';
import { chatbotField } from '../Chatbase/chatbots/chatbots';
import type { InputItem } from '../Chatbase/execution/item';
import { filtersField, optionsField } from '../Chatbase/panel/collections';
import { optionalField, readAs } from '../Chatbase/panel/field';
import { emptyFilter } from '../Chatbase/panel/filters';
import { notice } from '../Chatbase/panel/notices';
import { titleFromCamelCase } from '../Chatbase/panel/operation';
import { pageSizeOption } from '../Chatbase/panel/paging';
import {
	boolean,
	commaList,
	describeValue,
	moment,
	oneOf,
	text,
	type ValueType,
	wholeNumber,
} from '../Chatbase/panel/types';
import { maxPageSize, minPageSize } from '../Chatbase/resources/contact/contactList';
import { isSameValue } from '../Chatbase/resources/contact/plan/values';
import { sourceFields } from '../Chatbase/resources/conversation/conversations';
import { attributeLocator } from '../Chatbase/resources/customAttribute/attributes';
import { clean } from '../Chatbase/values/clean';
import { isBlank, isObject, objectIn, ownValue } from '../Chatbase/values/json';
import { isPathSegment } from '../Chatbase/values/text';
import { events, type ListSettings, type TriggerEvent } from './events';
import type { Rating } from './ratedList';

const shownForEvents = (
	has: (event: TriggerEvent) => unknown,
): INodeProperties['displayOptions'] => ({
	show: {
		'/event': Object.entries(events).flatMap(([value, event]) =>
			has(event) ? [value] : [],
		),
	},
});

const filters: INodeProperties[] = [
	{
		displayName: 'Custom Attributes',
		name: 'customAttributes',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Condition',
		default: {},
		description: 'Only contacts that have all of these values',
		options: [
			{
				displayName: 'Condition',
				name: 'conditions',
				values: [
					optionalField('attribute', 'Attribute', text, {
						description: 'The custom attribute to compare',
						...attributeLocator(),
					}).property,
					optionalField('value', 'Equals', text, {
						placeholder: 'e.g. pro',
						description:
							'Value of the attribute, such as pro, 5 or true. Leave it empty to find contacts without a value.',
					}).property,
				],
			},
		],
	},
	{
		displayName: 'Has Email',
		name: 'hasEmail',
		type: 'options',
		default: true,
		description: 'Only records with, or only records without, an email address',
		options: [
			{ name: 'With an Email Address', value: true },
			{ name: 'Without an Email Address', value: false },
		],
	},
	...sourceFields.map(({ property }) => property),
];

const ratingField: INodeProperties = {
	displayName: 'Rating',
	name: 'rating',
	type: 'options',
	default: 'negative',
	description:
		'Which ratings start the workflow. A conversation starts it once; with Both, as negative if it has ratings of both kinds.',
	options: [
		{ name: 'Negative', value: 'negative' },
		{ name: 'Positive', value: 'positive' },
		{ name: 'Both', value: 'both' },
	],
	displayOptions: shownForEvents(({ isByRating }) => isByRating),
};

/** The last one counts for a conversation that has both. */
const ratingType = oneOf('positive', 'negative', 'both');
const bothRatings: readonly Rating[] = ['positive', 'negative'];

export const triggerFields: INodeProperties[] = [
	{
		displayName: 'Trigger On',
		name: 'event',
		type: 'options',
		noDataExpression: true,
		default: 'contactCreated',
		options: Object.entries(events).map(([value, { description }]) => ({
			name: titleFromCamelCase(value),
			value,
			description,
		})),
	},
	chatbotField.property,
	...Object.entries(events).flatMap(([value, { notice: words }]) =>
		words ? [notice(`${value}Notice`, words, { show: { event: [value] } })] : [],
	),
	{
		...filtersField(
			filters.map((filter) => ({
				...filter,
				displayOptions: shownForEvents((event) => event.filters?.includes(filter.name)),
			})),
			'The workflow starts only for records that match these filters when the trigger finds them',
		).property,
		displayOptions: shownForEvents((event) => event.filters),
	},
	ratingField,
	{
		...optionsField([
			{
				...pageSizeOption(
					'Contacts',
					minPageSize,
					maxPageSize,
					'Lower it if requests time out',
				).property,
				displayOptions: shownForEvents(({ records }) => records === 'contacts'),
			},
			optionalField('options.since', 'Report Changes Since', text, {
				type: 'dateTime',
				placeholder: 'e.g. 2026-07-01T08:30:00',
				description:
					'Also report changes made since this time. Without it, only changes after the first poll start the workflow. If you change it to an earlier time, changes since that time are reported again.',
			}),
		]).property,
		// Ratings have no time to begin with.
		displayOptions: shownForEvents(({ isByRating }) => !isByRating),
	},
];

/** Makes errors that name the field by its label. */
type Place = Pick<InputItem, 'error'>;

export interface Settings extends ListSettings, Place {
	/** Writes a warning into n8n's log. */
	warn(words: string): void;
	event: TriggerEvent;
	/** The key of the saved state. It stands for the event and the chatbot. */
	key: string;
	/** What the service filters by. Records that it leaves out are not compared. */
	filter?: string;
	/** Report Changes Since, in milliseconds since 1970. */
	since?: number;
	isWanted(record: IDataObject): boolean;
}

export function readSettings(context: IPollFunctions): Settings {
	const place: Place = {
		error: (title, nextStep) => new Failure({ title, sentences: [nextStep] }),
	};
	const name: unknown = context.getNodeParameter('event');
	const event = readEvent(place, name);
	const chatbotId = readChatbotId(place, context);

	const options = context.getNodeParameter('options', {}) as IDataObject;
	const pageSize = wholeNumber(minPageSize, maxPageSize);
	const time = moment(context.getTimezone());
	const readOption = <Value>(name: string, label: string, type: ValueType<Value>) => {
		if (isBlank(options[name])) return undefined;
		return readAs(place, options[name], type, label);
	};

	// Filters stay stored if the event is changed. n8n 2.41 leaves out those that the panel doesn't show for the new event.
	const given = context.getNodeParameter('filters', {}) as IDataObject;
	assertFilled(place, given);
	const filteredSources = readSources(place, given);
	const ratings = event.isByRating ? readRatings(place, context) : [];

	return {
		...place,
		warn: (words) => context.logger.warn(`${context.getNode().name}: ${words}`),
		event,
		key: `${String(name)} ${chatbotId}`,
		chatbotId,
		pageSize: readOption('pageSize', 'Page Size', pageSize) ?? maxPageSize,
		since: event.isByRating
			? undefined
			: readOption('since', 'Report Changes Since', time),
		filteredSources,
		ratings,
		filter: filteredSources ?? (ratings.join(',') || undefined),
		isWanted: readFilters(place, given),
	};
}

function readEvent(place: Place, name: unknown): TriggerEvent {
	const event = ownValue(events, String(name));
	if (event) return event;

	const nextStep = `It is ${describeValue(name)}. Choose an event from the list.`;
	throw place.error('Trigger On has an unknown event', nextStep);
}

function readRatings(place: Place, context: IPollFunctions): readonly Rating[] {
	const given: unknown = context.getNodeParameter('rating', 'negative');
	const rating = readAs(place, given, ratingType, 'Rating');
	return rating === 'both' ? bothRatings : [rating];
}

function readChatbotId(place: Place, context: IPollFunctions): string {
	const chatbot: unknown = context.getNodeParameter('chatbotId', '', {
		extractValue: true,
	});
	const chatbotId = text.read(chatbot)?.trim() ?? '';
	if (isPathSegment(chatbotId)) return chatbotId;

	throw place.error('Chatbot is empty', 'Choose one From List or enter its ID.');
}

/** Throws if a filter is empty, such as one whose expression returns nothing. */
function assertFilled(place: Place, given: IDataObject): void {
	const empty = filters.find(({ name }) => name in given && isBlank(given[name]));
	if (empty) throw emptyFilter(place, empty.displayName);
}

/** The sources, sorted and without duplicates, so that the same choice in another order is the same filter. */
function readSources(place: Place, given: IDataObject): string | undefined {
	const sources = sourceFields
		.map(({ property }) => property)
		.filter(({ name }) => name in given)
		.flatMap(({ name, displayName }) =>
			readAs(place, given[name], commaList, displayName).split(','),
		);
	return [...new Set(sources)].sort().join(',') || undefined;
}

/** Reads the filters, and returns a function that says whether a record matches all of them. */
function readFilters(place: Place, given: IDataObject): Settings['isWanted'] {
	const isByEmail = 'hasEmail' in given;
	const wantsEmail = isByEmail && readAs(place, given.hasEmail, boolean, 'Has Email');
	const { conditions = [] } = (given.customAttributes ?? {}) as {
		conditions?: IDataObject[];
	};

	const wanted = conditions.map(({ attribute, value }) => {
		const chosen = isObject(attribute) ? attribute.value : attribute;
		const name = clean(text.read(chosen) ?? '');
		if (name !== '') return { name, value: cleaned(value) };

		throw place.error(
			'A Custom Attributes condition has no attribute',
			'Choose one From List, enter its name, or remove the condition.',
		);
	});

	return ({ email, custom_attributes }) => {
		if (isByEmail && Boolean(email) !== wantsEmail) return false;

		const attributes = objectIn(custom_attributes);
		return wanted.every(({ name, value }) =>
			isSameValue(cleaned(ownValue(attributes, name)), value),
		);
	};
}

/** A value for comparisons. Nobody sees the characters that are cleaned. */
function cleaned(value: unknown): unknown {
	return typeof value === 'string' ? clean(value) : (value ?? '');
}
