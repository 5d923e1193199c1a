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
	try {
		const world = { chatbotId: chatbot.id, mailbox };
		const example = await ExampleInUse.import(stage, name, world);
		await example.run(trigger);
		const table = await DataTable.find(stage.api.session, name);
		// The simulated chatbot repeats the question.
		await table.add([
			{ question: 'Open on Sundays?', must: 'sundays', mustNot: 'mondays' },
			{ question: 'Price of a lamp?', must: '20 euros', mustNot: '' },
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

		const before = { status: 'success', asked: 3, results: ['right', 'wrong', 'right', ''] };
		checks.expectEqual('Each question is asked once, and its answer judged', await ask(), before);
		checks.expectEqual('What was never right is in no email', mailbox.count, 0);

		const fault = service.faults.add({
			when: { matches: ({ body }) => JSON.stringify(body ?? '').includes('Gift cards') },
			fault: { kind: 'cutJson' },
		});
		checks.expectEqual('A question that fails is wrong, and the others are asked', await ask(), {
			...before,
			results: ['right', 'wrong', 'wrong', ''],
		});
		const { subject, text } = await mailbox.take();
		checks.expectMatch(
			'An email says what has become wrong, and why',
			`${subject}\n${text}`,
			/^1 answers are wrong now\nGift cards\?\n ?The question failed: /,
		);
		await ask();
		service.faults.remove(fault);
		checks.expectEqual('It is told once', mailbox.count, 0);
	} finally {
		await mailbox.close();
	}
}
