import type { IDataObject } from 'n8n-workflow';

import { cursorPages } from '../../api/paginate';
import { chatbotField } from '../../chatbots/chatbots';
import { readComplete } from '../../execution/lists';
import { optionsField } from '../../panel/collections';
import { optionalField } from '../../panel/field';
import { maxConcurrencyOption } from '../../panel/maxConcurrency';
import { operation } from '../../panel/operation';
import { readOutput } from '../../panel/output';
import { boolean } from '../../panel/types';
import { asObjects, objectIn } from '../../values/json';
import { textIn, unescapeHtml } from '../../values/text';
import { nameIn, transcriptOf } from '../conversation/conversations';
import {
	maxTicketsPerPage,
	readTicket,
	simplifiedTicket,
	ticketField,
	ticketOutputFieldsWith,
	ticketPath,
} from './tickets';

const messagesOption = optionalField('options.messages', 'Include Messages', boolean, {
	description:
		'Whether to add the replies and notes, and the field transcript: all of them as one text, with author and time of each (in the time zone of the workflow)',
	default: true,
});

export const get = operation({
	value: 'get',
	description: 'Read one ticket of the helpdesk by its number. May need a higher plan.',
	request: { method: 'GET', path: ticketPath, resource: 'agentTicket' },
	maxConcurrency: maxConcurrencyOption,
	fields: [
		chatbotField,
		ticketField,
		...ticketOutputFieldsWith('transcript'),
		optionsField([maxConcurrencyOption, messagesOption]),
	],

	read: (item) => ({
		name: ticketField.read(item),
		hasMessages: messagesOption.read(item) ?? item.isTool,
		output: readOutput(item, [...simplifiedTicket, 'messages', 'transcript']),
	}),

	async send({ item, params, api }) {
		const { name, hasMessages, output } = params;
		const ticket = await readTicket(api, name);
		if (!hasMessages) return [output(ticket)];

		const path = `${ticketPath}/messages`;
		const list = {
			...item.request,
			path,
			params: name,
			query: { limit: maxTicketsPerPage },
		};
		const messages = await readComplete(item, 'messages', cursorPages(api, list));
		const transcript = transcriptOf(messages.map(asSpoken), item.timeZone, nameSender);
		return [output({ ...ticket, ...(!item.isTool && { messages }), transcript })];
	},
});

/** A message in the form that transcripts of conversations use. */
function asSpoken(message: IDataObject) {
	const { sender, type, content, contentText, attachments, createdAt } = message;
	const person = objectIn(sender);
	const role = type === 'reply' ? person.type : type;
	const hasAttachment = Boolean(asObjects(attachments)?.length);
	return {
		name: nameIn(person.name) || nameIn(person.email),
		role: nameIn(role),
		content: contentText ?? textOfHtml(content),
		type: hasAttachment ? 'attachment' : type,
		createdAt,
	};
}

/** The name for a transcript, such as `Ada (agent)`, or `Ada (note)` for a note that only the team can read. */
function nameSender({ name, role }: IDataObject): string {
	const known = textIn(name) || 'Unknown';
	if (!role) return known;
	return `${known} (${textIn(role)})`;
}

/** The text of HTML. The time of each pattern grows only with the length, since a stranger may have written the HTML. */
export function textOfHtml(html: unknown): string {
	const text = String(html ?? '')
		// The content of these elements is never shown.
		.replace(/<(style|script)\b[^<>]*>[^]*?(?:<\/\1\s*>|$)/gi, '')
		// These tags end a line.
		.replace(/<(?:br|\/(?:p|div|li|tr))\b[^<>]*>/gi, '\n')
		.replace(/<[^<>]*>/g, '');

	const plain = text
		.replaceAll('&nbsp;', ' ')
		.replaceAll('&quot;', '"')
		.replaceAll('&#39;', "'");
	return unescapeHtml(plain).trim();
}
