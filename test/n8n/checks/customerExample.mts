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
		const expected = 'Error: n8n answers the form with 401';
		checks.expectEqual('Only the team can submit the form', refusal, expected);
		checks.expectEqual('No chatbot is made', clones().length, 0);

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
			'It has the sources of the template and the website',
			agent.sources.map(({ name }) => name),
			['Shared knowledge', 'https://www.acme.example'],
		);
		checks.expectEqual('It has the credit limit of the form', agent.creditLimit, 500);
		checks.expectEqual('The customer gets an email', first.to, 'web@acme.example');
		checks.expectMatch('It has the snippet', first.text, new RegExp(`<script [^>]*id="${id}"`));

		const wrong = await submit(['Beta', 'beta', 'web@beta.example', 'red', '#ff8800']);
		checks.expectEqual('Wrong entries make no chatbot', clones().length, 1);
		checks.expectEqual('The team gets an email', wrong.to, 'person@example.com');
		checks.expectMatch('It says what is wrong', wrong.text, /a code such as #2563eb/);
		const endless = await submit([...acme.slice(0, -1), 'endless']);
		checks.expectEqual('Nor does a wrong credit limit', clones().length, 1);
		checks.expectMatch('The team learns that', endless.text, /credit limit a whole number/);

		const unlimited = await submit([...acme.slice(0, -1), '']);
		const [, plain] = clones();
		checks.expectEqual(
			'Without a credit limit, that of the clone stays',
			[unlimited.to, plain!.agent.creditLimit],
			['web@acme.example', null],
		);

		const fault = service.faults.add({
			when: { path: /\/clone$/ },
			fault: { kind: 'resetAfter' },
		});
		const lost = await submit(['Gamma', ...acme.slice(1)]);
		service.faults.remove(fault);
		checks.expectEqual('After a lost response no second clone is made', clones().length, 3);
		checks.expectMatch('The team learns that one may exist', lost.text, /A clone may exist\./);

		behaviourV2.missingScopes = ['sources:write'];
		const halfway = await submit(['Delta', ...acme.slice(1)]);
		behaviourV2.missingScopes = [];
		checks.expectMatch(
			'If a later step fails, the team gets the ID of the clone',
			halfway.text,
			new RegExp(`Clone: ${clones()[3]!.id}\n`),
		);
		checks.expectEqual('And the customer gets nothing', mailbox.count, 0);
	} finally {
		Object.assign(behaviourV2, { cloneLagSeconds: 0, missingScopes: [] });
		await mailbox.close();
	}
}
