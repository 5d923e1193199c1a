/** A chatbot that is connected to WhatsApp, for the suites of templates. */
import type { INodeParameters } from 'n8n-workflow';

import type { BehaviourV2, WhatsAppTemplate } from '../../../service';
import { inSkippedTime } from '../fastTime';
import type { RunOptions } from '../harness';
import { chatbotId } from '../parameters';
import { useTestbed } from '../testbed';

export const orderUpdate: WhatsAppTemplate = {
	id: 'tpl_1',
	name: 'order_update',
	language: 'en_US',
	category: 'UTILITY',
	status: 'APPROVED',
	parameterFormat: 'POSITIONAL',
	variables: { header: ['1'], body: ['1', '2'] },
	components: [
		{ type: 'HEADER', format: 'TEXT', text: 'Order {{1}}' },
		{ type: 'BODY', text: 'Hi {{1}}, it arrives on {{2}}.' },
		{ type: 'FOOTER', text: 'Acme' },
		{ type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Track', url: 'https://acme.example' }] },
	],
};

export const orderValues = { 'header.1': '#1042', 'body.1': 'Jane', 'body.2': 'Friday' };

/** What the list in the panel stores. */
export const chosen = (value = 'order_update|en_US|waba_1') => ({
	__rl: true,
	mode: 'list',
	value,
});

/** What Template Variables stores. */
export const mapped = (value: INodeParameters) => ({
	mappingMode: 'defineBelow',
	value,
	schema: Object.keys(value).map((id) => ({ id, displayName: id })),
});

/** Call it once at the top of a suite: it opens the testbed, and closes it in the end. */
export function openAccount(operation: string) {
	const account = {
		testbed: useTestbed({ resource: 'whatsAppTemplate', operation, chatbotId }),

		get here() {
			return account.testbed.service.store.chatbot('bot').agent.whatsapp;
		},

		/** The requests without what all paths share. */
		get sent() {
			return account.testbed.sent.map(([address, ...body]) => [
				String(address).replace('/api/v2/agents/bot/whatsapp', ''),
				...body,
			]);
		},

		/** The numbers that got a message, in order. */
		get recipients() {
			return account.here.sent.map(({ to }) => to);
		},

		set(behaviour: Partial<BehaviourV2>) {
			Object.assign(account.testbed.service.behaviourV2, behaviour);
		},

		connect(id: string, from: string, templates: WhatsAppTemplate[]) {
			const senders = [{ from, verifiedName: `Acme ${id}` }];
			account.here.accounts.push({ id, senders, templates });
		},

		/** Runs while waits take no time. */
		async runAtOnce(parameters: INodeParameters, options?: Partial<RunOptions>) {
			const requestOptions = { timeout: 30_000 };
			const run = async () => await account.testbed.run({ ...parameters, requestOptions }, options);
			return await inSkippedTime(account.testbed.service, run);
		},
	};

	beforeEach(() => account.connect('waba_1', '14155552672', [structuredClone(orderUpdate)]));
	return account;
}
