import { type IDataObject, type IPollFunctions, NodeOperationError } from 'n8n-workflow';

import { isPathSegment } from '../Chatbase/api/address';
import { escapeHtml } from '../Chatbase/api/errors';
import type { InputItem } from '../Chatbase/execution/item';
import {
	boolean,
	commaList,
	describeValue,
	filledText,
	moment,
	readAs,
	wholeNumber,
} from '../Chatbase/fields/values';
import { isSameValue } from '../Chatbase/resources/contact/compare';
import { maxPageSize, minPageSize } from '../Chatbase/resources/contact/list';
import { isBlank, isObject, ownValue } from '../Chatbase/values/json';
import { type EventFilter, events, type TriggerEvent } from './events';
import type { ListSettings } from './lists';

export interface Settings extends ListSettings {
	event: TriggerEvent;
	/** Report Changes Since, in milliseconds since 1970. */
	since?: number;
	isWanted(record: IDataObject): boolean;
}

export function readSettings(context: IPollFunctions): Settings {
	const filters = context.getNodeParameter('filters', {}) as IDataObject;
	const options = context.getNodeParameter('options', {}) as IDataObject;
	const pageSize = isBlank(options.pageSize) ? maxPageSize : options.pageSize;
	const event = readEvent(context);
	const place = errorsAt(context);
	const sizeType = wholeNumber(minPageSize, maxPageSize);
	const since = () =>
		readAs(place, options.since, moment(context.getTimezone()), 'Report Changes Since');
	const sources = [filters.sources, filters.otherSources].map((names) => commaList.read(names));
	return {
		event,
		chatbotId: readChatbotId(context),
		pageSize: readAs(place, pageSize, sizeType, 'Page Size'),
		since: 'since' in options ? since() : undefined,
		filteredSources: sources.filter(Boolean).join(',') || undefined,
		isWanted: readFilters(context, event, filters),
	};
}

function readEvent(context: IPollFunctions): TriggerEvent {
	const value: unknown = context.getNodeParameter('event');
	const event = events.find((each) => each.value === value);
	if (event) return event;
	const nextStep = `It is ${describeValue(value)}. Choose an event from the list.`;
	throw errorsAt(context).error('Trigger On has an unknown event', nextStep);
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
	const applies = (name: EventFilter) => name in filters && event.filters?.includes(name);
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
