/** Executes the example that collects questions, and teaches the answers that a person has written. */
import { DataTable } from '../../../lab/dataTable.mjs';
import { ExampleInUse } from '../../../lab/exampleInUse.mjs';
import { type Checks } from '../../../lab/expectations.mjs';
import { Mailbox } from '../../../lab/mailbox.mjs';
import { type Stage } from '../../../lab/stage.mjs';
import { type Chatbot, type Message } from '../../../service/index.js';

const name = 'Questions without a good answer';
const long = `Do you ship to Norway, and how long does it take if I order on a Sunday evening\nfrom ${'a very small island '.repeat(5)}?`;

interface Said extends Pick<Message, 'score' | 'feedback'> {
	question: string;
}

export async function questionsComeBack(stage: Stage, checks: Checks): Promise<void> {
	const chatbot = stage.service.store.addChatbot({ name: 'Question checks' });
	const mailbox = await Mailbox.open();
	try {
		addConversations(stage, chatbot);
		const world = { chatbotId: chatbot.id, mailbox };
		const example = await ExampleInUse.import(stage, name, world);
		await weakQuestionsBecomeRows(stage, example, mailbox, checks);
		await answersAreTaught(stage, example, { chatbot, mailbox, checks });
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
		{ question: 'Do you ship to Norway?', feedback: 'negative', score: 0.9 },
		{ question: 'Are you open on Sundays?', score: 0.5 },
		{ question: 'Do you  ship to NORWAY?', score: 0.2 },
	]);
	add('c2', [{ question: 'Nobody has rated this', score: 0.1 }]);
	add('c3', [
		{ question: 'Thanks', score: null, feedback: 'negative' },
		{ question: long, score: 0.49 },
	]);
	add('c4', [{ question: 'Are you real?', feedback: 'positive' }]);
}

async function weakQuestionsBecomeRows(
	stage: Stage,
	example: ExampleInUse,
	mailbox: Mailbox,
	checks: Checks,
): Promise<void> {
	const trigger = 'When an answer is rated';
	await example.run(trigger);
	const table = await DataTable.find(stage.api.session, name);
	const rows = await table.rows();
	checks.expectEqual(
		'Each weak question of a rated conversation is one row, with its reasons',
		rows
			.map(({ question, reason, conversation }) => [
				String(question).slice(0, 30),
				reason,
				conversation,
			])
			.sort(),
		[
			['Do you ship to Norway?', 'negative feedback, low score', 'c1'],
			['Thanks', 'negative feedback', 'c3'],
			[long.slice(0, 30), 'low score', 'c3'],
		].sort(),
	);
	const { subject, text = '' } = await mailbox.take();
	checks.expectEqual('An email counts them', subject, '3 questions without a good answer');
	checks.expectMatch(
		'It has each of them',
		text,
		/^Do you ship to Norway\?\s+negative feedback, low score\. Conversation: c1$/m,
	);

	await example.run(trigger);
	checks.expectEqual('A second run adds no row', (await table.rows()).length, 3);
	checks.expectEqual('And sends no email', mailbox.count, 0);
}

interface World {
	chatbot: Chatbot;
	mailbox: Mailbox;
	checks: Checks;
}

async function answersAreTaught(
	stage: Stage,
	example: ExampleInUse,
	{ chatbot, mailbox, checks }: World,
): Promise<void> {
	const { service } = stage;
	const table = await DataTable.find(stage.api.session, name);
	const norway = 'Do you ship to Norway?';
	const night = async () => {
		service.clearRequests();
		await example.run('Every night');
		return service.requests.flatMap(({ method }) => (method === 'GET' ? [] : [method]));
	};
	const taught = () =>
		chatbot.agent.sources.map((source) => {
			const { questions, answer } = source.taught as { questions: string[]; answer: string };
			return { name: source.name, questions, answer };
		});

	checks.expectEqual('A night without answers sends nothing', await night(), []);
	await table.edit(norway, { answer: 'Yes, in five days.' });
	await table.edit(long, { answer: 'Two weeks.' });
	checks.expectEqual('Two answers are sent', await night(), ['POST', 'POST']);
	const [first, second] = taught();
	checks.expectEqual(
		'Each is a Q&A with the question',
		[first?.questions, first?.answer, second?.questions, second?.answer],
		[[norway], 'Yes, in five days.', [long], 'Two weeks.'],
	);
	checks.expectMatch(
		'Its name has no words of the visitor',
		first?.name ?? '',
		/^Question [\da-f]{8}$/,
	);
	checks.expectEqual('The next night sends nothing', await night(), []);

	await table.edit(norway, { answer: 'Yes, in three days.' });
	checks.expectEqual('A corrected answer is sent', await night(), ['PUT']);
	checks.expectEqual(
		'It replaces the old one',
		[taught().length, taught()[0]?.answer],
		[2, 'Yes, in three days.'],
	);
	chatbot.agent.sources[1]!.status = 'failed';
	checks.expectEqual('An answer whose training has failed is sent again', await night(), ['PUT']);
	checks.expectEqual('The next night sends nothing again', await night(), []);
	checks.expectEqual('No email was sent', mailbox.count, 0);

	await table.edit(norway, { answer: '' });
	checks.expectEqual('An emptied answer deletes nothing', await night(), []);
	const emptied = await mailbox.take();
	checks.expectEqual('It is reported', emptied.subject, '1 answers were emptied');
	checks.expectMatch(
		'With the question',
		emptied.text ?? '',
		/Do you ship to Norway\?\nSource: Question /,
	);
	await table.edit(norway, { answer: 'Yes, in three days.' });
	await night();

	service.behaviourV2.training = 'fails';
	await table.edit(long, { answer: 'Three weeks.' });
	await night();
	service.behaviourV2.training = 'succeeds';
	const failed = await mailbox.take();
	checks.expectEqual(
		'An answer that is not learned is reported',
		failed.subject,
		'1 answers were not learned',
	);
	checks.expectMatch('With the reason', failed.text ?? '', /training/);
	checks.expectEqual('The next night tries again', await night(), ['PUT']);
	checks.expectEqual('And it is learned', taught()[1]?.answer, 'Three weeks.');

	const rewritten = 'To which countries do you ship?';
	await table.edit(norway, { question: rewritten });
	checks.expectEqual('A rewritten question is sent', await night(), ['PUT']);
	checks.expectEqual('It replaces the old one', taught()[0]?.questions, [rewritten]);
}
