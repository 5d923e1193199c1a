/** What the check of the demo verifies. `npm run test:n8n` verifies the other examples. */
import jsonwebtoken from 'jsonwebtoken';

import { type Checks } from '../lab/expectations.mjs';
import { type Loop } from './loop.mjs';
import { chatbotId, visitorId, type Stage } from './stage.mjs';

/** Checks each step of the loop. */
export function verifyLoop({ service }: Stage, loop: Loop, checks: Checks): void {
	const { contacts, verificationSecret, agent } = service.store.chatbot(chatbotId);
	const { user_id, exp } = jsonwebtoken.verify(loop.token, verificationSecret, {
		algorithms: ['HS256'],
	}) as jsonwebtoken.JwtPayload;
	checks.expectEqual('n8n signs a token of the customer', user_id, visitorId);
	const minutes = Math.round((exp! * 1000 - Date.now()) / 60_000);
	checks.expect('It ends within an hour', minutes > 0 && minutes <= 60);
	checks.expect('The customer is a contact', contacts.find(visitorId) !== undefined);
	checks.expectEqual('The chatbot recognizes the customer', loop.userId, visitorId);
	checks.expectEqual(
		'It answers from the CRM',
		loop.order,
		'Order 1042: on its way. It should arrive on Friday, November 27.',
	);
	checks.expectMatch('It tells nobody else', loop.refused, /^Please sign in/);

	const { row } = loop;
	checks.expectEqual(
		'The question with a bad answer becomes a row',
		[row?.question, row?.reason],
		[loop.question, 'negative feedback'],
	);
	const source = agent.sources.find(({ name }) => name === row?.source);
	checks.expectEqual(
		'The written answer becomes knowledge',
		[source?.type, source?.status],
		['qna', 'trained'],
	);
	checks.expect('The chatbot did not know it before', !loop.before.includes(loop.written));
	checks.expectEqual('The same question is answered with it', loop.after, loop.written);
}
