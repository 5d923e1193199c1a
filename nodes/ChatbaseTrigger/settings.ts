import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { isSameValue } from '../Chatbase/resources/contact/plan/compare';
import type { Contact } from '../Chatbase/resources/contact/plan/contact';
import type { ValueType } from '../Chatbase/fields/values';
import {
	boolean,
	commaSeparated,
	filledText,
	moment,
	wholeNumber,
} from '../Chatbase/fields/values';
import { describeValue } from '../Chatbase/fields/describe';
import { maxPageSize, minPageSize } from '../Chatbase/resources/contact/requests/paths';
import { escapeHtml } from '../Chatbase/api/html';
import { isObject, ownValue } from '../Chatbase/values/object';
import type { TriggerEvent } from './events';
import { contactEvents } from './events';

const day = 24 * 60 * 60 * 1000;

/** What the user has set, read and found valid. */
export interface Settings {
	event: TriggerEvent;
	chatbotId: string;
	/** Contacts a request. */
	pageSize: number;
	/** Where the first poll begins; absent where it reports nothing. */
	since?: number;
	/** Names of the sources of conversations; empty for all. */
	sources: string[];
	/** Whether a record passes the filters. */
	isWanted(record: IDataObject): boolean;
}

/**
 * Reads the parameters of the trigger.
 *
 * @throws NodeOperationError that names the field by its display name
 */
export function readSettings(context: IPollFunctions): Settings {
	const event = context.getNodeParameter('event') as TriggerEvent;
	const filters = context.getNodeParameter('filters', {}) as IDataObject;
	const options = context.getNodeParameter('options', {}) as IDataObject;
	return {
		event,
		chatbotId: readChatbotId(context),
		pageSize: readPageSize(context, options.pageSize),
		since: 'since' in options ? readSince(context, options.since) : undefined,
		sources: [filters.sources, filters.otherSources].flatMap((names) =>
			names === undefined ? [] : (commaSeparated.read(names) ?? []),
		),
		isWanted: readFilter(context, event, filters),
	};
}

function readChatbotId(context: IPollFunctions): string {
	const value: unknown = context.getNodeParameter('chatbotId', '', { extractValue: true });
	const id = filledText.read(value);
	if (id !== undefined && id !== '.' && id !== '..') return id;
	throw refuse(context, 'Chatbot is not chosen', 'Choose one From List or enter its ID.');
}

function readPageSize(context: IPollFunctions, value: unknown = maxPageSize): number {
	return readAs(context, value, wholeNumber(minPageSize, maxPageSize), 'Page Size');
}

/** The clock of the service may be somewhat ahead of n8n's. */
function readSince(context: IPollFunctions, value: unknown): number {
	const since = readAs(context, value, moment(context.getTimezone()), 'Report Changes Since');
	if (since <= Date.now() + day) return since;
	throw futureSince(context, since);
}

/** The error for a beginning that is a slip of the pen. */
export function futureSince(context: IPollFunctions, since: number) {
	return refuse(
		context,
		'Report Changes Since is in the future',
		`It is ${new Date(since).toISOString()}. Enter a time that has passed, or remove the option to begin with what changes from now on.`,
	);
}

/** As the node reads a field; a poll is about no item. */
function readAs<Value>(
	context: IPollFunctions,
	value: unknown,
	kind: ValueType<Value>,
	label: string,
) {
	const read = kind.read(value);
	if (read !== undefined) return read;
	throw refuse(context, `${label} is not ${kind.expected}`, `It is ${describeValue(value)}.`);
}

/** Filters stay stored when the event is changed; those that do not belong to the new one do not apply. */
function readFilter(
	context: IPollFunctions,
	event: TriggerEvent,
	filters: IDataObject,
): Settings['isWanted'] {
	const hasEmail =
		event === 'conversationStarted' || !('hasEmail' in filters)
			? undefined
			: readAs(context, filters.hasEmail, boolean, 'Has Email');
	const conditions = contactEvents.some((name) => name === event)
		? readConditions(context, filters)
		: [];
	return (record) => {
		const { email, custom_attributes } = record as Contact;
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
		throw refuse(
			context,
			'A condition on Custom Attributes has no attribute',
			'Choose one From List, enter its name, or remove the condition.',
		);
	});
}

function refuse(context: IPollFunctions, title: string, nextStep: string) {
	return new NodeOperationError(context.getNode(), title, { description: escapeHtml(nextStep) });
}
