/**
 * What a website's page and a chatbot's dashboard have beside the API, as schemas.
 *
 * "Public pages" are three pages of Chatbase's guides: identity verification, contacts and custom actions.
 * What they don't state is ours, and says so.
 */
import { z } from 'zod';

/** A payment account in a token. Public pages: `stripe_accounts`. */
const stripeAccount = z.looseObject({
	label: z.string().nullish(),
	stripe_id: z.string().optional(),
	stripe_email: z.string().optional(),
});

/**
 * Payload of a token that identifies a visitor. Public pages: `user_id` or `sub` is required, and is text;
 * the rest is optional; null clears a field. Other claims are allowed, as in every JWT.
 */
export const tokenPayload = z
	.looseObject({
		user_id: z.string().min(1).optional(),
		sub: z.string().min(1).optional(),
		/** Unix seconds. */
		exp: z.number().optional(),
		email: z.string().nullish(),
		name: z.string().nullish(),
		phonenumber: z.string().nullish(),
		custom_attributes: z.record(z.string(), z.unknown()).nullish(),
		stripe_accounts: z.array(stripeAccount).nullish(),
	})
	.refine(({ user_id, sub }) => (user_id ?? sub) !== undefined, {
		path: ['user_id'],
		message: 'user_id or sub is required',
	});

/** POST /page/{chatbotId}/sessions: what `identify` of the page's script does with its token. The endpoint is ours. */
export const sessionRequest = z.strictObject({ token: z.string().optional() });

/** Response of it. Ours. */
export const sessionReply = z.looseObject({
	sessionId: z.string(),
	/** The ID of the verified visitor; null for an unknown one. */
	userId: z.string().nullable(),
});

/** POST /page/{chatbotId}/sessions/{sessionId}/messages: a message that a visitor types. Ours. */
export const pageMessageRequest = z.strictObject({ message: z.string().min(1) });

/** Response of it. Ours. */
export const pageMessageReply = z.looseObject({
	conversationId: z.string(),
	messageId: z.string(),
	text: z.string(),
});

/** POST …/messages/{messageId}/feedback: a thumb below an answer. Ours; the values: reference of version 2. */
export const pageFeedbackRequest = z.strictObject({
	feedback: z.enum(['positive', 'negative']).nullable(),
});

/** Something that the chatbot asks the visitor for. Public pages: name, type, description. */
const dataInput = z.strictObject({
	name: z.string().regex(/^\w+$/),
	type: z.string(),
	description: z.string(),
});

/** A variable in double braces: a data input, or a field of the contact after `contact.`. The braces are ours. */
export const variable = /\{\{\s*([\w.]+)\s*\}\}/g;

/**
 * A custom action, as it is set up in the dashboard. Public pages: name, when to use it, data inputs, method,
 * HTTPS URL, parameters, headers, body; the request has a JSON body, so it has a method that carries one.
 */
export const customAction = z.strictObject({
	name: z.string().min(1),
	/** Tells the model when to use the action. The simulation uses `recognize` in its place. */
	whenToUse: z.string(),
	inputs: z.array(dataInput),
	method: z.enum(['POST', 'PUT', 'PATCH']),
	url: z.url(),
	headers: z.record(z.string(), z.string()),
	/** The body of the request. Its texts can have variables. */
	body: z.record(z.string(), z.unknown()),
});

/** Response of the URL. Public pages: JSON. */
export const customActionReply = z.union([z.looseObject({}), z.array(z.unknown())]);
