import type { IDataObject, INodeProperties, IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { escapeHtml } from '../Chatbase/api/errors';
import { isPathSegment } from '../Chatbase/api/request';
import type { InputItem } from '../Chatbase/execution/item';
import { filtersField, notice, optionsField, titleOf } from '../Chatbase/fields/define';
import { optionalField, readAs } from '../Chatbase/fields/field';
import { attributeLocator, chatbotField } from '../Chatbase/fields/locators';
import { pageSizeOption } from '../Chatbase/fields/paging';
import {
	boolean,
	commaList,
	describeValue,
	filledText,
	moment,
	text,
	wholeNumber,
} from '../Chatbase/fields/values';
import { isSameValue } from '../Chatbase/resources/contact/difference';
import { maxPageSize, minPageSize } from '../Chatbase/resources/contact/list';
import { sourceFields } from '../Chatbase/resources/conversation/conversations';
import { isBlank, isObject, ownValue } from '../Chatbase/values/json';
import { events, type ListSettings, type TriggerEvent } from './events';

const shownFor = (has: (event: TriggerEvent) => unknown): INodeProperties['displayOptions'] => ({
	show: { '/event': Object.keys(events).filter((value) => has(events[value])) },
});

const equalsField = optionalField('value', 'Equals', text, {
	placeholder: 'e.g. pro',
	description:
		'Value of the attribute, such as pro, 5 or true. Leave it empty to find contacts without a value.',
});

export const fields: INodeProperties[] = [
	{
		displayName: 'Trigger On',
		name: 'event',
		type: 'options',
		noDataExpression: true,
		default: 'contactCreated',
		options: Object.entries(events).map(([value, { description }]) => ({
			name: titleOf(value),
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
			[
				{
					displayName: 'Custom Attributes',
					name: 'customAttributes',
					type: 'fixedCollection',
					typeOptions: { multipleValues: true },
					placeholder: 'Add Condition',
					default: {},
					description: 'Only contacts that have all of these values',
					displayOptions: shownFor(({ filters }) => filters?.includes('customAttributes')),
					options: [
						{
							displayName: 'Condition',
							name: 'conditions',
							values: [
								{
									displayName: 'Attribute',
									name: 'attribute',
									description: 'The custom attribute to compare',
									...attributeLocator(),
								},
								equalsField.property,
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
					displayOptions: shownFor(({ filters }) => filters?.includes('hasEmail')),
				},
				...sourceFields.map(({ property }) => ({
					...property,
					displayOptions: shownFor(({ filters }) => filters?.includes('sources')),
				})),
			],
			'The workflow starts only for records that match these filters when the trigger finds them',
		),
		displayOptions: shownFor(({ filters }) => filters),
	},
	optionsField([
		{
			...pageSizeOption('Contacts', minPageSize, maxPageSize, 'Lower it if requests time out')
				.property,
			displayOptions: shownFor(({ records }) => records === 'contacts'),
		},
		optionalField('options.since', 'Report Changes Since', text, {
			type: 'dateTime',
			placeholder: 'e.g. 2026-07-01T08:30:00',
			description:
				'Also report changes made since this time. Without it, only changes after activation start the workflow.',
		}),
	]),
];

export interface Settings extends ListSettings {
	event: TriggerEvent;
	/** Names the state of the event and the chatbot. */
	key: string;
	/** Report Changes Since, in milliseconds since 1970. */
	since?: number;
	isWanted(record: IDataObject): boolean;
}

export function readSettings(context: IPollFunctions): Settings {
	const filters = context.getNodeParameter('filters', {}) as IDataObject;
	const options = context.getNodeParameter('options', {}) as IDataObject;
	const pageSize = isBlank(options.pageSize) ? maxPageSize : options.pageSize;
	const value: unknown = context.getNodeParameter('event');
	const event = ownValue(events, String(value));
	const chatbotId = readChatbotId(context);
	const place = errorsAt(context);
	const sizeType = wholeNumber(minPageSize, maxPageSize);
	const since = () =>
		readAs(place, options.since, moment(context.getTimezone()), 'Report Changes Since');
	const sources = [filters.sources, filters.otherSources].map((names) => commaList.read(names));
	if (!event) {
		const nextStep = `It is ${describeValue(value)}. Choose an event from the list.`;
		throw place.error('Trigger On has an unknown event', nextStep);
	}
	return {
		event,
		key: `${String(value)} ${chatbotId}`,
		chatbotId,
		pageSize: readAs(place, pageSize, sizeType, 'Page Size'),
		since: 'since' in options ? since() : undefined,
		filteredSources: sources.filter(Boolean).join(',') || undefined,
		isWanted: readFilters(context, event, filters),
	};
}

function readChatbotId(context: IPollFunctions): string {
	const value: unknown = context.getNodeParameter('chatbotId', '', { extractValue: true });
	const id = filledText.read(value);
	if (id !== undefined && isPathSegment(id)) return id;
	throw errorsAt(context).error('Chatbot is empty', 'Choose one From List or enter its ID.');
}

/** Filters stay stored if the event is changed. Those that the new event doesn't have are ignored. */
function readFilters(
	context: IPollFunctions,
	event: TriggerEvent,
	filters: IDataObject,
): Settings['isWanted'] {
	const applies = (name: NonNullable<TriggerEvent['filters']>[number]) =>
		name in filters && event.filters?.includes(name);
	const hasEmail = applies('hasEmail')
		? readAs(errorsAt(context), filters.hasEmail, boolean, 'Has Email')
		: undefined;
	const conditions = applies('customAttributes') ? readConditions(context, filters) : [];
	return ({ email, custom_attributes }) => {
		const attributes = isObject(custom_attributes) ? custom_attributes : {};
		return (
			(hasEmail === undefined || Boolean(email) === hasEmail) &&
			conditions.every(({ name, value }) => isSameValue(ownValue(attributes, name) ?? '', value))
		);
	};
}

function readConditions(context: IPollFunctions, filters: IDataObject) {
	const { conditions = [] } = (filters.customAttributes ?? {}) as { conditions?: IDataObject[] };
	return conditions.map(({ attribute, value }) => {
		const name = filledText.read(isObject(attribute) ? attribute.value : attribute);
		if (name !== undefined) return { name, value: value ?? '' };
		throw errorsAt(context).error(
			'A Custom Attributes condition has no attribute',
			'Choose one From List, enter its name, or remove the condition.',
		);
	});
}

/** For errors with a title and a next step, as those of an item. */
export function errorsAt(context: IPollFunctions): Pick<InputItem, 'error'> {
	return {
		error: (title, nextStep) =>
			new NodeOperationError(context.getNode(), title, { description: escapeHtml(nextStep) }),
	};
}
