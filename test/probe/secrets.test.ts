/** The answer has no data of the service, its owner or their customers. */
import { propertyRuns } from '../propertyRuns';
import fc from 'fast-check';

import { textOf } from '../../probe/report';
import { chatbotId, emptyScene, everyPart, probe } from './scene';

/** Text that no sentence of the probe contains. */
const secretText = fc.stringMatching(/^[a-zäß東]{3}[0-9]{6}[A-Z]{2}$/);

it('has no key, ID, name, email or text of a customer', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.uniqueArray(secretText, { minLength: 14, maxLength: 14 }),
			fc.boolean(),
			async (secrets, isHostile) => {
				const [
					key,
					name,
					email,
					phone,
					id,
					company,
					text,
					lead,
					country,
					bot,
					reply,
					status,
					host,
					attribute,
				] = secrets;
				const service = await emptyScene({ apiKey: encodeURIComponent(key), reply: () => reply });
				const { store } = service;
				store.addChatbot({ id: bot, name: bot, instructions: text });
				store.addAttribute(chatbotId, { name: attribute, type: 'boolean', label: company });
				store.addAttribute(chatbotId, { name: `${attribute}x`, type: 'text' });
				store.addContact(chatbotId, {
					external_id: id,
					name,
					email: `${email}@${host}.example`,
					phonenumber: phone,
					custom_attributes: { [attribute]: true },
				});
				store.addConversation(chatbotId, {
					country,
					source: status,
					messages: [{ role: 'user', content: text }],
				});
				store.addLead(chatbotId, { name: lead, email });
				store.addSource(chatbotId, { name: company });
				store.addTicket(chatbotId, { subject: text });
				if (isHostile) {
					// A service whose errors quote the request, and more.
					const body = { message: secrets.join(' '), issues: [{ field: name, message: text }] };
					for (const path of ['/get-leads', '/get-chatbots', /contacts\/./, /chat$/, /export$/]) {
						service.faults.add({ when: { path }, fault: { kind: 'status', status: 400, body } });
					}
				}
				service.faults.add({
					when: { path: `/chatbots/${chatbotId}/contacts`, nth: 4 },
					fault: {
						kind: 'otherShape',
						body: {
							data: [],
							total: 0,
							pages: { page: 1, per_page: 4_915_112_345_678, total_pages: 1 },
						},
					},
				});
				const reported: string[] = [];
				const result = await probe(service, everyPart, { report: (line) => reported.push(line) });
				await service.close();

				const answers = [textOf(result, false), ...reported].join('\n');
				const ownIds = [...store.chatbot(chatbotId).contacts].map(({ id: ownId }) => ownId);
				const [, port] = service.origin.split(/:(?=\d)/);
				for (const secret of [
					...secrets,
					encodeURIComponent(key),
					...ownIds,
					'4915112345678',
					chatbotId,
					`:${port}`,
				]) {
					expect(answers).not.toContain(secret);
				}
			},
		),
		propertyRuns(2),
	);
}, 120_000);
