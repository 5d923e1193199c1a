import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { createdRecord, recordWith } from '../../api/unknownOutcome';
import { chatbotField } from '../../chatbots/chatbots';
import type { RunContext } from '../../execution/context';
import { outputItemsOf, unwritten } from '../../execution/results';
import { optionsField } from '../../panel/collections';
import { dryRunIn } from '../../panel/dryRun';
import { optionalField, requiredField } from '../../panel/field';
import { maxConcurrencyOption } from '../../panel/maxConcurrency';
import { notice } from '../../panel/notices';
import { operation } from '../../panel/operation';
import { filledText } from '../../panel/types';
import { countFormat } from '../../values/json';
import { checkMessage, type TemplateMessage } from './message';
import { phoneNumber } from './phoneNumber';
import { readTemplateChoice, readTemplatesIfPossible, templateField } from './templates';
import { byComponent, readVariables, variablesField, variablesJson } from './variables';

const costNotice = notice(
	'costNotice',
	'Meta charges for each message. Try it with Dry Run first, under Options.',
);
const to = requiredField('to', "Recipient's Phone Number", phoneNumber, {
	placeholder: 'e.g. +1 415 555 2671',
	description: 'The customer who gets the message',
	hint: 'The country code is needed, such as +1 for the United States',
});
const dryRun = dryRunIn(
	'Whether to return the message as the customer would read it, without sending it',
);
const from = optionalField('options.from', 'From', phoneNumber, {
	placeholder: 'e.g. +1 415 555 2672',
	description: 'The number to send from. Needed if the chatbot has several.',
});
const language = optionalField('options.language', 'Language', filledText, {
	placeholder: 'e.g. en_US',
	description:
		'Language of a template whose name you typed. Needed if the name has several languages.',
});

export const send = operation<TemplateMessage>({
	value: 'send',
	description:
		'Message a customer. Accepted does not mean delivered. May need a higher plan.',
	request: {
		method: 'POST',
		path: '/agents/{chatbotId}/whatsapp/messages/template',
		resource: 'agent',
	},
	dryRun,
	maxConcurrency: maxConcurrencyOption,
	fields: [
		chatbotField,
		templateField,
		costNotice,
		to,
		variablesField,
		optionsField([dryRun, from, language, maxConcurrencyOption, variablesJson]),
	],
	nothingDone: 'Nothing was sent.',
	notAsTool:
		'An agent could message people by a wrong number. Send templates from a workflow.',

	neverTwice: 'send all messages again, and each one costs money',

	read(item) {
		return {
			chatbotId: chatbotField.read(item),
			choice: readTemplateChoice(templateField.read(item), language.read(item)),
			to: to.read(item),
			from: from.read(item),
			variables: readVariables(item),
			dryRun: dryRun.read(item),
		};
	},

	/** Checks a message against the list of templates, which is read once for each chatbot, before any message is sent. */
	async complete({ item, params: message, api }) {
		const { chatbotId } = message;
		const read = async () => await readTemplatesIfPossible(api, chatbotId);
		const list = await api.state.once(`templates of ${chatbotId}`, read);

		return list ? checkMessage(item, message, list) : message;
	},

	sequenceKeys: ({ to }) => [to],

	async send({ params: message, api }) {
		const { choice, to, from: sender, variables, text: words } = message;
		const template = { template: choice.name, language: choice.language };

		if (message.dryRun) {
			const shown = { to, from: sender, ...template, variables: byComponent(variables) };
			return unwritten({ status: 'wouldSend', ...shown, text: words });
		}

		const sent = await sendMessage(api, message);
		return [{ status: 'accepted', to, ...sent, ...template, text: words }];
	},

	buildOutput: ({ items, context }) => {
		const messages = items.map(({ params }) => params);
		sayIfRepeated(context, messages);

		return (results) => {
			const shown = results.filter((result) => !('failure' in result)).length;
			if (messages.some(({ dryRun }) => dryRun)) sayUnsent(context, shown);
			return results.flatMap((result) => outputItemsOf(context, result));
		};
	},
});

const mayBeSent =
	'The message may have been sent. Check the conversation of the customer before you run again.';

/** Returns what the service says about the message. Never sends it twice. */
async function sendMessage(
	api: ApiClient,
	message: TemplateMessage,
): Promise<IDataObject> {
	const { chatbotId, choice, to, from: sender, variables } = message;
	const response = await api.send({
		...send.request,
		params: { chatbotId },
		body: {
			to,
			from: sender,
			template: {
				name: choice.name,
				language: choice.language,
				variables: byComponent(variables),
			},
		},
	});
	if (!response.outcome || response.mayHaveRun)
		return createdRecord(api, response, {
			find: recordWith('messageId'),
			mayExist: mayBeSent,
		});

	// The service names a variable as `body[1]`, the panel as `Body 1`.
	const asInPanel = (text: string) => text.replace(/(\w+)\[(\w+)\]/g, '$1 $2');
	throw api.failure(response).withWords(asInPanel);
}

function sayUnsent(context: RunContext, count: number): void {
	context.warn(
		`Nothing was sent. A real run would send ${countMessages(count)}. Meta charges for each one.`,
	);
}

function sayIfRepeated(context: RunContext, given: readonly TemplateMessage[]): void {
	const different = new Set(given.map((message) => JSON.stringify(message)));
	const repeats = given.length - different.size;
	if (repeats === 0) return;

	const total = countMessages(given.length);
	context.warn(
		`${countFormat.format(repeats)} of ${total} repeat another one: same template, number and variables. Each item is a message.`,
	);
}

function countMessages(count: number): string {
	return `${countFormat.format(count)} message${count === 1 ? '' : 's'}`;
}
