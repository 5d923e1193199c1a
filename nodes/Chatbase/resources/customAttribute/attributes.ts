import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { fillPath } from '../../api/address';
import type { ApiResponse } from '../../api/response';
import { asObjects, isObject } from '../../values/object';
import { booleanOf, isExact, losesDigits, numberOf } from '../../values/scalar';
import { instantOf, isIsoDate } from '../../values/time';

export const attributesPath = '/chatbots/{chatbotId}/custom-attributes';

/** How a custom attribute is told from a field of the contact itself, as in `custom_attributes.plan`. */
export const attributePrefix = 'custom_attributes.';

/** What a custom attribute can hold (contract, Custom attribute). */
export const attributeTypes = ['text', 'number', 'boolean', 'date'] as const;

export type AttributeType = (typeof attributeTypes)[number];

export interface Attribute {
	name: string;
	type: AttributeType;
	label?: string;
	/** Archived attributes keep their values, but accept no new ones. */
	archived: boolean;
}

/** A value in the type of its field, or what is wrong with it. */
type Converted = { value: unknown } | { expected: string };

/**
 * Brings a value that is not blank into the type that the service demands for it, if that neither loses nor guesses
 * anything. Text of a date is kept as it is, so that no day shifts.
 */
export function convert(value: unknown, type: AttributeType): Converted {
	switch (type) {
		case 'number': {
			const number = numberOf(value);
			if (number === undefined || !Number.isFinite(number)) return { expected: 'a number' };
			const isChanged = typeof value === 'string' ? losesDigits(value) : !isExact(number);
			return isChanged ? { expected: 'a number of at most 15 digits' } : { value: number };
		}
		case 'boolean': {
			const boolean = booleanOf(value);
			return boolean === undefined ? { expected: 'true or false' } : { value: boolean };
		}
		case 'date': {
			const date = dateText(value);
			return date !== undefined && isIsoDate(date)
				? { value: date }
				: { expected: 'a date such as 2026-09-01 or 2026-09-01T08:30:00Z' };
		}
		case 'text': {
			const isText = typeof value === 'number' ? isExact(value) : typeof value !== 'object';
			return isText ? { value: String(value) } : { expected: 'text' };
		}
	}
}

function dateText(value: unknown): string | undefined {
	if (typeof value === 'string') return value.trim();
	const instant = typeof value === 'object' ? instantOf(value) : undefined;
	return instant === undefined ? undefined : new Date(instant).toISOString();
}

/** Reads the custom attributes of a chatbot as the service returns them, archived ones included. */
export async function readAttributeRecords(
	api: ApiClient,
	chatbotId: string,
): Promise<IDataObject[]> {
	return api.expectBody(await requestAttributes(api, chatbotId), recordsIn);
}

/** Reads the custom attributes of a chatbot, once a run. */
export async function readAttributes(api: ApiClient, chatbotId: string): Promise<Attribute[]> {
	const { response, attributes } = await readOnce(api, chatbotId);
	return api.expectBody(response, () => attributes);
}

/**
 * Reads the custom attributes of a chatbot, once a run, for what can do without them.
 *
 * @returns undefined if the service has no list of them: the contract only knows how to create one
 * @throws NodeApiError if the service fails
 */
export async function readAttributesIfAny(
	api: ApiClient,
	chatbotId: string,
): Promise<Attribute[] | undefined> {
	const { response } = await readOnce(api, chatbotId);
	// A chatbot that is missing gives a 404 as well, which the requests for its contacts will tell.
	const isListAbsent = [404, 405, 501].includes(response.status ?? 0);
	return isListAbsent ? undefined : await readAttributes(api, chatbotId);
}

async function readOnce(api: ApiClient, chatbotId: string) {
	return await api.state.memoize(`attributes of ${chatbotId}`, async () => {
		const response = await requestAttributes(api, chatbotId);
		const records = isObject(response.body) ? recordsIn(response.body) : undefined;
		return { response, attributes: records?.map(asAttribute) };
	});
}

async function requestAttributes(api: ApiClient, chatbotId: string): Promise<ApiResponse> {
	const path = fillPath(attributesPath, { chatbotId });
	return await api.send({ method: 'GET', path, resource: 'customAttributes' });
}

function recordsIn({ data }: IDataObject): IDataObject[] | undefined {
	return asObjects(data);
}

function asAttribute({ name, type, label, archived }: IDataObject): Attribute {
	return {
		name: String(name),
		type: attributeTypes.find((known) => known === type) ?? 'text',
		label: typeof label === 'string' && label !== '' ? label : undefined,
		archived: archived === true,
	};
}
