import { DataTable, type Row } from '../lab/dataTable.mjs';
import { orderAction } from '../lab/orderAction.mjs';
import { Visitor } from '../lab/visitor.mjs';
import {
	chatbotId,
	headers,
	orderStatus,
	questions,
	recognition,
	tokenWebhook,
	visitorId,
	workflowOf,
	type Stage,
} from './stage.mjs';
import { askForToken } from './website.mjs';

/** What happened on the way around the loop. */
export interface Loop {
	/** What n8n has signed for this customer. */
	token: string;
	/** Who the chatbot talks to, by the token. */
	userId: string | null;
	/** The answer to the customer who asked for an order. */
	order: string;
	/** The answer to a visitor who has not signed in. */
	refused: string;
	question: string;
	/** The answer to the question, which gets a thumb down. */
	before: string;
	/** What became of the question. */
	row: Row | undefined;
	/** What a person wrote into the row. */
	written: string;
	/** The answer to the same question, after the next night. */
	after: string;
}

const written = 'No, but we ship to every country on Earth.';

/** Goes around the loop once: a customer is recognized and helped, and a question becomes knowledge. */
export async function closeLoop(stage: Stage): Promise<Loop> {
	const { api, n8n, service } = stage;
	const orderWebhook = `${n8n.baseUrl}/webhook/order-status`;
	service.setUpAction(chatbotId, orderAction(orderWebhook, headers.action));
	await api.activate(workflowOf(stage, recognition));
	await api.activate(workflowOf(stage, orderStatus));

	console.log('\nThe loop');
	const token = await askForToken(tokenWebhook(stage), visitorId);
	if (token === null) throw new Error('The website got no token');
	const customer = await Visitor.arrive(service, chatbotId, token);
	tell(`The website asks n8n for a token of ${visitorId}. The chatbot recognizes`, customer.userId);
	const order = await customer.say('Where is order 1042?');
	tell('The customer asks "Where is order 1042?"', order.text);
	const stranger = await Visitor.arrive(service, chatbotId);
	const refused = await stranger.say('Where is order 1042?');
	tell('A visitor who has not signed in asks the same', refused.text);

	const question = 'Do you ship to the Moon?';
	const before = await askAndRate(stage, question);
	tell(`A visitor asks "${question}" and gives the answer a thumb down`, before);
	await api.runWorkflow(workflowOf(stage, questions), 'When an answer is rated');
	const table = await DataTable.find(api.session, questions);
	const row = (await table.rows()).find((one) => one.question === question);
	tell('Within an hour, it is a row of the data table', String(row?.reason));
	await table.edit(question, { answer: written });
	await api.runWorkflow(workflowOf(stage, questions), 'Every night');
	tell('A person writes the answer, and at night the chatbot learns it', written);
	const after = await (await Visitor.arrive(service, chatbotId)).say(question);
	tell('The next visitor who asks gets it', after.text);

	return {
		token,
		userId: customer.userId,
		order: order.text,
		refused: refused.text,
		question,
		before,
		row,
		written,
		after: after.text,
	};
}

/** A visitor asks, and gives the answer a thumb down. */
async function askAndRate({ service }: Stage, question: string): Promise<string> {
	const visitor = await Visitor.arrive(service, chatbotId);
	const answer = await visitor.say(question);
	await visitor.rate(answer, 'negative');
	return answer.text;
}

function tell(what: string, outcome: string | null): void {
	console.log(`  ${what}: ${outcome}`);
}
