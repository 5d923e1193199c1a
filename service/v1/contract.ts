/**
 * The HTTP interface as schemas, one for each request and response, written from the documents alone.
 *
 * The simulated service validates by them, and tests hold every request of the node against them.
 * Requests are strict: a field that no document names is a mistake. Replies are loose: clients are
 * told to pass unknown fields through.
 *
 * Sources: "contract" is the API document of version 1; "public pages" are Chatbase's reference
 * and guides, which fill the gaps. Where they disagree the contract decides what is legal here, and
 * `behaviour.ts` holds a switch for what the service does.
 */
import { z } from 'zod';

// --- Model values ------------------------------------------------------------------------------

/** Models that a chat message may ask for. Contract, "AI model values", chat list. */
export const chatModels = [
	'gpt-4o',
	'gpt-4o-mini',
	'o4-mini',
	'gpt-oss-120b',
	'gpt-oss-20b',
	'gpt-5',
	'gpt-5.1',
	'gpt-5.2',
	'gpt-5.4',
	'gpt-5.4-mini',
	'gpt-5.4-nano',
	'gpt-5-mini',
	'gpt-5-nano',
	'claude-opus-4-6',
	'claude-sonnet-4-6',
	'claude-opus-4-5',
	'claude-haiku-4-5',
	'claude-sonnet-4-5',
	'gemini-2.5-flash',
	'gemini-2.5-pro',
	'gemini-3-flash',
	'gemini-3.1-flash-lite',
	'gemini-3.1-pro',
	'grok-3',
	'grok-3-mini',
	'grok-4',
	'DeepSeek-V3',
	'DeepSeek-R1',
	'Llama-4-Scout-17B-16E-Instruct',
	'Llama-4-Maverick-17B-128E-Instruct-FP8',
	'kimi-k2',
] as const;

/** Chat models of an earlier listing, never reconciled with the current one. Contract, same section. */
export const earlierChatModels = [
	'gpt-4-turbo',
	'gpt-4',
	'gpt-4.1',
	'gpt-4.1-mini',
	'gpt-4.1-nano',
	'o3-mini',
	'o3',
	'claude-opus-4-1',
	'claude-sonnet-4',
	'claude-opus-4',
	'claude-3-7-sonnet',
	'claude-3-5-sonnet',
	'claude-3-haiku',
	'claude-3-opus',
	'gemini-1.5-flash',
	'gemini-1.5-pro',
	'gemini-2.0-flash',
	'gemini-2.0-pro',
	'command-r',
	'command-r-plus',
	'command-a',
] as const;

/** Models that a chatbot may be set to. Contract, "AI model values", settings list. */
export const settingsModels = [
	'gpt-4o-mini',
	'gpt-oss-120b',
	'gpt-oss-20b',
	'gpt-5.2',
	'gpt-5.4-mini',
	'gpt-5.4-nano',
	'gpt-5.5',
	'gpt-5.6-terra',
	'gpt-5.6-luna',
	'gpt-5-mini',
	'gpt-5-nano',
	'claude-opus-4-8',
	'claude-opus-4-7',
	'claude-opus-4-6',
	'claude-sonnet-4-6',
	'claude-opus-4-5',
	'claude-haiku-4-5',
	'claude-sonnet-4-5',
	'gemini-2.5-pro',
	'gemini-3-flash',
	'gemini-3.1-flash-lite',
	'gemini-3.1-pro',
	'gemini-3.5-flash',
	'gemini-3.5-flash-lite',
	'gemini-3.6-flash',
	'grok-3',
	'grok-3-mini',
	'grok-4',
	'DeepSeek-V3',
	'DeepSeek-R1',
	'DeepSeek-V4-Flash',
	'Llama-4-Scout-17B-16E-Instruct',
	'Llama-4-Maverick-17B-128E-Instruct-FP8',
	'kimi-k2',
	'mistral-medium-3.5',
	'mistral-small-2603',
	'glm-5.2',
	'auto',
] as const;

// --- Shared pieces -----------------------------------------------------------------------------

const identifier = z.string().min(1, 'Required');

