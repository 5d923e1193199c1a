/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
/** The output schemas, which the editor shows before a node has run. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import { Chatbase } from '../../nodes/Chatbase/Chatbase.node';
import { operationsOf } from '../documents/operations';
import { contract, contractV2 } from '../../service';

/** As much of JSON Schema as n8n's editor reads. */
interface Schema {
	type: string | string[];
	properties?: Record<string, Schema>;
	items?: Schema;
}

const folder = join(__dirname, '../../nodes/Chatbase/__schema__/v1.0.0');
const shipped = readdirSync(folder, { recursive: true, encoding: 'utf8' })
	.filter((file) => file.endsWith('.json'))
	.map((file) => file.replace('.json', ''));
const operations = operationsOf(new Chatbase().description.properties).map(
	({ resource, operation }) => `${resource}/${operation}`,
);

const deleted = z.object({ deleted: z.boolean() });
const said = contract.messageReply.extend({ chatbotId: z.string() });
/** The contract's record, with the fields that running code reports (public pages). */
const chatbot = contract.chatbotListReply.shape.chatbots.element.extend({
	last_message_at: z.string().nullish(),
	last_trained_at: z.string().nullish(),
});
/** What it has besides with Include Usage. */
const usage = contractV2.agent.pick({ creditsUsed: true, creditLimit: true, lastMessageAt: true });
const message = contractV2.chatReply.shape.data.shape;
const conversation = contract.conversationListReply.shape.data.element.extend({
	chatbot_id: z.string().optional(),
	country: z.string().nullish(),
	customer: z.string().nullish(),
	messages: z.array(contract.message.extend({ id: z.string().optional(), type: z.string() })),
	transcript: z.string().optional(),
});
const exported = contractV2.exportConversation.extend({ transcript: z.string().optional() });
const lead = z.object({
	id: z.union([z.string(), z.int()]),
	chatbot_id: z.string(),
	name: z.string().nullish(),
	email: z.string().nullish(),
	phone: z.string().nullish(),
	created_at: z.string(),
});
const synced = contract.contact.extend({
	_sync: z.object({
		action: z.string(),
		before: contract.contact
			.pick({ external_id: true, name: true, email: true, phonenumber: true })
			.partial(),
		changed: z.array(z.string()),
		dropped: z.array(z.string()),
		kept: z.array(z.string()).optional(),
	}),
});

const mirroredSource = contractV2.source.extend({
	_sync: synced.shape._sync.omit({ before: true, kept: true }),
});

/** The fields of an output item, by the contract. */
const outputs: Record<string, z.ZodType> = {
	'chat/send': contract.chatReply.extend({ conversationId: z.string().optional() }),
	'chat/sendWithMemory': z.object({
		...message.metadata.pick({ conversationId: true, userId: true, finishReason: true }).shape,
		text: z.string(),
		messageId: message.id,
		credits: message.metadata.shape.usage.shape.credits,
		parts: message.parts,
		startedNew: z.boolean().optional(),
		previousConversationId: z.string().optional(),
	}),
	'chatbot/clone': z.object({
		chatbotId: z.string(),
		name: z.string().nullable(),
		clonedFrom: z.string(),
		pendingSteps: z.array(z.string()),
	}),
	'chatbot/create': contract.chatbotIdReply,
	'chatbot/delete': deleted,
	'chatbot/deleteIcon': deleted,
	'chatbot/deleteProfilePicture': deleted,
	'chatbot/get': chatbot.extend({ usage: usage.optional() }),
	'chatbot/getAll': chatbot,
	'chatbot/update': contract.chatbotIdReply,
	'chatbot/uploadIcon': said,
	'chatbot/uploadProfilePicture': said,
	'chatbotSettings/update': said.extend({ updatedFields: z.array(z.string()) }),
	'contact/create': contract.contact,
	'contact/delete': deleted.extend({ contact: contract.contact.optional() }),
	'contact/get': contract.contact,
	'contact/getAll': contract.contact,
	'contact/mirror': synced,
	'contact/update': synced,
	'contact/upsert': synced,
	'conversation/export': exported,
	'conversation/get': exported,
	'conversation/getAll': conversation,
	'conversation/pause': contractV2.stateReply.shape.data,
	'conversation/rate': contractV2.exportMessage,
	'conversation/resume': contractV2.stateReply.shape.data,
	'conversation/search': contractV2.foundConversation.extend({
		transcript: z.string().nullish(),
	}),
	'customAttribute/create': contract.customAttribute,
	'customAttribute/getAll': contract.customAttribute,
	'customAttribute/update': contract.customAttribute,
	'lead/getAll': lead,
	'source/create': contractV2.source,
	'source/delete': deleted.extend({ source: contractV2.deletedSource.optional() }),
	'source/get': contractV2.source,
	'source/getAll': contractV2.source,
	'source/mirror': mirroredSource,
	'source/update': contractV2.source,
	'source/upsert': mirroredSource,
	'ticket/create': contractV2.ticket,
	'ticket/get': contractV2.ticket.extend({
		messages: z.array(contractV2.ticketMessage.omit({ metadata: true })).optional(),
		transcript: z.string().optional(),
	}),
	'ticket/getAll': contractV2.listedTicket,
	'ticket/reply': contractV2.createdTicketMessage,
	'ticket/search': contractV2.listedTicket,
	'ticket/update': contractV2.ticket,
	'whatsAppTemplate/getAll': contractV2.whatsappTemplate.extend({
		text: z.string(),
		isSendable: z.boolean(),
		senders: contractV2.templatesReply.shape.senders,
	}),
	'whatsAppTemplate/send': contractV2.whatsappSent.extend({
		status: z.string(),
		template: z.string(),
		language: z.string().optional(),
		text: z.string().optional(),
	}),
};

