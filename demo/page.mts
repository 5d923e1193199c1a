import fastify from 'fastify';
import { type ParsedMail } from 'mailparser';
import { createHmac } from 'node:crypto';

import { type Crm } from '../lab/crm.mjs';
import { type Mailbox } from '../lab/mailbox.mjs';

/** A page in the browser that shows what the workflows of the demo have sent. */
export interface Page {
	address: string;
	close(): Promise<void>;
}

/** The secret that signs posted leads. */
export const webhookSecret = 'only-for-this-demo';

interface Senders {
	mailbox: Mailbox;
	crm: Crm;
	/** Receives a lead, as Chatbase posts it. */
	webhook: string;
	/** Makes a lead of the chatbot, as a visitor does who fills in its form. */
	addLead(lead: NewLead): void;
}

interface NewLead {
	name: string;
	email: string;
}

/** Shows emails and the leads of the CRM, and makes a lead when its link is clicked. */
export async function startPage({ mailbox, crm, webhook, addLead }: Senders): Promise<Page> {
	const server = fastify({ forceCloseConnections: true });
	const html = 'text/html; charset=utf-8';
	server.get('/', (_, reply) => reply.type(html).send(overview(mailbox.mails, crm.leads)));
	server.get<{ Params: { mail: string } }>('/emails/:mail', ({ params }, reply) => {
		const mail = mailbox.mails[Number(params.mail)]!;
		return reply.type(html).send(mail.html || `<pre>${escaped(mail.text ?? '')}</pre>`);
	});
	server.get<{ Params: { mail: string; file: string } }>(
		'/emails/:mail/:file',
		(request, reply) => {
			const { mail, file } = request.params;
			const { content, contentType, filename } =
				mailbox.mails[Number(mail)]!.attachments[Number(file)]!;
			return reply
				.type(contentType)
				.header('content-disposition', `attachment; filename="${filename}"`)
				.send(content);
		},
	);
	let leads = 0;
	server.get('/lead', async (_, reply) => {
		leads += 1;
		const lead = { name: `Ada Lovelace ${leads}`, email: `ada.${leads}@example.com` };
		addLead(lead);
		const posted = await postLead(webhook, lead);
		return reply.type(html).send(`<p>${lead.name} is a new lead.</p>
<p>New lead to CRM, if it is published, finds it within a minute.</p>
<p>New lead by webhook: ${posted}</p>${link('/', 'Back')}`);
	});
	const address = await server.listen({ host: '127.0.0.1', port: 0 });
	return { address, close: async () => await server.close() };
}

function overview(mails: ParsedMail[], leads: object[]): string {
	const rows = mails.map(({ subject = '', attachments }, mail) => {
		const files = attachments.map(({ filename }, file) =>
			link(`/emails/${mail}/${file}`, filename ?? 'file'),
		);
		return `<li>${[link(`/emails/${mail}`, subject), ...files].join(', ')}</li>`;
	});
	return `<title>Sent by workflows</title><body style="font-family: sans-serif">
<h1>Emails</h1><ol>${rows.join('')}</ol>
<h1>Leads in the CRM</h1><pre>${escaped(leads.map((lead) => JSON.stringify(lead, null, 2)).join('\n'))}</pre>
<p>${link('/lead', 'Make a new lead')}: the trigger finds it, and it is posted to New lead by webhook</p>
<p>${link('/', 'Reload')}</p>`;
}

async function postLead(webhook: string, { name, email }: NewLead): Promise<string> {
	const payload = { customerName: name, customerEmail: email };
	const body = JSON.stringify({ eventType: 'leads.submit', chatbotId: 'support-bot', payload });
	const signature = createHmac('sha1', webhookSecret).update(body).digest('hex');
	const headers = { 'content-type': 'application/json', 'x-chatbase-signature': signature };
	const { status } = await fetch(webhook, { method: 'POST', headers, body });
	if (status === 404) return 'n8n answered 404. Publish this workflow first.';
	return `n8n answered ${status}. The executions of the workflow show the lead.`;
}

function link(address: string, text: string): string {
	return `<a href="${address}">${escaped(text)}</a>`;
}

function escaped(text: string): string {
	return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