/** Integers arrive in a query as text. */
export const wholeNumber = (minimum: number, maximum = Number.MAX_SAFE_INTEGER) =>
	z
		.string()
		.regex(/^\d+$/, 'Expected an integer')
		.transform(Number)
		.refine((value) => value >= minimum, `Must be at least ${minimum}`)
		.refine((value) => value <= maximum, `Must be at most ${maximum}`);

/** A zero-padded day of the calendar. Public pages. */
const day = z.iso.date('Expected a date as YYYY-MM-DD');

/** ISO 8601 moment, as chatbots, conversations and leads carry it. Public pages. */
const moment = z.iso.datetime();

/** Contract, "Errors"; the public pages add `issues` for the contacts family. */
export const errorReply = z.looseObject({
	message: z.string(),
	issues: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
});

/** A response that only says what happened. Contract; public pages. */
export const messageReply = z.looseObject({ message: z.string() });

// --- Chat --------------------------------------------------------------------------------------

/** Contract, "Message"; the second role is from the public pages, which name no other. */
export const message = z.strictObject({
	role: z.enum(['user', 'assistant']),
	content: z.string(),
});

/** POST /chat. Contract. */
export const chatRequest = z.strictObject({
	chatbotId: identifier,
	messages: z.array(message),
	conversationId: z.string().optional(),
	contactId: z.string().optional(),
	model: z.enum([...chatModels, ...earlierChatModels]).optional(),
	temperature: z.number().min(0).max(1).optional(),
	stream: z.boolean().optional(),
});

/** Response of a chat that is not streamed. Contract. */
export const chatReply = z.looseObject({ text: z.string() });

// --- Chatbot settings --------------------------------------------------------------------------

