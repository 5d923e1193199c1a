import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { withSentence } from '../../api/errors';
import { errorTexts } from '../../api/errorTexts';
import { forEachLimited } from '../../api/limits';
import type { ApiResponse } from '../../api/response';
import type { InputItem } from '../../execution/item';
import type { ReadyItem } from '../../execution/run';
import { operation, optionsField } from '../../fields/define';
import { dryRunField } from '../../fields/dryRun';
import { idField, optionalField, requiredField } from '../../fields/field';
import { chatbotField, locator } from '../../fields/locators';
import { maxConcurrencyOption } from '../../fields/paging';
import { filledText, text, type ValueType } from '../../fields/values';
import { countFormat } from '../../values/scalar';
import { groupBy } from '../../values/groupBy';
import { isObject } from '../../values/object';
import type { TemplateChoice, TemplateList, Values } from './templates';
import {
	isSendable,
	matchesOf,
	parseChoice,
	readTemplates,
	textOf,
	variableLabel,
	variablesOf,
} from './templates';
import { readVariables, variablesField, variablesJsonOption } from './variables';

interface Message extends TemplateChoice {
	chatbotId: string;
	to: string;
	from?: string;
	variables: Values;
	dryRun: boolean;
	/** The message as the customer reads it, for a dry run. */
	text?: string;
}

/** Digits with the country code. The API ignores separators. */
const phoneNumber: ValueType<string> = {
	expected: 'a phone number',
	rule: 'Use the country code and digits, such as +14155552671.',
	read(value) {
		const digits = text.read(value)?.replace(/[\s()./+-]/g, '') ?? '';
		return /^\d{7,}$/.test(digits) ? digits : undefined;
	},
};

const templateField = idField(
	'template',
	'Template',
	{
		description: 'An approved template of the chatbot',
		...locator('searchTemplates', 'a template', {
			displayName: 'Name',
			name: 'name',
			placeholder: 'e.g. order_update',
			hint: 'Add Language under Options if the name has several languages',
		}),
	},
	'Choose one From List or enter its name.',
);
const to = requiredField('to', 'To', phoneNumber, {
	placeholder: 'e.g. +1 415 555 2671',
	description: 'Phone number of the customer, with its country code',
});
const dryRun = dryRunField(
	'options.dryRun',
	'Whether to return the message as the customer would read it, without sending it',
);
const from = optionalField('options.from', 'From', phoneNumber, {
	placeholder: 'e.g. +1 415 555 2672',
	description: 'The number to send from. Needed if the chatbot has several.',
});
const language = optionalField('options.language', 'Language', filledText, {
	placeholder: 'e.g. en_US',
	description: 'Language of a template that you typed. Needed if its name has several.',
});

export const send = operation<Message>({
	value: 'send',
	name: 'Send',
	description: 'Message a customer with a template. Accepted by WhatsApp does not mean delivered.',
	request: {
		method: 'POST',
		path: '/agents/{chatbotId}/whatsapp/messages/template',
		resource: 'agent',
	},
	fields: [
		chatbotField,
		templateField,
		to,
		variablesField,
		optionsField([dryRun, from, language, maxConcurrencyOption, variablesJsonOption]),
	],
	notAsTool: 'An agent could message people by a wrong number. Send templates from a workflow.',

	validateRun: (context) =>
		context.assertNoRetry('n8n would send all messages again, and each one costs money.'),

	read: (item) => ({
		chatbotId: chatbotField.read(item),
		...parseChoice(templateField.read(item), language.read(item)),
		to: to.read(item),
		from: from.read(item),
		variables: readVariables(item),
		dryRun: dryRun.read(item),
	}),

	async sendAll({ items, context, limits }) {
		const checked: typeof items = [];
		for (const pending of items) {
			try {
				await checkAgainstList(pending);
				checked.push(pending);
			} catch (error) {
				pending.fail(error);
			}
		}
		const different = new Set(checked.map(({ params }) => JSON.stringify(params)));
		const repeats = checked.length - different.size;
		if (repeats > 0) {
			context.warn(
				`${countFormat.format(repeats)} of ${countFormat.format(checked.length)} messages repeat another one: same template, number and variables. Each item is a message.`,
			);
		}
		const byNumber = groupBy(checked, ({ params }) => params.to);
		await forEachLimited([...byNumber.values()], limits.maxConcurrency, async (group) => {
			for (const { params, api, succeed, fail } of group) {
				try {
					succeed([await sendMessage(api, params)]);
				} catch (error) {
					fail(error);
				}
			}
		});
	},
});