it('exist for exactly the operations', () => {
	expect([...shipped].sort()).toEqual([...operations].sort());
});

it('are each compared with the contract', () => {
	expect(Object.keys(outputs).sort()).toEqual([...operations].sort());
});

describe.each(shipped)('%s', (name) => {
	const schema = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Schema;

	it('describes every value of an object of version 1', () => {
		expect(schema).toMatchObject({ type: 'object', version: 1 });
		expect(Object.keys(schema.properties ?? {})).not.toEqual([]);
		for (const part of partsOf(schema)) {
			const [type] = [part.type].flat();
			expect(['array', 'boolean', 'integer', 'number', 'object', 'string']).toContain(type);
			expect('items' in part).toBe(type === 'array');
			expect('properties' in part).toBe(type === 'object');
		}
	});

	it('equals the contract', () => {
		const promised = z.toJSONSchema(outputs[name], { unrepresentable: 'any' });
		expect(differences(schema, promised as JsonSchema, '')).toEqual([]);
	});
});

function partsOf(schema: Schema): Schema[] {
	const inner = [
		...Object.values(schema.properties ?? {}),
		...(schema.items ? [schema.items] : []),
	];
	return [schema, ...inner.flatMap(partsOf)];
}

interface JsonSchema {
	type?: string | string[];
	anyOf?: JsonSchema[];
	oneOf?: JsonSchema[];
	properties?: Record<string, JsonSchema>;
	required?: string[];
	items?: JsonSchema;
}

/** Each value must be one that the contract allows, and nothing that it always returns may be missing. */
function differences(schema: Schema, promised: JsonSchema, path: string): string[] {
	const allowed = promised.anyOf ?? promised.oneOf ?? [promised];
	const wrong = kindsOf(schema).filter((kind) => !allowed.flatMap(kindsOf).includes(kind));
	if (wrong.length > 0) return wrong.map((kind) => `${path}: never ${kind}`);
	const [kind] = kindsOf(schema);
	const { properties, required = [], items } = allowed.find((one) => kindsOf(one).includes(kind))!;
	if (schema.items && items) return differences(schema.items, items, `${path}[]`);
	// A map from any name to a value promises no names.
	if (!schema.properties || !properties) return [];
	const shown = schema.properties;
	return [
		...required.filter((name) => !(name in shown)).map((name) => `${path}.${name}: missing`),
		...Object.entries(shown).flatMap(([name, part]) =>
			name in properties
				? differences(part, properties[name], `${path}.${name}`)
				: [`${path}.${name}: not in the contract`],
		),
	];
}

function kindsOf({ type = [] }: { type?: string | string[] }): string[] {
	return [type].flat().map((kind) => (kind === 'integer' ? 'number' : kind));
}
