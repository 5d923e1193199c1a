import { type Resource, resource } from '../panel/operation';
import { send as sendMessage } from './chat/send';
import { sendToolResult } from './chat/sendToolResult';
import { sendWithMemory } from './chat/sendWithMemory';
import { clone as cloneChatbot } from './chatbot/clone';
import { create as createChatbot } from './chatbot/create';
import { deleteChatbot, deleteIcon, deleteProfilePicture } from './chatbot/delete';
import { get as getChatbot } from './chatbot/get';
import { getAll as getChatbots } from './chatbot/getAll';
import { update as updateChatbot } from './chatbot/update';
import { uploadIcon, uploadProfilePicture } from './chatbot/uploadPicture';
import { update as updateSettings } from './chatbotSettings/update';
import { create as createContact } from './contact/create';
import { deleteContact } from './contact/delete';
import { get as getContact } from './contact/get';
import { getAll as getContacts } from './contact/getAll';
import { mirror as mirrorContacts } from './contact/mirror';
import { update as updateContact } from './contact/update';
import { upsert as upsertContact } from './contact/upsert';
import { exportConversations } from './conversation/export';
import { get as getConversation } from './conversation/get';
import { getAll as getConversations } from './conversation/getAll';
import { pause, resume } from './conversation/pauseAndResume';
import { rate } from './conversation/rate';
import { search as searchConversations } from './conversation/search';
import { create as createAttribute } from './customAttribute/create';
import { getAll as getAttributes } from './customAttribute/getAll';
import { update as updateAttribute } from './customAttribute/update';
import { getAll as getLeads } from './lead/getAll';
import { create as createSource } from './source/create';
import { deleteSource } from './source/delete';
import { get as getSource } from './source/get';
import { getAll as getSources } from './source/getAll';
import { mirror as mirrorSources } from './source/mirror';
import { update as updateSource } from './source/update';
import { upsert as upsertSource } from './source/upsert';
import { create as createTicket } from './ticket/create';
import { get as getTicket } from './ticket/get';
import { getAll as getTickets } from './ticket/getAll';
import { reply as replyToTicket } from './ticket/reply';
import { search as searchTickets } from './ticket/search';
import { update as updateTicket } from './ticket/update';
import { getAll as getTemplates } from './whatsAppTemplate/getAll';
import { send as sendTemplate } from './whatsAppTemplate/send';

/** What the node offers, in the order of its panel: each resource with its first choice and its operations. */
export const resources: Resource[] = [
	resource('chat', 'sendWithMemory', [sendWithMemory, sendMessage, sendToolResult]),
	resource('chatbot', 'getAll', [
		cloneChatbot,
		createChatbot,
		deleteChatbot,
		deleteIcon,
		deleteProfilePicture,
		getChatbot,
		getChatbots,
		updateChatbot,
		uploadIcon,
		uploadProfilePicture,
	]),
	resource('chatbotSettings', 'update', [updateSettings]),
	resource('contact', 'get', [
		createContact,
		upsertContact,
		deleteContact,
		getContact,
		getContacts,
		mirrorContacts,
		updateContact,
	]),
	resource('conversation', 'getAll', [
		exportConversations,
		getConversation,
		getConversations,
		pause,
		rate,
		resume,
		searchConversations,
	]),
	resource('customAttribute', 'getAll', [
		createAttribute,
		getAttributes,
		updateAttribute,
	]),
	resource('lead', 'getAll', [getLeads]),
	resource('source', 'getAll', [
		createSource,
		upsertSource,
		deleteSource,
		getSource,
		getSources,
		mirrorSources,
		updateSource,
	]),
	resource('ticket', 'getAll', [
		createTicket,
		getTicket,
		getTickets,
		replyToTicket,
		searchTickets,
		updateTicket,
	]),
	resource(
		'whatsAppTemplate',
		'getAll',
		[getTemplates, sendTemplate],
		'WhatsApp Template',
	),
];