/** The contract asks for a hex color and shows no pattern, so every usual spelling is legal. */
const hexColour = z
	.string()
	.regex(/^#?([0-9a-f]{3}|[0-9a-f]{4}|[0-9a-f]{6}|[0-9a-f]{8})$/i, 'Expected a hex color code');

/** Contract, "ChatbotStyles". */
export const chatbotStyles = z.strictObject({
	theme: z.enum(['light', 'dark']).optional(),
	buttonColor: hexColour.optional(),
	displayName: z.string().optional(),
	alignChatButton: z.enum(['left', 'right']).optional(),
	userMessageColor: hexColour.optional(),
	autoOpenChatWindowAfter: z.int().optional(),
});

const leadField = z.strictObject({ active: z.boolean().optional(), label: z.string().optional() });

/** Contract, "CollectLeadsSettings"; that a part of it may be sent: public pages. */
export const collectLeadsSettings = z.strictObject({
	title: z.string().optional(),
	name: leadField.optional(),
	email: leadField.optional(),
	phone: leadField.optional(),
});

/** POST /update-chatbot-settings. Contract, "Chatbot settings". */
export const settingsUpdateRequest = z.strictObject({
	chatbotId: identifier,
	name: z.string().optional(),
	instructions: z.string().optional(),
	initialMessages: z.array(z.string()).optional(),
	suggestedMessages: z.array(z.string()).optional(),
	visibility: z.enum(['public', 'private']).optional(),
	domains: z.array(z.string()).optional(),
	onlyAllowOnAddedDomains: z.boolean().optional(),
	ipLimit: z.int().optional(),
	ipLimitTimeframe: z.int().optional(),
	ipLimitMessage: z.string().optional(),
	model: z.enum(settingsModels).optional(),
	temp: z.number().min(0).max(1).optional(),
	styles: chatbotStyles.optional(),
	collectCustomerInformation: collectLeadsSettings.optional(),
});

// --- Contacts ----------------------------------------------------------------------------------

/** Contract, "Contact": the elements of `payment_accounts`. Which are required: not shown. */
export const paymentAccount = z.strictObject({
	label: z.string().optional(),
	payment_id: z.string().optional(),
	payment_email: z.string().optional(),
});

/** The name that Chatbase's pages give the same thing. Public pages. */
export const stripeAccount = z.strictObject({
	label: z.string().optional(),
	stripe_id: z.string().optional(),
	stripe_email: z.string().optional(),
});

/**
 * Fields of a contact that a client may write. Contract. Null clears a field: the contract is
 * silent, the public pages name it as the expected meaning.
 */
export const contactFields = z.strictObject({
	external_id: identifier.optional(),
	name: z.string().nullish(),
	email: z.string().nullish(),
	phonenumber: z.string().nullish(),
	payment_accounts: z.array(paymentAccount).nullish(),
	custom_attributes: z.record(z.string(), z.unknown()).nullish(),
});

/** The same fields for a service that knows Chatbase's name for payment accounts. */
export const contactFieldsWithStripe = contactFields
	.omit({ payment_accounts: true })
	.extend({ stripe_accounts: z.array(stripeAccount).nullish() });

/** GET /chatbots/{chatbotId}/contacts, query. Contract. */
export const contactListQuery = z.object({
	per_page: wholeNumber(10, 1000).optional(),
	page: wholeNumber(1).optional(),
});

/** PATCH /chatbots/{chatbotId}/contacts/{contactId}. Contract. */
export const contactUpdateRequest = z.strictObject({ data: contactFields });

/** POST /chatbots/{chatbotId}/contacts. Public pages. The external ID: required by Chatbase's import. */
export const contactCreateRequest = z.strictObject({
	users: z
		.array(contactFields.extend({ external_id: identifier }))
		.min(1)
		.max(1000),
});

/** A contact as it is returned. Contract, "Contact"; a field without a value may be null or absent. */
export const contact = z.looseObject({
	id: z.string(),
	external_id: z.string(),
	name: z.string().nullish(),
	email: z.string().nullish(),
	phonenumber: z.string().nullish(),
	payment_accounts: z.array(z.looseObject(paymentAccount.shape)).optional(),
	stripe_accounts: z.array(z.looseObject(stripeAccount.shape)).optional(),
	custom_attributes: z.record(z.string(), z.unknown()).optional(),
	created_at: z.int(),
	updated_at: z.int(),
});

/** Response of the contact list. Contract. */
export const contactListReply = z.looseObject({
	message: z.string(),
	data: z.array(contact),
	total: z.int(),
	pages: z.looseObject({ page: z.int(), per_page: z.int(), total_pages: z.int() }),
});

/** Response that holds one contact: read, updated or deleted. Contract. */
export const contactReply = z.looseObject({ message: z.string(), data: contact });

/** Response of a creation, in both documented shapes. Public pages. */
export const contactCreateReply = z.looseObject({
	message: z.string(),
	data: z.union([z.array(contact), z.looseObject({ created: z.array(contact) })]),
});

// --- Custom attributes -------------------------------------------------------------------------

/** Contract, "Custom attribute". */
export const customAttributeName = z
	.string()
	.regex(
		/^[a-zA-Z][a-zA-Z0-9_-]*$/,
		'Must start with a letter and hold only letters, digits, underscores and hyphens',
	);

/** Contract, "Custom attribute". */
export const attributeTypes = ['text', 'number', 'boolean', 'date'] as const;

/** POST /chatbots/{chatbotId}/custom-attributes. Contract. */
export const customAttributeCreateRequest = z.strictObject({
	name: customAttributeName,
	type: z.enum(attributeTypes),
	label: z.string().optional(),
	description: z.string().optional(),
	archived: z.boolean().optional(),
});

/** PUT /chatbots/{chatbotId}/custom-attributes/{name}. Public pages. */
export const customAttributeUpdateRequest = z.strictObject({
	label: z.string().optional(),
	description: z.string().optional(),
	archived: z.boolean().optional(),
});

/** A custom attribute as it is returned. Contract. */
export const customAttribute = z.looseObject({
	name: z.string(),
	label: z.string().nullish(),
	type: z.enum(attributeTypes),
	description: z.string().nullish(),
	archived: z.boolean(),
});

/** Response that holds one attribute. Contract. */
export const customAttributeReply = z.looseObject({ message: z.string(), data: customAttribute });

/** Response of the attribute list. Public pages. */
export const customAttributeListReply = z.looseObject({
	message: z.string(),
	data: z.array(customAttribute),
});

// --- Chatbots ----------------------------------------------------------------------------------

/** POST /create-chatbot. Public pages. */
export const chatbotCreateRequest = z.strictObject({
	chatbotName: z.string().min(3),
	sourceText: z.string().optional(),
});

/** POST /update-chatbot-data. Public pages. */
export const chatbotDataUpdateRequest = z.strictObject({
	chatbotId: identifier,
	chatbotName: z.string().min(3),
	sourceText: z.string().optional(),
});

/** Response of both. Public pages. */
export const chatbotIdReply = z.looseObject({ chatbotId: z.string() });

/** A query that names a chatbot and nothing else. Public pages. */
export const chatbotQuery = z.object({ chatbotId: identifier });

/** Response of GET /get-chatbots. Public pages. */
export const chatbotListReply = z.looseObject({
	chatbots: z.array(
		z.looseObject({
			id: z.string(),
			name: z.string(),
			model: z.string(),
			instructions: z.string(),
			status: z.enum(['training', 'ready', 'failed']),
			visibility: z.enum(['public', 'private']),
			created_at: moment,
			updated_at: moment,
		}),
	),
});

/** A chatbot as running clients meet it. Public pages: many nulls, further statuses, a number for an ID. */
export const chatbotOfClients = z.looseObject({
	id: z.union([z.string(), z.int()]),
	name: z.string(),
	model: z.string().nullish(),
	instructions: z.string().nullish(),
	status: z
		.enum(['training', 'ready', 'failed', 'trained', 'oneFailed', 'limitExceeded'])
		.nullish(),
	visibility: z.enum(['public', 'private']).nullish(),
	styles: z.looseObject({}).nullish(),
	created_at: moment.nullish(),
	updated_at: moment.nullish(),
});

/** Response of GET /get-chatbots as running clients read it. Public pages. */
export const chatbotListReplyOfClients = z.looseObject({
	chatbots: z.looseObject({ data: z.array(chatbotOfClients), error: z.null() }),
});

// --- Conversations and leads -------------------------------------------------------------------

/** GET /get-conversations, query. Public pages; the largest size is the guide's. */
export const conversationListQuery = z.object({
	chatbotId: identifier,
	filteredSources: z.string().optional(),
	startDate: day.optional(),
	endDate: day.optional(),
	page: wholeNumber(1).optional(),
	size: wholeNumber(1).optional(),
});

/** Response of GET /get-conversations. Public pages. */
export const conversationListReply = z.looseObject({
	data: z.array(
		z.looseObject({
			id: z.string(),
			created_at: moment,
			updated_at: moment.optional(),
			last_message_at: moment.optional(),
			source: z.string(),
			messages: z.array(z.looseObject({ role: z.string(), content: z.string() })),
		}),
	),
});

/** The same with what running clients read beside the reference's fields. Public pages. */
export const conversationListReplyOfClients = z.looseObject({
	data: z.array(
		z.looseObject({
			id: z.string(),
			created_at: moment,
			last_message_at: moment,
			source: z.string(),
			form_submission: z
				.looseObject({ name: z.string().nullish(), phone: z.string().nullish() })
				.nullish(),
			messages: z.array(
				z.looseObject({
					role: z.string(),
					content: z.string(),
					createdAt: moment.optional(),
					score: z.number().nullish(),
					source: z.string().nullish(),
				}),
			),
		}),
	),
});

/** GET /get-leads, query. Public pages. */
export const leadListQuery = conversationListQuery.omit({ filteredSources: true });

/**
 * A lead. That it names its conversation is in no page: `drex640113/chatbase-lead-notifier` read the field
 * (@2ac3829), dropped it as missing (@a42bc1c), and takes it from the webhook's post since. Public pages.
 */
const lead = z.looseObject({
	id: z.union([z.string(), z.int()]),
	created_at: moment,
	conversationId: z.string().optional(),
});

/** Response of GET /get-leads, in its three reported shapes. Public pages. */
export const leadListReply = z.union([
	z.looseObject({ collectedCustomers: z.array(lead) }),
	z.looseObject({ collectedCustomers: z.looseObject({ data: z.array(lead) }) }),
	z.looseObject({ data: z.array(lead) }),
]);

// --- Images ------------------------------------------------------------------------------------

const imageFile = z.looseObject({ filename: z.string(), size: z.int().min(1) });

/** POST /upload-chatbot-icon, multipart parts. Public pages. */
export const iconUpload = z.strictObject({ chatbotId: identifier, chatbotIconFile: imageFile });

/** POST /upload-chatbot-profile-picture, multipart parts. Public pages. */
export const profilePictureUpload = z.strictObject({
	chatbotId: identifier,
	profilePictureFile: imageFile,
});
