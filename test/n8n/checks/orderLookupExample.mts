/** Publishes the example in which the chatbot asks n8n for orders, and posts what customers ask. */
import { startCrm } from '../../../lab/crm.mjs';
import { ExampleInUse, type Post } from '../../../lab/exampleInUse.mjs';
import { type Checks } from '../../../lab/expectations.mjs';
import { orderLookup } from '../../../lab/orderLookup.mjs';
import { type Stage } from '../../../lab/stage.mjs';
import { type SimulatedService } from '../../../service/index.js';

const header = { name: 'x-shop', value: 'only-the-shop-knows' };
const path = 'chat-about-orders';

/** What the chatbot gets. */
interface Result {
	output: object;
}

export async function chatbotAsksForOrders(stage: Stage, checks: Checks): Promise<void> {
	const { api, service } = stage;
	const chatbot = service.store.addChatbot({ name: 'Order lookup checks' });
	chatbot.clientActions.push(orderLookup);
	const crm = await startCrm([]);
	crm.orders = [
		{ number: '1042', customer: 'C-1', status: 'on its way', arrives: '2026-11-27' },
		{ number: '1043', customer: 'C-1', status: 'packed' },
		{ number: '1044', customer: 'C-2', status: 'lost' },
	];
	try {
		const credentials = [await api.createCredential('httpHeaderAuth', 'Shop', header)];
		const world = { chatbotId: chatbot.id, crm, credentials };
		const example = await ExampleInUse.import(stage, 'Chat that looks up orders', world);
		await example.whileListening(path, async (post) => {
			await questionsAreAnswered(post, service, checks);
			await troubleIsAnswered(post, service, checks);
			checks.expect('n8n stores no execution', await example.leavesNoExecution());
		});
	} finally {
		await crm.close();
	}
}

async function questionsAreAnswered(
	post: Post,
	service: SimulatedService,
	checks: Checks,
): Promise<void> {
	const shipped = { found: true, number: '1042', status: 'on its way', arrives: '2026-11-27' };
	const packed = { found: true, number: '1043', status: 'packed', arrives: null };
	const cases: Array<[what: string, message: string, results: object[], chats: number]> = [
		['A question without an order', 'Do you ship to Norway?', [], 1],
		['Two orders at once', 'Where are 1042 and 1043?', [shipped, packed], 2],
		[
			'Two orders, and then one of somebody else',
			'Where are 1042, 1043 and then 1044?',
			[shipped, packed, { found: false }],
			3,
		],
	];
	for (const [what, message, results, chats] of cases) {
		service.clearRequests();
		const { body } = await asked(post, { message, customer: 'C-1' });
		const last = results.at(-1);
		const found = last ? `\nlook_up_order: ${JSON.stringify(last)}` : '';
		const sent = (ending: string) => service.requests.filter(({ url }) => url.endsWith(ending));
		const outputs = sent('/tool-result').map((request) => (request.body as Result).output);
		checks.expectEqual(
			`${what}: the chatbot learns what was found, and the customer gets its answer`,
			[outputs, sent('/chat').length, body.answer],
			[results, chats, `You said: ${message}${found}`],
		);
	}
}

async function troubleIsAnswered(
	post: Post,
	service: SimulatedService,
	checks: Checks,
): Promise<void> {
	const endless = 'Where is 1042 then 1042 then 1042 then 1042 then 1042?';
	const { body } = await asked(post, { message: endless, customer: 'C-3' });
	checks.expectEqual(
		'A chatbot that asks on and on gets three results, and the customer an answer',
		body.answer,
		"I can't find that out at the moment.",
	);

	const fault = service.faults.add({ fault: { kind: 'status', status: 403 } });
	const refused = await asked(post, { message: 'Where is order 1042?', customer: 'C-1' });
	service.faults.remove(fault);
	checks.expectEqual('Without an answer, the caller gets 502', refused, {
		status: 502,
		body: { error: 'No answer is available at the moment' },
	});

	const stranger = await post({ message: 'Hello', customer: 'C-1' }, { [header.name]: 'guessed' });
	checks.expectEqual('Who does not know the header gets no answer', stranger.status, 403);
	await stranger.body?.cancel();
}

async function asked(post: Post, question: object) {
	const response = await post(question, { [header.name]: header.value });
	return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
