/** Imports and publishes the example that makes a chatbot for each customer, and submits its form. */
import { ExampleInUse, type Login } from '../../../lab/exampleInUse.mjs';
import { type Checks } from '../../../lab/expectations.mjs';
import { Mailbox } from '../../../lab/mailbox.mjs';
import { type Stage } from '../../../lab/stage.mjs';

const acme = ['Acme', 'www.acme.example', 'web@acme.example', '#2563EB', '#ff8800', '500'];

const login: Login = { user: 'team', password: 'only-the-team-knows' };

export async function customersGetChatbots(stage: Stage, checks: Checks): Promise<void> {
	const { service } = stage;
	const { store, behaviourV2 } = service;
	const template = store.addChatbot({ name: 'Template', instructions: 'Be brief.' });
	store.addSource(template.id, { name: 'Shared knowledge' });
	const mailbox = await Mailbox.open();
	const others = new Set(store.chatbots.keys());
	const clones = () => [...store.chatbots.values()].filter(({ id }) => !others.has(id));
	try {
		const credentials = [await stage.api.createCredential('httpBasicAuth', 'Team', { ...login })];
		const world = { chatbotId: template.id, mailbox, credentials };
		const example = await ExampleInUse.import(stage, 'A chatbot for each customer', world);
		const submit = async (values: string[]) => {
			const { status } = await example.whenSubmitted('new-customer', values, login);
			const { subject, to, text } = await mailbox.take();
			return { status, subject, to: [to].flat()[0]?.text, text: text ?? '' };
		};

		const refusal = await example
			.whenSubmitted('new-customer', acme, { ...login, password: 'guessed' })
			.then(({ status }) => status, String);
		checks.expectEqual(
			'Only the team can submit the form',
			[refusal, clones().length],
			['Error: n8n answers the form with 401', 0],
		);

		// Version 1, which changes the settings, knows the clone only after some seconds.
		behaviourV2.cloneLagSeconds = 7;
		const first = await submit(acme);
		behaviourV2.cloneLagSeconds = 0;
		const [{ id, settings, agent }] = clones();
		checks.expectEqual(
			'A submitted form makes a chatbot with the name, and the colors of the customer',
			[first.status, settings.name, settings.instructions, settings.visibility, settings.styles],
			[
				'success',
				'Acme',
				'Be brief.',
				'public',
				{ buttonColor: '#2563EB', displayName: 'Acme', userMessageColor: '#ff8800' },
			],
		);
		checks.expectEqual(
			'It has the sources of the template, the website, and the credit limit of the form',
			[...agent.sources.map(({ name }) => name), agent.creditLimit],
			['Shared knowledge', 'https://www.acme.example', 500],
		);
		checks.expectMatch(
			'The customer gets an email with the snippet',
			`${first.to}: ${first.text}`,
			new RegExp(`^web@acme.example: .*<script [^>]*id="${id}"`, 's'),
		);

		const wrong = await submit(['Beta', 'beta', 'web@beta.example', 'red', '#ff8800']);
		checks.expectEqual('Wrong entries make no chatbot', clones().length, 1);
		checks.expectMatch(
			'The team gets an email that says what is wrong',
			`${wrong.to}: ${wrong.text}`,
			/^person@example.com: .*a code such as #2563eb/s,
		);

		behaviourV2.missingScopes = ['sources:write'];
		const halfway = await submit(['Delta', ...acme.slice(1)]);
		behaviourV2.missingScopes = [];
		checks.expectMatch(
			'If a later step fails, the team gets the ID of the clone',
			halfway.text,
			new RegExp(`Clone: ${clones()[1]!.id}\n`),
		);
		checks.expectEqual('And the customer gets nothing', mailbox.count, 0);
	} finally {
		Object.assign(behaviourV2, { cloneLagSeconds: 0, missingScopes: [] });
		await mailbox.close();
	}
}
