/** Executes the example that asks a list of questions, and says which answers have become wrong. */
import { DataTable } from '../../../lab/dataTable.mjs';
import { ExampleInUse } from '../../../lab/exampleInUse.mjs';
import { type Checks } from '../../../lab/expectations.mjs';
import { Mailbox } from '../../../lab/mailbox.mjs';
import { type Stage } from '../../../lab/stage.mjs';

const name = 'Check the answers';
const trigger = 'Every morning';

export async function answersAreChecked(stage: Stage, checks: Checks): Promise<void> {
	const { service } = stage;
	const chatbot = service.store.addChatbot({ name: 'Answer checks' });
	const mailbox = await Mailbox.open();
	const faults = [];
	try {
		const world = { chatbotId: chatbot.id, mailbox };
		const example = await ExampleInUse.import(stage, name, world);
		await example.run(trigger);
		const table = await DataTable.find(stage.api.session, name);
		// The simulated chatbot repeats the question.
		await table.add([
			{
				question: 'Returns within 30 days, free?',
				must: ' RETURNS ; 30  days',
				mustNot: '14 days',
			},
			{ question: 'Open on Sundays?', must: 'sundays', mustNot: '' },
			{ question: 'Price of a lamp?', must: 'lamp; 20 euros', mustNot: '' },
			{ question: 'Ship to Norway for 19 euros?', must: '9 euros', mustNot: 'norway' },
			{ question: 'Hours?', must: '', mustNot: '' },
			{ question: 'Gift cards?', must: '', mustNot: '' },
			{ question: '', must: 'never asked', mustNot: '' },
		]);
		const ask = async () => {
			service.clearRequests();
			const { status } = await example.execute(trigger);
			const rows = await table.rows();
			const asked = service.requests.filter(({ method }) => method === 'POST').length;
			return { status, asked, results: rows.map(({ result }) => result ?? '') };
		};

		checks.expectEqual('Each question is asked once, and its words are looked for', await ask(), {
			status: 'success',
			asked: 6,
			results: ['right', 'right', 'wrong', 'wrong', 'right', 'right', ''],
		});
		checks.expectEqual(
			'The reasons are in the table',
			(await table.rows()).slice(2, 4).map(({ reason }) => reason),
			['It lacks: 20 euros.', 'It lacks: 9 euros. It has: norway.'],
		);
		checks.expectEqual('What was never right is in no email', mailbox.count, 0);

		const failing = (question: string, fault: Parameters<typeof service.faults.add>[0]['fault']) =>
			service.faults.add({
				when: { matches: ({ body }) => JSON.stringify(body ?? '').includes(question) },
				fault,
			});
		faults.push(
			failing('Open on', { kind: 'otherShape', body: { text: ' ' } }),
			failing('Hours', { kind: 'status', status: 400 }),
			failing('Gift', { kind: 'cutJson' }),
		);
		checks.expectEqual('No answer, an error and a cut answer are wrong', await ask(), {
			status: 'success',
			asked: 6,
			results: ['right', 'wrong', 'wrong', 'wrong', 'wrong', 'wrong', ''],
		});
		const { subject, text = '' } = await mailbox.take();
		checks.expectEqual('An email counts what has become wrong', subject, '3 answers are wrong now');
		checks.expectMatch('It says why', text, /^Open on Sundays\?\n ?There is no answer\./);
		checks.expectMatch('Errors too', text, /Hours\?\n ?The question failed: /);
		checks.expectMatch('And cut answers', text, /Gift cards\?\n ?The question failed: /);
		await ask();
		checks.expectEqual('It is told once', mailbox.count, 0);

		for (const fault of faults) service.faults.remove(fault);
		checks.expectEqual('A right answer is right again', (await ask()).results, [
			'right',
			'right',
			'wrong',
			'wrong',
			'right',
			'right',
			'',
		]);
		checks.expectEqual('Nothing is saved in the log of conversations', chatbot.conversations, []);
	} finally {
		for (const fault of faults) service.faults.remove(fault);
		await mailbox.close();
	}
}
