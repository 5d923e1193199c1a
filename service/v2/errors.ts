/** What version 2 turns a request down with. Codes, statuses and words: reference of version 2. */
import type { z } from 'zod';

import { issuesOf } from '../core/refusal';
import type { BehaviourV2 } from './behaviour';

const errors = {
	VALIDATION_INVALID_BODY: [400, 'Invalid request'],
	// A development system answered it for a file of the wrong size.
	INVALID_BODY: [400, 'Invalid request'],
	VALIDATION_INVALID_JSON: [400, 'Request body is not valid JSON'],
	VALIDATION_INVALID_DATE_RANGE: [400, 'startDate must not be after endDate'],
	// The name is cut off after QUER in every stored copy of the page.
	VALIDATION_CURSOR_QUERY_MISMATCH: [400, 'The cursor belongs to another query'],
	PHONE_NUMBER_REQUIRED: [
		400,
		'This agent has multiple WhatsApp phone numbers; specify a `from` number',
	],
	TEMPLATE_LANGUAGE_REQUIRED: [
		400,
		'Multiple languages exist for this template; specify a language',
	],
	AUTH_MISSING_API_KEY: [401, 'Authentication required'],
	AUTH_INVALID_API_KEY: [401, 'Invalid API key'],
	AUTH_EXPIRED_API_KEY: [401, 'API key has expired. Generate a new one from the dashboard'],
	CHAT_CREDITS_EXHAUSTED: [402, 'Message limit reached'],
	CHAT_AGENT_CREDITS_EXHAUSTED: [402, 'Message limit reached'],
	AUTH_INSUFFICIENT_PERMISSIONS: [403, "You don't have permission to perform this action."],
	SUBSCRIPTION_API_RESTRICTED_PLAN: [
		403,
		'A Standard plan or higher is required to access the API',
	],
	SUBSCRIPTION_PLAN_REQUIRED: [403, 'A Standard plan or higher is required'],
	AGENT_LIMIT_REACHED: [403, 'You have reached the maximum number of agents of your plan'],
	HELPDESK_NOT_ENABLED: [403, 'Helpdesk is not enabled for this agent'],
	CONVERSATION_SEARCH_UNAVAILABLE: [403, 'Conversation search is not available for this agent'],
	CHAT_CONVERSATION_NOT_ONGOING: [403, 'Conversation is not ongoing. Start a new conversation'],
	CHAT_CONVERSATION_MISMATCH: [403, 'Conversation does not belong to this agent'],
	WHATSAPP_NOT_CONNECTED: [403, 'WhatsApp is not connected for this agent'],
	RESOURCE_NOT_FOUND: [404, 'The requested resource could not be found'],
	RESOURCE_MESSAGE_NOT_FOUND: [404, 'The requested message could not be found'],
	RESOURCE_TOOL_CALL_NOT_FOUND: [404, 'The requested tool call could not be found'],
	AGENT_NOT_FOUND: [404, 'The requested agent could not be found'],
	TICKET_NOT_FOUND: [404, 'The requested ticket could not be found'],
	SOURCE_NOT_FOUND: [404, 'The requested source could not be found'],
	PHONE_NUMBER_NOT_FOUND: [404, 'WhatsApp phone number not found for this agent'],
	TEMPLATE_NOT_FOUND: [404, 'WhatsApp template not found'],
	NOT_FOUND: [404, 'Route not found'],
	SOURCE_DUPLICATE: [409, 'A source with this URL and type already exists'],
	SOURCE_PENDING_DELETION: [409, 'Source is pending deletion and cannot be edited'],
	SOURCE_ALREADY_PENDING_DELETION: [409, 'Source is already pending deletion'],
	SOURCE_IS_TRAINING: [409, 'Source is training'],
	AGENT_NOT_TRAINED: [409, 'The agent has not been trained'],
	CONVERSATION_NOT_TAKEN_OVER: [409, 'The linked conversation is not taken over'],
	TEMPLATE_NOT_APPROVED: [409, 'WhatsApp template is not approved'],
	SEND_BLOCKED: [409, 'This WhatsApp Business Account is not allowed to start new conversations'],
	MISSING_TEMPLATE_VARIABLES: [422, 'Missing values for template variables'],
	INVALID_TEMPLATE_VARIABLES: [
		422,
		'One or more template variable values are not accepted by WhatsApp',
	],
	TEMPLATE_BUTTONS_UNSUPPORTED: [422, 'Template buttons are not supported by this endpoint'],
	TEMPLATE_PARAMS_REJECTED: [422, 'Meta rejected the template parameters'],
	RECIPIENT_INVALID: [422, 'Recipient phone number is invalid'],
	RECIPIENT_NOT_REACHABLE: [422, 'Recipient cannot receive WhatsApp messages'],
	RESOURCE_MESSAGE_NOT_ASSISTANT: [422, 'Feedback can only be set on assistant messages'],
	SOURCE_SIZE_LIMIT_EXCEEDED: [422, 'Chatbot storage limit exceeded'],
	TICKET_INVALID_STATUS: [422, 'The requested status could not be applied'],
	TICKET_TEAM_MEMBER_NOT_FOUND: [422, 'The requested assignee could not be found'],
	TICKET_TEAM_NOT_FOUND: [422, 'The requested team could not be found'],
	TEAM_MEMBER_NOT_FOUND: [422, 'The requested team member could not be found'],
	MESSAGE_CONTENT_NOT_RENDERABLE: [422, 'The message content could not be rendered'],
	RATE_LIMIT_TOO_MANY_REQUESTS: [429, 'Too many requests, please try again later'],
	INTERNAL_SERVER_ERROR: [500, 'Something went wrong, please try again'],
	CHAT_STREAMING_ERROR: [500, 'An error occurred while generating the response'],
	WHATSAPP_SEND_FAILED: [502, 'WhatsApp API rejected the message'],
	MEDIA_UPLOAD_FAILED: [502, 'Failed to upload the template header media to WhatsApp'],
	// A 503 of which only the words are known. It says nothing about what was done.
	SERVICE_UNAVAILABLE: [503, 'Service unavailable'],
	SERVICE_UNDER_MAINTENANCE: [503, 'The service is undergoing scheduled maintenance'],
	ENDPOINT_TEMPORARILY_DISABLED: [503, 'This endpoint is temporarily disabled'],
} as const satisfies Record<string, readonly [number, string]>;

