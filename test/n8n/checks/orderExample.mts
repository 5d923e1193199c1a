/** Imports and publishes the example that sends WhatsApp templates, and checks who got a message. */
import { orderTemplate } from '../../../service/core/demoData.js';
import { startCrm } from '../../../lab/crm.mjs';
import { ExampleInUse } from '../../../lab/exampleInUse.mjs';
import { type Checks } from '../../../lab/expectations.mjs';
import { Mailbox } from '../../../lab/mailbox.mjs';
import { type Stage } from '../../../lab/stage.mjs';

const header = { name: 'x-shop', value: 'only-the-shop-knows' };
const secretHeader = { [header.name]: header.value };

export async function customersHearOfOrders(stage: Stage, checks: Checks): Promise<void> {
	const { service } = stage;
	const chatbot = service.store.addChatbot({ name: 'Order checks' });
	chatbot.agent.whatsapp.accounts.push(...orderTemplate.accounts);
	const crm = await startCrm([]);
	const mailbox = await Mailbox.open();
	try {
		const credentials = [await stage.api.createCredential('httpHeaderAuth', 'Shop', header)];
		const world = { chatbotId: chatbot.id, crm, mailbox, credentials };
		const example = await ExampleInUse.import(stage, 'Order updates by WhatsApp', world);
		const orders = [
			{ id: '1042', name: 'Jane', phone: '+1 415 555 2671', day: 'Friday' },
			{ id: '1043', name: 'Joe', phone: '415 555 2673', day: 'Friday' },
			{ id: '1044', name: '', phone: '0044 20 7946 0100', day: 'Monday' },
			{ id: '1045', name: 'Ada', phone: '0044 20 7946 0200', day: 'Monday' },
		];
		const path = 'order-updates';
		const refused = await example.whileListening(path, async (post) => {
			const guessed = await post({ orders }, { [header.name]: 'guessed' });
			const without = await post({ orders });
			return [guessed.status, without.status];
		});
		checks.expectEqual(
			'Without the secret header n8n itself refuses, and nobody gets a message',
			[refused, chatbot.agent.whatsapp.sent],
			[[403, 403], []],
		);

		const mail = await example.whileListening(path, async (post) => {
			await post({ orders }, secretHeader);
			return await mailbox.take();
		});
		checks.expectEqual(
			'Customers with a complete number and a name get the template',
			chatbot.agent.whatsapp.sent.map(({ to, template: { variables } }) => [to, variables.body]),
			[
				['14155552671', { '1': 'Jane', '2': '1042', '3': 'Friday' }],
				['442079460200', { '1': 'Ada', '2': '1045', '3': 'Monday' }],
			],
		);
		checks.expectMatch(
			'One email names the others, and says why',
			`${mail.subject}\n${mail.text}`,
			/^2 order updates failed\n.*Order 1044, .*Body 1 is empty.*Order 1043, 415 555 2673: The phone number has no country code/s,
		);
		checks.expectEqual(
			'What was accepted is written back, each with its order',
			crm.messages,
			chatbot.agent.whatsapp.sent.map(({ messageId, conversationId }, index) => ({
				order: ['1042', '1045'][index],
				messageId,
				conversationId,
			})),
		);

		crm.trouble = 'error';
		const error = await example.whileListening(path, async (post) => {
			await post({ orders: orders.slice(0, 1) }, secretHeader);
			return await mailbox.take();
		});
		checks.expectEqual(
			'If the shop cannot save a message ID, an email says so',
			error.subject,
			'Order updates by WhatsApp has failed',
		);
		checks.expect('n8n stores no execution, nor a failed one', await example.leavesNoExecution());
	} finally {
		await Promise.all([crm.close(), mailbox.close()]);
	}
}
