import { Api, type Credential, type StoredWorkflow } from '../lab/api.mjs';
import { HelpfulError, type Report } from '../lab/help.mjs';
import { type N8n, startN8n } from '../lab/instance.mjs';
import { buildNode, installNode } from '../lab/package.mjs';
import { ensureRuntime } from '../lab/runtime.mjs';
import { owner } from '../lab/session.mjs';
import {
	chooseChatbot,
	chooseTemplate,
	enterAddresses,
	fillIn,
	readExamples,
} from '../lab/workflow.mjs';
import { addDemoData, orderTemplate } from '../service/core/demoData.js';
import { startService, type SimulatedService } from '../service/index.js';
import { type Crm, type Customer, customersFrom, type Order, startCrm } from '../lab/crm.mjs';
import { orderLookup } from '../lab/orderLookup.mjs';
import { type Library, startLibrary } from '../lab/library.mjs';
import { Mailbox } from '../lab/mailbox.mjs';
import { reply } from './answers.mjs';
import { startPage, webhookSecret, type Page } from './page.mjs';
import { askForToken, startWebsite, type Shopper, type Webhook, type Website } from './website.mjs';

export const contactCount = 10_000;
export const changedCount = 100;
export const documentCount = 200;
export const chatbotId = 'support-bot';
export const nightlySync = 'Nightly contact sync';
export const mirror = 'Mirror a CRM';
export const approvedMirror = 'Mirror with approval';
/** A chatbot without contacts, which the mirrors fill. It asks for orders by a client-side action. */
export const mirrorId = 'sales-bot';
export const knowledge = 'Knowledge from your documents';
export const recognition = 'Recognize the customer';
export const orderStatus = 'Order status for the chatbot';
const orderUpdates = 'Order updates by WhatsApp';
const postedQuestions = 'Answer incoming questions';
const ratings = 'Ratings from your chat';
const orderChat = 'Chat that looks up orders';
export const questions = 'Questions without a good answer';

/** The orders of the customers who can sign in on the website. */
const orders: Order[] = [
	{ number: '1042', customer: 'customer-000001', status: 'on its way', arrives: '2026-11-27' },
	{ number: '1043', customer: 'customer-000002', status: 'in the warehouse' },
	{ number: '1044', customer: 'customer-000003', status: 'delivered' },
];

/** The customer who asks for an order in the story. */
export const visitorId = orders[0]!.customer;

/** The secret headers of the webhooks, by who calls them. */
export const headers = {
	website: { name: 'x-website', value: 'only-the-website-knows' },
	action: { name: 'x-chatbot', value: 'only-the-chatbot-knows' },
	app: { name: 'x-app', value: 'only-the-app-knows' },
	chat: { name: 'x-chat', value: 'only-the-chat-server-knows' },
	shop: { name: 'x-shop', value: 'only-the-shop-knows' },
};

/** Who calls the webhook of an example. */
const callers: Record<string, keyof typeof headers> = {
	[recognition]: 'website',
	[orderStatus]: 'action',
	[postedQuestions]: 'app',
	[ratings]: 'chat',
	[orderUpdates]: 'shop',
	[orderChat]: 'shop',
};

/** What the team enters to open the form of *A chatbot for each customer*. */
export const formLogin = { user: 'team', password: 'only-the-team-knows' };

/** Everything that the demo runs on. */
export interface Stage {
	service: SimulatedService;
	crm: Crm;
	customers: Customer[];
	library: Library;
	mailbox: Mailbox;
	page: Page;
	website: Website;
	n8n: N8n;
	api: Api;
	owner: typeof owner;
	credential: Credential;
	workflows: StoredWorkflow[];
	/** Ends everything and deletes its files. */
	close(): Promise<void>;
}

/** What a newcomer enters to create a credential for the simulated service. */
export function credentialText({ service }: Pick<Stage, 'service'>): string {
	return `  API Key   ${service.apiKey}\n  Base URL  ${service.baseUrl}`;
}

/** The imported example of a name. */
export function workflowOf({ workflows }: Stage, name: string): StoredWorkflow {
	const workflow = workflows.find((one) => one.name === name);
	if (!workflow) throw new HelpfulError(`The examples have no workflow "${name}".`);
	return workflow;
}

/** Installs and starts everything, and says what it is doing. */
export async function setTheStage(port: number | undefined): Promise<Stage> {
	const stage = { owner, close: async () => await end(stage) } as Stage;
	const contacts = contactCount.toLocaleString('en');
	try {
		await step('Install n8n (a few minutes the first time, 2.4 GB)', ensureRuntime);
		await step('Build the node', buildNode);
		const simulations = `a simulated Chatbase with ${contacts} contacts, a simulated CRM, and documents`;
		await step(`Start ${simulations}`, async () => await startSimulations(stage));
		await step('Start n8n with the packed node', async (report) => {
			stage.n8n = await startN8n({ port, prepare: installNode, report });
		});
		await step('Save the credential and import the examples', async () => await furnish(stage));
		return stage;
	} catch (error) {
		await stage.close();
		throw error;
	}
}