export type ErrorCode = keyof typeof errors;

export const errorCodes = Object.keys(errors) as ErrorCode[];

/** Thrown anywhere while a request of version 2 is handled; becomes the reply. */
export class ApiError extends Error {
	readonly status: number;

	/** @param status where documents disagree about it; default: the code's own */
	constructor(
		readonly code: ErrorCode,
		readonly details?: Record<string, string>,
		status?: number,
	) {
		super(errors[code][1]);
		this.status = status ?? errors[code][0];
	}
}

/** Status 400 with one line for each field. */
export function invalid(details: Record<string, string>): ApiError {
	return new ApiError('VALIDATION_INVALID_BODY', details);
}

/** @throws ApiError that names each field which breaks the schema */
export function parsed<Schema extends z.ZodType>(
	schema: Schema,
	value: unknown,
	code: ErrorCode = 'VALIDATION_INVALID_BODY',
): z.output<Schema> {
	const result = schema.safeParse(value);
	if (result.success) return result.data;
	const issues = issuesOf(result.error).map(({ field, message }) => [field || 'body', message]);
	throw new ApiError(code, Object.fromEntries(issues) as Record<string, string>);
}

/** What a failure says that no route of version 2 has raised: an unknown path, a body that is too long, a mistake of ours. */
export function apiErrorOf(error: Error & { status?: number; statusCode?: number }): ApiError {
	if (error instanceof ApiError) return error;
	const status = error.status ?? error.statusCode ?? 500;
	if (status === 404) return new ApiError('NOT_FOUND');
	return new ApiError(
		status < 500 ? 'VALIDATION_INVALID_BODY' : 'INTERNAL_SERVER_ERROR',
		undefined,
		status,
	);
}

/** The body of an error, as JSON or as text. */
export function errorBodyV2(
	{ code, message, details }: ApiError,
	{ errorBody }: BehaviourV2,
): object | string {
	if (errorBody === 'html') return '<html><body>Something went wrong</body></html>';
	if (errorBody === 'empty') return '';
	const hasDetails = details && errorBody !== 'withoutDetails';
	const shown = errorBody === 'unknownCode' ? 'SOMETHING_NEW' : code;
	return { error: { code: shown, message, ...(hasDetails && { details }) } };
}

/** The body of a status that a test planted. */
export function plantedBodyV2(status: number): object {
	const code = errorCodes.find((one) => errors[one][0] === status) ?? 'INTERNAL_SERVER_ERROR';
	return { error: { code, message: `Simulated status ${status}` } };
}
