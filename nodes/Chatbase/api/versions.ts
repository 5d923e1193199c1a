import type { IDataObject } from 'n8n-workflow';

import { isObject, objectIn, objectsIn } from '../values/json';
import { textIn } from '../values/text';
import type { FailureKind } from './failureKinds';

interface ServiceWords {
	message: string;
	issues: Array<[field: string, message: string]>;
}

/** What a failure can be about, since a status has several meanings. */
export type Topic =
	| 'attributeValue'
	| 'chatbot'
	| 'contact'
	| 'contactLimit'
	| 'customAttribute'
	| 'email'
	| 'externalId'
	| 'model'
	| 'phone';

/** What differs between the versions of the API. */
export interface ApiVersion {
	/** The address before each path; undefined if the Base URL doesn't lead to this version. */
	root(baseUrl: string): string | undefined;
	/** The message of the service; empty for any other body. */
	wordsIn(body: unknown): ServiceWords;
	codeIn(body: unknown): string | undefined;
	/** Codes with another meaning than their status. */
	outcomes: Record<string, FailureKind>;
	isAbout(body: unknown, topic: Topic): boolean;
	/** Whether the body of a 404 is a message of the service that something does not exist. */
	saysNotFound(body: unknown): boolean;
	confirms(body: unknown): boolean;
}

const topics: Record<Topic, RegExp> = {
	attributeValue: /attribute/i,
	chatbot: /chatbot/i,
	contact: /contact/i,
	contactLimit: /\bmaximum (number of )?contacts\b|\bcontacts? limit\b/i,
	customAttribute: /attribute/i,
	email: /e-?mail/i,
	externalId: /external.?id/i,
	model: /\bmodel\b/i,
	phone: /phone/i,
};

/**
 * Topics that stand in messages about each other. Such a message is about the one that it names first: "Chatbot not found.
 * Please contact support." is about the chatbot, "No such contact in the chatbot" is not.
 */
const rivals: Partial<Record<Topic, Topic[]>> = {
	chatbot: ['contact', 'customAttribute'],
	contact: ['chatbot'],
};

/** A message that names what is missing. "Not found" alone is what a router says of a path that it does not know. */
const namesRecord =
	/\b(agent|attribute|chat ?bot|contact|conversation|customer|lead|record|user)s?\b|^resource not found\.?$/i;

const routerWords =
	/\b(route|path|page|url|endpoint|cannot (get|post|put|patch|delete))\b/i;

/** Version 1, by its API document and its reference. */
export const version1: ApiVersion = {
	root: (baseUrl) => baseUrl,

	wordsIn(body) {
		if (!isObject(body)) return { message: '', issues: [] };
		const issues = objectsIn(body.issues);
		return {
			message: textIn(body.message),
			issues: issues.map(({ field, message }) => [textIn(field), textIn(message)]),
		};
	},

	codeIn: () => undefined,

	outcomes: {},

	isAbout(body, topic) {
		const { message, issues } = version1.wordsIn(body);
		const words = [message, ...issues.flat()].join('\n');
		const position = words.search(topics[topic]);
		if (position < 0) return false;

		const before = words.slice(0, position);
		return !(rivals[topic] ?? []).some((rival) => topics[rival].test(before));
	},

	// A proxy returns HTML, without a message.
	saysNotFound(body) {
		const { message } = version1.wordsIn(body);
		return namesRecord.test(message.trim()) && !routerWords.test(message);
	},

	confirms: (body) => isObject(body) && ('data' in body || 'message' in body),
};

/** Version 2, by its reference. */
export const version2: ApiVersion = {
	root: (baseUrl) => (baseUrl.endsWith('/v1') ? baseUrl.replace(/1$/, '2') : undefined),

	wordsIn(body) {
		const error = errorOfVersion2(body);
		if (!error) return version1.wordsIn(body);
		const details = Object.entries(objectIn(error.details));
		return {
			message: textIn(error.message) || textIn(error.code),
			issues: details.map(([field, words]) => [
				field,
				textIn(words) || JSON.stringify(words),
			]),
		};
	},

	codeIn: (body) => textIn(errorOfVersion2(body)?.code) || undefined,

	outcomes: {
		// Rejected before anything is read or written, so that any request may be sent again.
		SERVICE_UNDER_MAINTENANCE: 'maintenance',
		ENDPOINT_TEMPORARILY_DISABLED: 'disabled',
		// WhatsApp has not sent the message, though the status is 502.
		MEDIA_UPLOAD_FAILED: '422',
		WHATSAPP_SEND_FAILED: '422',
		// An unknown route.
		NOT_FOUND: 'wrongAddress',
	},

	isAbout: () => false,

	saysNotFound: (body) => errorOfVersion2(body) !== undefined,

	confirms: (body) => isObject(body) && ('data' in body || 'id' in body),
};

function errorOfVersion2(body: unknown): IDataObject | undefined {
	if (!isObject(body) || !isObject(body.error)) return undefined;

	const { error } = body;
	const hasWords = textIn(error.code) !== '' || textIn(error.message) !== '';
	return hasWords ? error : undefined;
}