/**
 * Checks a message against the list of templates, before any message is sent, and completes it: the language, and the
 * number of the account. A typed template is checked by the service, except in a dry run.
 */
async function checkAgainstList({ item, params: message, api }: ReadyItem<Message>) {
	const { chatbotId, wabaId, dryRun, variables } = message;
	if (wabaId === undefined && !dryRun) return;
	const list = await api.state.memoize(
		`templates of ${chatbotId}`,
		async () => await readTemplates(api, chatbotId),
	);
	const template = findTemplate(item, message, list);
	const { name, language } = template;
	if (!isSendable(template)) {
		throw refusal(item, 'TEMPLATE_BUTTONS_UNSUPPORTED', `The template is "${name}".`);
	}
	const missing = variablesOf(template).filter(
		({ component, key }) => !variables[component]?.[key],
	);
	if (missing.length > 0) {
		const labels = missing.map(({ label }) => label).join(', ');
		throw refusal(item, 'MISSING_TEMPLATE_VARIABLES', `"${name}" also needs ${labels}.`);
	}
	const from = senderOf(item, template.wabaId, list, message.from);
	const text = dryRun ? textOf(template, variables) : undefined;
	Object.assign(message, { language, from, text });
}

/** What the service would refuse too is refused in the same words. */
function refusal(item: InputItem, code: string, fact: string) {
	const { title, nextStep } = errorTexts[`code ${code}`]!;
	return item.error(title, `${fact} ${nextStep}`);
}

function findTemplate(item: InputItem, choice: TemplateChoice, list: TemplateList) {
	const [template, ...others] = matchesOf(list, choice);
	if (template && others.length === 0) return template;
	const name = [choice.name, choice.language].filter(Boolean).join(', ');
	if (template) {
		throw refusal(item, 'TEMPLATE_LANGUAGE_REQUIRED', `There are several templates "${name}".`);
	}
	const fact = list.isComplete
		? `The chatbot has no approved template "${name}".`
		: `"${name}" is not in the list, but the service could not read all WhatsApp accounts. Run again later.`;
	throw refusal(item, 'TEMPLATE_NOT_FOUND', fact);
}

/** The number must be of the template's account, since another account can have a template of the same name. */
function senderOf(
	item: InputItem,
	wabaId: string,
	{ senders = [] }: TemplateList,
	from: string | undefined,
): string | undefined {
	const own = senders.filter((sender) => sender.wabaId === wabaId).map((sender) => sender.from);
	const isKnown = own.some((number) => number.replace(/\D/g, '') === from);
	if (senders.length === 0 || isKnown) return from;
	if (from === undefined && own.length === 1) return own[0];
	throw item.error(
		from === undefined ? 'From is empty' : 'From is not a number of the template',
		`The account of the template has ${own.join(', ')}. Add From under Options with one of these numbers.`,
	);
}

async function sendMessage(api: ApiClient, message: Message): Promise<IDataObject> {
	const { chatbotId, name, language, to, from, variables, dryRun, text } = message;
	if (dryRun) return { to, from, template: name, language, variables, text };
	const body = { to, from, template: { name, language, variables } };
	const response = await api.send({ ...send.request, params: { chatbotId }, body });
	const sent = isObject(response.body) ? response.body : {};
	if (response.outcome || !('messageId' in sent)) throw failureOf(api, response);
	const { messageId, conversationId, ...rest } = sent;
	return { messageId, conversationId, to, ...rest, template: name, language };
}

function failureOf(api: ApiClient, response: ApiResponse) {
	const { outcome, mayHaveRun, body, version } = response;
	const failure = api.failure(response);
	if (!outcome || mayHaveRun) {
		return withSentence(
			failure,
			'The message may have been sent. Check the conversation of the customer before you run again.',
		);
	}
	// The service names a variable as `body[1]`; the panel shows it as `Body 1`.
	const details = version.wordsIn(body).issues.filter(([field]) => /missing|invalid/.test(field));
	const named = [...details.join().matchAll(/(\w+)\[(\w+)\]([^",\]]*)/g)].map(
		([, component, key, fault]) => variableLabel(component, key) + fault,
	);
	return named.length > 0
		? withSentence(failure, `In Template Variables: ${named.join(', ')}.`)
		: failure;
}
