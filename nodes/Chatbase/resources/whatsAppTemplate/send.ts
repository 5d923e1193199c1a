import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { withSentence } from '../../api/errors';
import { forEachLimited } from '../../api/limits';
import type { ApiResponse } from '../../api/response';
import type { InputItem, RunContext } from '../../execution/item';
import type { PendingItem } from '../../execution/run';
import { operation, optionsField } from '../../fields/define';
import { dryRunField } from '../../fields/dryRun';
import { idField, optionalField, requiredField } from '../../fields/field';
import { chatbotField, locator } from '../../fields/locators';
import { maxConcurrencyOption } from '../../fields/paging';
import { filledText, text, type ValueType } from '../../fields/values';
import { countFormat } from '../../values/scalar';
import { groupBy } from '../../values/groupBy';
import { isObject } from '../../values/object';
import type { Template, TemplateChoice, TemplateList, Values } from './templates';
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

interface Message {
	chatbotId: string;
	choice: TemplateChoice;
	to: string;
	from?: string;
	variables: Values;
	dryRun: boolean;
	/** As the list has it, if the list was read. */
	template?: Template;
}

type Item = PendingItem<Message>;

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
	action: 'Send WhatsApp template',
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
	worksAsTool: false,

	validateRun: assertSentOnce,

	read(item) {
		const choice = parseChoice(templateField.read(item));
		return {
			chatbotId: chatbotField.read(item),
			choice: { ...choice, language: choice.language ?? language.read(item)?.trim() },
			to: to.read(item),
			from: from.read(item),
			variables: readVariables(item),
			dryRun: dryRun.read(item),
		};
	},

	async sendAll({ items, context, limits }) {
		const checked = await checkAgainstLists(items);
		warnOfRepeats(context, checked);
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

/** A message costs money and reaches a person, so everything that sends an item again is refused. */
function assertSentOnce(context: RunContext) {
	if (context.isTool) {
		throw context.error(
			'Send does not work as a tool',
			'An agent could message people by a wrong number. Send templates from a workflow.',
		);
	}
	if (!context.node.retryOnFail) return;
	throw context.error(
		'Turn off Retry On Fail',
		'n8n would send the messages of all items again, and each one costs money. Nothing was sent. The node itself repeats what surely did not run.',
	);
}

/**
 * Reads the list of each chatbot whose template was chosen from it, and of dry runs. Fails items that can't be sent
 * before any message is.
 */
async function checkAgainstLists(items: Item[]): Promise<Item[]> {
	const checked: Item[] = [];
	for (const pending of items) {
		const { item, params, api, fail } = pending;
		const { chatbotId, choice, dryRun } = params;
		try {
			if (choice.wabaId !== undefined || dryRun) {
				const key = `templates of ${chatbotId}`;
				const list = await api.state.memoize(key, async () => await readTemplates(api, chatbotId));
				checkMessage(item, params, list);
			}
			checked.push(pending);
		} catch (error) {
			fail(error);
		}
	}
	return checked;
}

/** Checks the message against the list, and completes it: the language, and the number of the account. */
function checkMessage(item: InputItem, message: Message, list: TemplateList) {
	const { choice, variables } = message;
	const template = findTemplate(item, choice, list);
	if (!isSendable(template)) {
		throw item.error(
			'The template has a button that needs a value',
			`The API can't fill in the address of a button in "${template.name}". Choose a template without such a button.`,
		);
	}
	const missing = variablesOf(template).filter(
		({ component, key }) => !variables[component]?.[key],
	);
	if (missing.length > 0) {
		const names = missing.map(variableLabel).join(', ');
		throw item.error(
			'Template Variables are not complete',
			`"${template.name}" also needs ${names}. Refresh the fields of Template Variables and fill them in.`,
		);
	}
	message.template = template;
	message.choice = { name: choice.name, language: template.language };
	message.from = senderOf(item, template, list, message.from);
}

function findTemplate(item: InputItem, choice: TemplateChoice, list: TemplateList): Template {
	const [template, ...others] = matchesOf(list.templates, choice);
	if (template && others.length === 0) return template;
	const name = [choice.name, choice.language].filter(Boolean).join(', ');
	if (template) {
		throw item.error(
			'Several templates have this name',
			`"${name}" has several languages or accounts. Choose one From List.`,
		);
	}
	throw item.error(
		'The template was not found',
		list.isComplete
			? `The chatbot has no approved template "${name}". Choose another one From List.`
			: `"${name}" is not in the list, but the service could not read all WhatsApp accounts. Run again later.`,
	);
}

/** The number must be of the template's account, since another account can have a template of the same name. */
function senderOf(
	item: InputItem,
	{ wabaId }: Template,
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

/** Two equal items are two messages, which may be a mistake in the input. */
function warnOfRepeats(context: RunContext, items: Item[]) {
	const messages = new Set(items.map(({ params }) => JSON.stringify({ ...params, template: 0 })));
	const repeats = items.length - messages.size;
	if (repeats === 0) return;
	context.warn(
		`${countFormat.format(repeats)} of ${countFormat.format(items.length)} messages repeat another one: same template, number and variables. Each item is a message.`,
	);
}

async function sendMessage(api: ApiClient, message: Message): Promise<IDataObject> {
	const { chatbotId, choice, to, from, variables, dryRun, template } = message;
	const { name, language } = choice;
	if (dryRun) {
		const read = template && textOf(template, variables);
		return { to, from, template: name, language, variables, text: read };
	}
	const response = await api.send({
		...send.request,
		params: { chatbotId },
		body: { to, from, template: { name, language, variables } },
	});
	const { outcome, body } = response;
	if (outcome || !isObject(body) || !('messageId' in body)) {
		throw failureOf(api, response);
	}
	const { messageId, conversationId, ...rest } = body;
	return { messageId, conversationId, to, ...rest, template: name, language };
}

const mayBeSent =
	'The message may have been sent. Check the conversation of the customer before you run again.';

function failureOf(api: ApiClient, response: ApiResponse) {
	if (!response.outcome) return withSentence(api.unexpected(response), mayBeSent);
	const failure = api.failure(response);
	if (response.mayHaveRun) return withSentence(failure, mayBeSent);
	const places = namedVariables(response.body);
	return places ? withSentence(failure, `In Template Variables: ${places}.`) : failure;
}

/** The service names a variable as `body[1]`; the panel shows it as `Body 1`. */
function namedVariables(body: unknown): string {
	const error = isObject(body) && isObject(body.error) ? body.error : {};
	const { missing, invalid } = isObject(error.details) ? error.details : {};
	return [missing, invalid]
		.filter(Boolean)
		.join(', ')
		.replace(/(\w+)\[(\w+)\]/g, (_, component: string, key: string) =>
			variableLabel({ component, key }),
		);
}
