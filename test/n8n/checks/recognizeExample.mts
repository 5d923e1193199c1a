/** Publishes the example that signs a token for a customer, and gives the token to the simulated page. */
import { runInNewContext } from 'node:vm';

import jsonwebtoken from 'jsonwebtoken';

import { ExampleInUse, type Post } from '../../../lab/exampleInUse.mjs';
import { type Checks } from '../../../lab/expectations.mjs';
import { type Stage } from '../../../lab/stage.mjs';
import { Visitor } from '../../../lab/visitor.mjs';
import { type Chatbot } from '../../../service/index.js';

const header = { name: 'x-website', value: 'only-the-server-knows' };
const secretHeader = { [header.name]: header.value };
const path = 'chatbot-token';

export async function customersAreRecognized(stage: Stage, checks: Checks): Promise<void> {
	const { api, service } = stage;
	const chatbot = service.store.addChatbot({ name: 'Recognition checks' });
	service.store.addContact(chatbot.id, { external_id: 'C-2' });

	const credentials = [
		await api.createCredential('httpHeaderAuth', 'Website', header),
		await api.createCredential('jwtAuth', 'Verification secret', {
			keyType: 'passphrase',
			secret: chatbot.verificationSecret,
			algorithm: 'HS512',
		}),
	];
	const world = { chatbotId: chatbot.id, credentials };
	const example = await ExampleInUse.import(stage, 'Recognize the customer', world);

	await example.whileListening(path, async (post) => {
		await linesOfTheNoteWork(stage, example, chatbot, checks);
		await tokensSayWhoItIs(stage, post, chatbot, checks);
		await nobodyGetsAToken(post, checks);
		checks.expect('n8n stores no execution', await example.leavesNoExecution());
	});

	const onlyContacts = await example.activating('Get contact', 'Is a contact?');
	await onlyContacts.whileListening(path, async (post) => {
		await onlyContactsGetTokens(stage, post, chatbot, checks);
		checks.expect('Nor are those stored', await onlyContacts.leavesNoExecution());
	});
}

/** Runs the lines that the note has for a web developer, as they stand there. */
async function linesOfTheNoteWork(
	{ api }: Stage,
	{ workflow }: ExampleInUse,
	{ verificationSecret }: Chatbot,
	checks: Checks,
): Promise<void> {
	const note = workflow.nodes.find(({ name }) => name === 'About the website')!;
	const blocks = [...String(note.parameters.content).matchAll(/```\n([^`]*)```/g)];
	const lines = blocks.map(([, code]) => code).join('');
	const calls: unknown[][] = [];
	await runInNewContext(`(async () => {${lines}})()`, {
		fetch,
		URLSearchParams,
		webhookUrl: `${api.session.baseUrl}/webhook/${path}`,
		headerName: header.name,
		headerValue: header.value,
		customer: { id: 1042 },
		window: { chatbase: (...call: unknown[]) => calls.push(call) },
	});

	const [[command, { token }]] = calls as [[string, { token: string }]];
	const { claims } = contentOf(token, verificationSecret);
	const identified = ['identify', { user_id: '1042' }];
	checks.expectEqual('They identify the customer', [command, claims], identified);
}

async function tokensSayWhoItIs(
	{ service }: Stage,
	post: Post,
	{ id, contacts, verificationSecret }: Chatbot,
	checks: Checks,
): Promise<void> {
	const ada = { user_id: 'C-1', name: ' Ada Lovelace ', email: 'ada@shop.example' };
	const { type, text } = await ask(post, ada);
	checks.expectMatch('The response is plain text', String(type), /^text\/plain/);
	checks.expectEqual(
		'It is a token for one hour, signed with HS256, with the name and email that came along',
		contentOf(text, verificationSecret),
		{ claims: { ...ada, name: 'Ada Lovelace' }, hours: 1 },
	);
	const visitor = await Visitor.arrive(service, id, text);
	checks.expectEqual(
		'The page accepts the token, and makes the contact',
		[visitor.userId, contacts.find('C-1')?.name],
		['C-1', 'Ada Lovelace'],
	);
}

async function nobodyGetsAToken(post: Post, checks: Checks): Promise<void> {
	const { said } = await ask(post, { user_id: 'null' });
	checks.expectEqual('Nobody gets a token', said, '400 {"error":"user_id is missing"}');

	const guessed = await post({ user_id: 'C-1' }, { [header.name]: 'guessed' });
	await guessed.body?.cancel();
	checks.expectEqual('With a wrong header n8n itself refuses', guessed.status, 403);
}

/** The second path of the example: it reads the contact first. */
async function onlyContactsGetTokens(
	{ service }: Stage,
	post: Post,
	{ verificationSecret }: Chatbot,
	checks: Checks,
): Promise<void> {
	const bea = await ask(post, { user_id: 'C-2' });
	const { claims } = contentOf(bea.text, verificationSecret);
	checks.expectEqual('After Get contact was activated, a contact gets a token', claims, {
		user_id: 'C-2',
	});

	const stranger = await ask(post, { user_id: 'c-2' });
	const unknown = '404 {"error":"The customer is no contact"}';
	checks.expectEqual('Somebody else gets none', stranger.said, unknown);

	const fault = service.faults.add({
		when: { path: /\/contacts/ },
		fault: { kind: 'status', status: 403 },
	});
	const refused = await ask(post, { user_id: 'C-2' });
	service.faults.remove(fault);
	const withoutDetails = /^500 \{"message":"[\w ]+"\}$/;
	checks.expectMatch('Nobody does while Chatbase refuses', refused.said, withoutDetails);
}

async function ask(post: Post, body: object) {
	const response = await post(body, secretHeader);
	const type = response.headers.get('content-type');
	const text = await response.text();
	return { text, type, said: `${response.status} ${text}` };
}

/** What a token says, and for how long, if it was signed with the secret. */
function contentOf(token: string, secret: string) {
	const options = { algorithms: ['HS256' as const] };
	const payload = jsonwebtoken.verify(token, secret, options) as jsonwebtoken.JwtPayload;
	const { iat, exp, ...claims } = payload;
	return { claims, hours: Math.round((exp! - iat!) / 36) / 100 };
}
