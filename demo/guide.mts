import { supportBot } from '../lab/stage.mjs';
import { credentialText, formLogin, headers, visitorId, type Stage } from './stage.mjs';

/** What a click on Execute Workflow does, for each example that needs nothing before. */
export const executable: Record<string, string> = {
	'Nightly contact sync': 'reads 9,998 customers; all are contacts already',
	'Contacts from a spreadsheet': 'four rows: three contacts, and a file with the row that fails',
	'Mirror a CRM': 'marks two contacts that are missing from the CRM, and emails a summary',
	'Mirror with approval': 'emails you before it deletes them: approve or decline',
	'Conversations of the week': 'emails a file with the conversations of last week',
	'Escalations to the team': 'emails an escalated conversation, and creates a ticket',
	'New lead to CRM': 'adds three leads with their transcripts to the CRM',
	'Knowledge from your documents': 'sends 200 documents',
	'Knowledge from a folder': 'downloads four files and sends them; a second time, sends none',
	'Questions without a good answer': 'emails the questions whose answers got a thumb down',
	'Check the answers': 'asks the questions of a data table, which is empty at first',
};

const order = { id: '1042', name: 'Jane', phone: '+1 415 555 2671', day: 'Friday' };

const question = { message: 'Where is order 1042?', customer: visitorId };

/** Says where the demo is left: an editor with examples to execute, and a page with what they send. */
export function printGuide({ n8n, owner, page, service, website }: Stage): void {
	const { action, app, chat, shop } = headers;
	const token = headers.website;
	const { agent, conversations } = service.store.chatbot(supportBot.id);
	const [{ members }] = agent.teams;
	const [{ id: conversationId }] = conversations;
	const rating = { conversationId, messageId: `${conversationId}-2`, rating: 'negative' };
	const examples = Object.entries(executable).map(
		([name, what]) => `  ${name.padEnd(31)}  ${what}`,
	);
	console.log(`
The editor is open at ${n8n.baseUrl}
  Email     ${owner.email}
  Password  ${owner.password}
Emails and leads that the workflows send are at ${page.address}
A simulated shop with the chatbot on its page is at ${website.address}
  Sign in as a customer and ask for the order. Execute Knowledge from a folder, and ask when the shop is open.

Credential and chatbot are chosen in every example. Open one and execute it:
${examples.join('\n')}
Open the chat of these and send several messages:
  Chat with history
  Chat that remembers
Publish these first:
  New lead to CRM                then make a new lead at ${page.address}, and wait a minute
  New lead by webhook            then make a new lead at ${page.address}
  Answer incoming questions      then: curl -H "${app.name}: ${app.value}" -d "question=Do you ship?" ${n8n.baseUrl}/webhook/ask-chatbot
  A chatbot for each customer    then fill in ${n8n.baseUrl}/form/new-customer as ${formLogin.user}, with the password ${formLogin.password}
  Order updates by WhatsApp      then: curl -H "${shop.name}: ${shop.value}" --json '${JSON.stringify({ orders: [order] })}' ${n8n.baseUrl}/webhook/order-updates
  Chat that looks up orders      then: curl -H "${shop.name}: ${shop.value}" --json '${JSON.stringify(question)}' ${n8n.baseUrl}/webhook/chat-about-orders
  Ratings from your chat         then: curl -H "${chat.name}: ${chat.value}" --json '${JSON.stringify(rating)}' ${n8n.baseUrl}/webhook/rate-answer
These are published:
  Recognize the customer         curl -H "${token.name}: ${token.value}" -d "user_id=${visitorId}" ${n8n.baseUrl}/webhook/chatbot-token
  Order status for the chatbot   curl -H "${action.name}: ${action.value}" --json '${JSON.stringify({ order: '1042', customer: visitorId })}' ${n8n.baseUrl}/webhook/order-status
This one needs an API key of OpenAI:
  Agent that knows the customer

Ticket: Reply accepts these team members as Author: ${members.map(({ email }) => email).join(', ')}

To create a credential of your own, enter
${credentialText({ service })}
Ctrl+C ends everything.`);
}
