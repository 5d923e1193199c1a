import { answerFromSources, type Reply } from '../service/index.js';

/** What the chatbot says if a custom action has failed. */
const notFound = "I can't look that up at the moment.";

/** Answers with what a custom action has found, then with what the chatbot has learned, else with what it was told before. */
export const reply: Reply = (messages, { action, chatbot }) => {
	const asked = messages.filter(({ role }) => role === 'user').map(({ content }) => content);
	const last = asked.pop() ?? '';

	if (action) return (action.output as { message?: string } | undefined)?.message ?? notFound;
	const known = answerFromSources(last, chatbot.agent.sources);
	if (known) return known;

	const earlier = asked.map((question) => `"${question}"`).join(', ');
	const memory = earlier ? `Before that you said: ${earlier}` : 'I remember no earlier message.';
	return `I know no answer. You said: ${last}\n${memory}`;
};
