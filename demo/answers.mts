import { answerFromSources, type Reply } from '../service/index.js';

/** What a custom action has found, or a client-side action. */
interface Found {
	message?: string;
	number?: string;
	status?: string;
}

function toldBy({ message, number, status }: Found = {}): string {
	return message ?? (status === undefined ? notFound : `Order ${number}: ${status}.`);
}

/** What the chatbot says if an action has failed. */
const notFound = "I can't look that up at the moment.";

/** Answers with what a custom action has found, then with what the chatbot has learned, else with what it was told before. */
export const reply: Reply = (messages, { action, chatbot }) => {
	const asked = messages.filter(({ role }) => role === 'user').map(({ content }) => content);
	const last = asked.pop() ?? '';

	if (action) return toldBy(action.output as Found | undefined);
	const known = answerFromSources(last, chatbot.agent.sources);
	if (known) return known;

	const earlier = asked.map((question) => `"${question}"`).join(', ');
	const memory = earlier ? `Before that you said: ${earlier}` : 'I remember no earlier message.';
	return `I know no answer. You said: ${last}\n${memory}`;
};