/** A line for the step, and one every 15 seconds while it works. */
async function step(title: string, task: (report: Report) => Promise<unknown>): Promise<void> {
	console.log(title);
	let last = Date.now();
	await task((line) => {
		if (line.trim() === '' || Date.now() - last < 15_000) return;
		last = Date.now();
		console.log(`  ${line.trim()}`);
	});
}

async function startSimulations(stage: Stage): Promise<void> {
	stage.service = await startService({ delayMs: 25, reply, allowsLocalActions: true });
	stage.service.behaviour.leadConversation = 'named';
	addDemoData(stage.service.store, contactCount);
	stage.service.store.chatbot(mirrorId).clientActions.push(orderLookup);
	const { contacts } = stage.service.store.chatbot(chatbotId);
	stage.customers = customersFrom(contacts, contactCount / changedCount);
	stage.crm = await startCrm(stage.customers);
	stage.crm.orders = orders;
	stage.library = await startLibrary(documentCount, {
		'Delivery.txt': 'A parcel takes three to five days, also to Norway.',
		'Opening hours.md': '# Opening hours\n\nFrom 9 to 5, except on Sundays.',
		'Prices.csv': 'parcel,price\nsmall,4\nlarge,7',
		'Returns.txt': 'You can return a parcel within 30 days.',
	});
	stage.mailbox = await Mailbox.open();
}

/** What a user does once: sign up, save the key, import workflows and choose a chatbot in them. */
async function furnish(stage: Stage): Promise<void> {
	const { service, crm, library, mailbox, n8n } = stage;
	const api = new Api(n8n.baseUrl);
	await api.session.setUpOwner();
	const credential = await api.createCredential('chatbaseV1Api', 'Simulated service', {
		apiKey: service.apiKey,
		baseUrl: service.baseUrl,
	});
	const smtp = await api.createCredential('smtp', 'Mailbox of the demo', mailbox.credentialData);
	const secret = { hmacSecret: webhookSecret };
	const crypto = await api.createCredential('crypto', 'Secret of the webhook', secret);
	const basic = await api.createCredential('httpBasicAuth', 'Team', formLogin);
	const secretHeaders = new Map<string | undefined, Credential>();
	for (const [caller, header] of Object.entries(headers)) {
		const name = `Header of the ${caller}`;
		secretHeaders.set(caller, await api.createCredential('httpHeaderAuth', name, header));
	}
	const jwt = await api.createCredential('jwtAuth', 'Verification secret', {
		keyType: 'passphrase',
		secret: service.store.chatbot(chatbotId).verificationSecret,
		algorithm: 'HS256',
	});
	stage.page = await startPage({
		mailbox,
		crm,
		webhook: `${n8n.baseUrl}/webhook/chatbase-lead`,
		addLead(lead) {
			service.store.addLead(chatbotId, lead);
		},
	});
	stage.website = await startWebsite({
		shoppers: shoppersOf(stage),
		getToken: async (customerId) => await askForToken(tokenWebhook(stage), customerId),
		chatbot: service.pageOf(chatbotId),
	});
	stage.workflows = [];
	for (const example of await readExamples()) {
		const filledIn = fillIn(example, {
			'https://crm.example.com': crm.baseUrl,
			'https://documents.example.com': library.baseUrl,
		});
		const { id, settings } = service.store.chatbot(
			[mirror, approvedMirror, orderChat].includes(example.name) ? mirrorId : chatbotId,
		);
		const chosen = chooseChatbot(enterAddresses(filledIn), id, settings.name);
		const workflow = chooseTemplate(chosen, orderTemplate.choice);
		const header = secretHeaders.get(callers[example.name]);
		const credentials = [credential, smtp, crypto, basic, ...(header ? [header] : []), jwt];
		stage.workflows.push(await api.importWorkflow(workflow, credentials));
	}
	Object.assign(stage, { api, credential });
}

/** The webhook of *Recognize the customer*. */
export function tokenWebhook({ n8n }: Pick<Stage, 'n8n'>): Webhook {
	return { url: `${n8n.baseUrl}/webhook/chatbot-token`, header: headers.website };
}

/** Those who can sign in on the website: the customers with an order. */
export function shoppersOf({ crm, service }: Pick<Stage, 'crm' | 'service'>): Shopper[] {
	const { contacts } = service.store.chatbot(chatbotId);
	return crm.orders.map(({ number, customer }) => ({
		id: customer,
		name: String(contacts.find(customer)?.name),
		order: number,
	}));
}

async function end(stage: Partial<Stage>): Promise<void> {
	await stage.n8n?.stop();
	await stage.website?.close();
	await stage.page?.close();
	await stage.mailbox?.close();
	await stage.crm?.close();
	await stage.library?.close();
	await stage.service?.close();
}
