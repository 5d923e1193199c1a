/** Who the visitors of the example "Chat that remembers" are for the service. */
import { evaluate, parametersOf } from './exampleNode';

const { userId } = parametersOf('chat-that-remembers', 'Ask chatbot');

it.each(['customer-1', 'ada@example.com', ''])(
	'a visitor who chooses the session ID "%s" continues no conversation of this customer',
	(sessionId) => {
		expect(evaluate(userId, { json: { sessionId } })).toBe(`chat-${sessionId}`);
	},
);
