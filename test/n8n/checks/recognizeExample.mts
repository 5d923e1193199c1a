/** Publishes the example that signs a token for a customer, and gives the token to the simulated page. */
import jsonwebtoken from 'jsonwebtoken';

import { startCrm } from '../../../lab/crm.mjs';
import { ExampleInUse } from '../../../lab/exampleInUse.mjs';
import { type Checks } from '../../../lab/expectations.mjs';
import { type Stage } from '../../../lab/stage.mjs';

const header = { name: 'x-website', value: 'only-the-server-knows' };
const secretHeader = { [header.name]: header.value };

export async function customersAreRecognized(stage: Stage, checks: Checks): Promise<void> {
	const { api, service } = stage;
	const chatbot = service.store.addChatbot({ name: 'Recognition checks' });
	const { contacts, verificationSecret } = chatbot;
	service.store.addContact(chatbot.id, { external_id: 'C-2', email: 'old@example.com' });
	const crm = await startCrm([
		{ external_id: 'C-1', name: ' Ada Lovelace ', email: 'ada@crm.example' },
		{ external_id: 'C-2', name: 'Bea', email: null },
		{ external_id: 1042 as never, name: '', email: 'number@crm.example' },
	]);
	try {
		const world = {
			chatbotId: chatbot.id,
			crm,
			credentials: [
				await api.createCredential('httpHeaderAuth', 'Website', header),
				await api.createCredential('jwtAuth', 'Verification secret', {
					keyType: 'passphrase',
					secret: verificationSecret,
					algorithm: 'HS512',
				}),
			],
		};
		const example = await ExampleInUse.import(stage, 'Recognize the customer', world);
		await example.whileListening('chatbot-token', async (post) => {
			const tokenFor = async (customerId: unknown) => {
				const response = await post({ customerId }, secretHeader);
				const { status } = response;
				return { status, type: response.headers.get('content-type'), text: await response.text() };
			};
			const claimsOf = (token: string) => {
				const options = { algorithms: ['HS256' as const] };
				const { iat, exp, ...claims } = jsonwebtoken.verify(
					token,
					verificationSecret,
					options,
				) as jsonwebtoken.JwtPayload;
				return { claims, seconds: exp! - iat! };
			};

			const start = Math.floor(Date.now() / 1000);
			const ada = await tokenFor('C-1');
			checks.expectMatch('The response is the token alone', ada.text, /^[\w-]+\.[\w-]+\.[\w-]+$/);
			checks.expectMatch('It is plain text', `${ada.status} ${ada.type}`, /^200 text\/plain/);
			const { claims, seconds } = claimsOf(ada.text);
			checks.expectEqual('The token is signed with HS256 and says who the customer is', claims, {
				user_id: 'C-1',
				name: 'Ada Lovelace',
				email: 'ada@crm.example',
			});
			checks.expect('It is valid for one hour', Math.abs(seconds - 3600) <= 2 && start > 0);
			checks.expectEqual('The customer is a contact', contacts.find('C-1')?.name, 'Ada Lovelace');

			const session = await fetch(`${service.pageOf(chatbot.id)}/sessions`, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify({ token: ada.text }),
			});
			const { userId } = (await session.json()) as { userId: string };
			checks.expectEqual('The page accepts the token', [session.status, userId], [201, 'C-1']);

			const bea = await tokenFor('C-2');
			checks.expectEqual('What the CRM lacks is not in the token', claimsOf(bea.text).claims, {
				user_id: 'C-2',
				name: 'Bea',
			});
			checks.expectEqual(
				'And stays in the contact',
				contacts.find('C-2')?.email,
				'old@example.com',
			);

			const number = await tokenFor(1042);
			checks.expectEqual('An ID that is a number becomes a text', claimsOf(number.text).claims, {
				user_id: '1042',
				email: 'number@crm.example',
			});

			const count = contacts.size;
			const noToken = { status: 404, text: '{"error":"The customer is unknown"}' };
			for (const customerId of ['C-9', 'c-1', '', undefined, '..', { $ne: '' }]) {
				const { status, text } = await tokenFor(customerId);
				checks.expectEqual(
					`Nobody gets a token as ${JSON.stringify(customerId)}`,
					{ status, text },
					noToken,
				);
			}
			checks.expectEqual('And nobody becomes a contact', contacts.size, count);

			const { status, body } = await post({ customerId: 'C-1' }, { [header.name]: 'guessed' });
			await body?.cancel();
			checks.expectEqual('With a wrong header n8n itself refuses', status, 403);

			for (const trouble of ['error', 'page', 'silence'] as const) {
				crm.trouble = trouble;
				const { status: answer } = await tokenFor('C-1');

				checks.expectEqual(`No token while the CRM answers with ${trouble}`, answer, 503);
			}
			crm.trouble = undefined;
			const fault = service.faults.add({
				when: { path: /\/contacts/ },
				fault: { kind: 'status', status: 403 },
			});
			checks.expectEqual('Nor while Chatbase refuses', (await tokenFor('C-1')).status, 503);
			service.faults.remove(fault);
			checks.expect('n8n stores no execution', await example.leavesNoExecution());
		});
	} finally {
		await crm.close();
	}
}
