/** Publishes the example that a custom action calls, and asks about orders on the simulated page. */
import jsonwebtoken from 'jsonwebtoken';

import { type Crm, startCrm } from '../../../lab/crm.mjs';
import { ExampleInUse, type Post } from '../../../lab/exampleInUse.mjs';
import { type Checks } from '../../../lab/expectations.mjs';
import { orderAction } from '../../../lab/orderAction.mjs';
import { type Stage } from '../../../lab/stage.mjs';
import { Visitor } from '../../../lab/visitor.mjs';
import { type Chatbot } from '../../../service/index.js';

const header = { name: 'x-chatbot', value: 'only-the-chatbot-knows' };
const secretHeader = { [header.name]: header.value };
const path = 'order-status';

/** In milliseconds. The example gives the CRM four seconds. */
const patience = 7_000;

export async function chatbotLooksUpOrders(stage: Stage, checks: Checks): Promise<void> {
	const { api, service } = stage;
	const chatbot = service.store.addChatbot({ name: 'Order status checks' });
	const crm = await startCrm([]);
	crm.orders = [
		{ number: '1042', customer: 'C-1', status: 'on its way', arrives: '2026-11-27' },
		{ number: '1043', customer: 'C-2', status: 'in the warehouse' },
	];
	try {
		const credentials = [await api.createCredential('httpHeaderAuth', 'Chatbot', header)];
		const world = { chatbotId: chatbot.id, crm, credentials };
		const example = await ExampleInUse.import(stage, 'Order status for the chatbot', world);
		const url = `${api.session.baseUrl}/webhook/${path}`;
		service.setUpAction(chatbot.id, orderAction(url, header));
		await example.whileListening(path, async (post) => {
			await customersAskForOrders(stage, chatbot, checks);
			await requestsAreAnswered(post, crm, checks);
			await typedTextIsNoCustomer(post, example, checks);
			checks.expect('n8n stores no execution', await example.leavesNoExecution());
		});
	} finally {
		await crm.close();
	}
}

async function customersAskForOrders(
	{ service }: Stage,
	{ id, verificationSecret }: Chatbot,
	checks: Checks,
): Promise<void> {
	const token = jsonwebtoken.sign({ user_id: 'C-1' }, verificationSecret, { expiresIn: '1h' });
	const customer = await Visitor.arrive(service, id, token);
	const answer = await customer.say('Where is order #1042?');
	checks.expectMatch(
		'A customer who has signed in learns where the order is',
		answer.text,
		/Order 1042: on its way\. It should arrive on Friday, November 27\./,
	);
	const stranger = await Visitor.arrive(service, id);
	const refused = await stranger.say('Where is order 1042?');
	checks.expectMatch('Nobody else does', refused.text, /Please sign in on the website first/);
}

const none = {
	message: 'There is no order with this number in your account. Please check the number.',
};

/** A dashboard that puts raw text into the body would let a visitor add values to it. */
async function typedTextIsNoCustomer(post: Post, example: ExampleInUse, checks: Checks) {
	const notes = example.workflow.nodes.map(({ parameters }) => String(parameters.content));
	const [template] = notes.flatMap((note) => /\{ "\w+": "…", "\w+": "…" \}/.exec(note) ?? []);
	const values: Record<string, string> = { order: '1043", "customer": "C-2', customer: 'C-1' };
	const body = template!.replace(
		/"(\w+)": "…"/g,
		(_, name: string) => `"${name}": "${values[name]}"`,
	);
	checks.expectMatch('The note says how the body looks', body, /"customer": "C-2"/);
	const response = await post(body, secretHeader);
	checks.expectEqual(
		'In this body, a visitor who types JSON stays the customer who has signed in',
		await response.json(),
		none,
	);
}

async function requestsAreAnswered(post: Post, crm: Crm, checks: Checks): Promise<void> {
	const ask = async (order: string) => {
		const response = await post({ order, customer: 'C-1' }, secretHeader);
		return (await response.json()) as { message: string };
	};

	checks.expectEqual(
		"Somebody else's order is answered like one that doesn't exist",
		[await ask('1043'), await ask('9999')],
		[none, none],
	);

	crm.trouble = 'silence';
	const start = performance.now();
	const { message } = await ask('1042');
	checks.expectEqual(
		'If the CRM is silent, the chatbot gets a sentence within a few seconds',
		[message, performance.now() - start < patience],
		["Orders can't be looked up at the moment. Please try again later.", true],
	);
	crm.trouble = undefined;

	const wrong = await post({ order: '1042', customer: 'C-1' }, { [header.name]: 'guessed' });
	checks.expectEqual('n8n itself refuses a wrong header', wrong.status, 403);
	await wrong.body?.cancel();
}
