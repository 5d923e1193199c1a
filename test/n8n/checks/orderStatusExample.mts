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
		{ number: '1045', customer: 1042 as never, status: 'packed' },
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

const signIn = '200 Please sign in on the website first. Then ask again.';
const none = '200 There is no order with this number in your account. Please check the number.';

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
		{ message: none.slice('200 '.length) },
	);
}

async function requestsAreAnswered(post: Post, crm: Crm, checks: Checks): Promise<void> {
	const ask = async (body: object | string) => {
		const start = performance.now();
		const response = await post(body, secretHeader);
		const text = await response.text();
		const isJson = response.headers.get('content-type')?.startsWith('application/json');
		const answer = (isJson ? JSON.parse(text) : text) as { message?: string };
		return { status: response.status, answer, milliseconds: performance.now() - start };
	};
	const sentence = async (body: object) => {
		const { status, answer } = await ask(body);
		return `${status} ${answer.message}`;
	};

	checks.expectEqual(
		"Somebody else's order is answered like one that doesn't exist",
		[
			await sentence({ order: '1043', customer: 'C-1' }),
			await sentence({ order: '9999', customer: 'C-1' }),
			await sentence({ order: '1042&number=1043', customer: 'C-1' }),
		],
		[none, none, none],
	);
	checks.expectEqual(
		'A CRM may know the customer by a number',
		await sentence({ order: '1045', customer: '1042' }),
		'200 Order 1045: packed.',
	);
	checks.expectEqual('Without a customer, the visitor has to sign in', await sentence({}), signIn);

	for (const trouble of ['error', 'page', 'silence'] as const) {
		crm.trouble = trouble;
		const { status, answer, milliseconds } = await ask({ order: '1042', customer: 'C-1' });
		checks.expectEqual(
			`If the CRM answers with ${trouble}, the chatbot gets a sentence`,
			`${status} ${answer.message}`,
			"200 Orders can't be looked up at the moment. Please try again later.",
		);
		checks.expect('Within a few seconds', milliseconds < patience);
	}
	crm.trouble = undefined;

	const wrong = await post({ order: '1042', customer: 'C-1' }, { [header.name]: 'guessed' });
	checks.expectEqual('n8n itself refuses a wrong header', wrong.status, 403);
	await wrong.body?.cancel();
	const broken = await ask('{ "order": ');
	checks.expectEqual('And a body that is no JSON', broken.status, 422);
}
