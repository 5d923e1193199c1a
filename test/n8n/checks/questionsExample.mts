/** Executes the example that collects questions, and teaches the answers that a person has written. */
import { DataTable } from '../../../lab/dataTable.mjs';
import { ExampleInUse } from '../../../lab/exampleInUse.mjs';
import { type Checks } from '../../../lab/expectations.mjs';
import { Mailbox } from '../../../lab/mailbox.mjs';
import { type Stage } from '../../../lab/stage.mjs';
import { type Chatbot, type Message } from '../../../service/index.js';

const name = 'Questions without a good answer';
const norway = 'Do you ship to Norway?';
const sundays = 'Are you open on Sundays?\nAnd at night?';

interface Said extends Pick<Message, 'score' | 'feedback'> {
	question: string;
}

interface World {
	stage: Stage;
	chatbot: Chatbot;
	example: ExampleInUse;
	mailbox: Mailbox;
}

export async function questionsComeBack(stage: Stage, checks: Checks): Promise<void> {
	const chatbot = stage.service.store.addChatbot({ name: 'Question checks' });
	const mailbox = await Mailbox.open();
	try {
		addConversations(stage, chatbot);
		const surroundings = { chatbotId: chatbot.id, mailbox };
		const example = await ExampleInUse.import(stage, name, surroundings);
		const world = { stage, chatbot, example, mailbox };
		await weakQuestionsBecomeRows(world, checks);
		await answersAreTaught(world, checks);
	} finally {
		stage.service.behaviourV2.training = 'succeeds';
		await mailbox.close();
	}
}

/** Conversations with ratings of both kinds, and without. */
function addConversations({ service }: Stage, chatbot: Chatbot): void {
	const add = (id: string, said: Said[]) =>
		service.store.addConversation(chatbot.id, {
			id,
			source: 'Widget or Iframe',
			messages: said.flatMap(({ question, ...rating }) => [
				{ role: 'user', content: question },
				{ role: 'assistant', content: 'I am not sure.', ...rating },
			]),
		});
	add('c1', [
		{ question: norway, feedback: 'negative', score: 0.9 },
		{ question: 'Are you a person?', score: 0.5 },
		{ question: 'Do you  ship to NORWAY?', score: 0.2 },
	]);
	add('c2', [{ question: 'Nobody has rated this', score: 0.1 }]);
	add('c3', [{ question: sundays, score: null, feedback: 'negative' }]);
}

async function weakQuestionsBecomeRows(
	{ stage, example, mailbox }: World,
	checks: Checks,
): Promise<void> {
	const trigger = 'When an answer is rated';
	await example.run(trigger);
	const table = await DataTable.find(stage.api.session, name);
	const rows = await table.rows();
	checks.expectEqual(
		'Each weak question of a rated conversation is one row, with its reasons',
		rows.map(({ question, reason, conversation }) => [question, reason, conversation]).sort(),
		[
			[norway, 'negative feedback, low score', 'c1'],
			[sundays, 'negative feedback', 'c3'],
		].sort(),
	);
	const { subject, text } = await mailbox.take();
	checks.expectMatch(
		'An email counts them, and has each of them',
		`${subject}\n${text}`,
		/^2 questions without.*Norway\?\s+negative feedback, low score\. Conversation: c1$/ms,
	);

	await example.run(trigger);
	checks.expectEqual(
		'A second run adds no row, and sends no email',
		[(await table.rows()).length, mailbox.count],
		[2, 0],
	);
}

async function answersAreTaught(
	{ stage, chatbot, example, mailbox }: World,
	checks: Checks,
): Promise<void> {
	const { service } = stage;
	const table = await DataTable.find(stage.api.session, name);
	const night = async () => {
		service.clearRequests();
		await example.run('Every night');
		return service.requests.flatMap(({ method }) => (method === 'GET' ? [] : [method]));
	};
	/** Questions and answer of each source. */
	const taught = () =>
		chatbot.agent.sources
			.map((source) => source.taught as { questions: string[]; answer: string })
			.map(({ questions, answer }) => [...questions, answer])
			.sort();

	checks.expectEqual('A night without answers sends nothing', await night(), []);
	await table.edit(norway, { answer: 'Yes, in five days.' });
	await table.edit(sundays, { answer: 'Yes.' });
	await night();
	checks.expectEqual('Each answer is taught with its question', taught(), [
		[sundays, 'Yes.'],
		[norway, 'Yes, in five days.'],
	]);
	const rewritten = 'To which countries do you ship?';
	await table.edit(norway, { question: rewritten, answer: 'To Norway.' });
	await night();
	checks.expectEqual('What a person corrects replaces the old question and answer', taught(), [
		[sundays, 'Yes.'],
		[rewritten, 'To Norway.'],
	]);
	checks.expectEqual('No email was sent', mailbox.count, 0);

	await table.edit(rewritten, { answer: '' });
	checks.expectEqual('An emptied answer deletes nothing', await night(), []);
	const emptied = await mailbox.take();
	checks.expectMatch(
		'It is reported with the question',
		`${emptied.subject}\n${emptied.text}`,
		/^1 answers were emptied.*To which countries do you ship\?\nSource: Question /s,
	);
	await table.edit(rewritten, { answer: 'To Norway.' });

	service.behaviourV2.training = 'fails';
	await table.edit(sundays, { answer: 'No.' });
	await night();
	service.behaviourV2.training = 'succeeds';
	const failed = await mailbox.take();
	checks.expectMatch(
		'An answer that is not learned is reported with the reason',
		`${failed.subject}\n${failed.text}`,
		/^1 answers were not learned\n.*training/s,
	);
}
