import type { IDataObject, ResourceMapperField } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { errorTexts } from '../../api/errorTexts';
import { forEachLimited } from '../../api/concurrency';
import { withSentence } from '../../api/errors';
import type { InputItem } from '../../execution/item';
import { hasExpression } from '../../execution/expression';
import type { ReadyItem } from '../../execution/run';
import { optionsField } from '../../panel/collections';
import { dryRunField } from '../../panel/dryRun';
import { optionalField, readAs, readJsonObject, requiredField } from '../../panel/field';
import { operation } from '../../panel/operation';
import { maxConcurrencyOption } from '../../panel/paging';
import { filledText, text, type ValueType } from '../../panel/types';
import { isBlank, isObject } from '../../values/json';
import { groupBy } from '../../values/list';
import { countFormat } from '../../values/number';
import { chatbotField } from '../chatbot/chatbotField';
import { templateField, variablesField } from './templateField';
import type { Values } from './templates';
import {
	choiceOf,
	choiceValue,
	matchesOf,
	readTemplates,
	textOf,
	variableLabel,
	variablesOf,
} from './templates';

/** Digits with the country code. The API ignores separators. */
const phoneNumber: ValueType<string> = {
	expected: 'a phone number',
	rule: 'Use the country code and digits, such as +14155552671.',
	read(value) {
		const digits = text.read(value)?.replace(/[\s()./+-]/g, '') ?? '';
		return /^\d{7,}$/.test(digits) ? digits : undefined;
	},
};

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

const variablesJson = optionalField('options.variablesJson', 'Variables JSON', text, {
	type: 'json',
	placeholder: 'e.g. {"body": {"1": "Jane"}}',
	description:
		'Replaces Template Variables. Needed if Template is an expression, since its variables are not known before.',
});

const path = '/agents/{chatbotId}/whatsapp/messages/template';

const read = (item: InputItem) => ({
	chatbotId: chatbotField.read(item),
	/** Name, language and account of the template, as far as they are known. */
	choice: choiceOf(templateField.read(item), language.read(item)),
	to: to.read(item),
	from: from.read(item),
	variables: readVariables(item),
	dryRun: dryRun.read(item),
});

/** The message as the customer reads it is added if its template is known. */
type Message = ReturnType<typeof read> & { text?: string };

export const send = operation<Message>({
	value: 'send',
	description: 'Message a customer with a template. Accepted by WhatsApp does not mean delivered.',
	request: { method: 'POST', path, resource: 'agent' },
	fields: [
		chatbotField,
		templateField,
		to,
		variablesField,
		optionsField([dryRun, from, language, maxConcurrencyOption, variablesJson]),
	],
	notAsTool: 'An agent could message people by a wrong number. Send templates from a workflow.',

	validateRun: (context) =>
		context.assertNoRetry('n8n would send all messages again, and each one costs money.'),

	read,

	async sendAll({ items, context, limits }) {
		const checked: typeof items = [];
		for (const pending of items) {
			await checkAgainstList(pending).then(() => checked.push(pending), pending.fail);
		}
		const different = new Set(checked.map(({ params }) => JSON.stringify(params)));
		const repeats = checked.length - different.size;
		if (repeats > 0) {
			const share = `${countFormat.format(repeats)} of ${countFormat.format(checked.length)} messages`;
			const what = 'same template, number and variables. Each item is a message.';
			context.warn(`${share} repeat another one: ${what}`);
		}
		const byNumber = groupBy(checked, ({ params }) => params.to);
		await forEachLimited([...byNumber.values()], limits.maxConcurrency, async (group) => {
			for (const { params, api, succeed, fail } of group) {
				await sendMessage(api, params).then((record) => succeed([record]), fail);
			}
		});
	},
});

/** What a value must not be (reference of version 2, 14.2). */
const faults: Array<[RegExp, string]> = [
	[/^\s*$/, 'is empty'],
	[/[\r\n]/, 'contains a line break'],
	[/\t/, 'contains a tab'],
	[/ {5}/, 'contains more than four spaces in a row'],
];

/** The values as text, each checked by the rules of WhatsApp. */
function readVariables(item: InputItem): Values {
	const json = item.parameter('options.variablesJson');
	const given = isBlank(json) ? readMapped(item) : readJsonObject(item, json, 'Variables JSON');
	const components = Object.entries(given).map(([component, held]) => {
		const keys = Object.entries(readJsonObject(item, held, `Variables JSON: ${component}`));
		const values = keys.map(([key, value]) => [key, readValue(item, component, key, value)]);
		return [component, Object.fromEntries(values)];
	});
	return Object.fromEntries(components) as Values;
}

function readValue(item: InputItem, component: string, key: string, value: unknown): string {
	const label = variableLabel(component, key);
	const read = isBlank(value) ? '' : readAs(item, value, text, label);
	const [, fault] = faults.find(([pattern]) => pattern.test(read)) ?? [];
	if (!fault) return read;
	const rule = 'no empty value, no line break, no tab, and no more than four spaces in a row';
	throw item.error(`${label} ${fault}`, `WhatsApp takes ${rule}.`);
}

/** The values of the mapper. One that was not filled in counts as empty. */
function readMapped(item: InputItem): IDataObject {
	if (hasExpression(item.rawParameter('template'))) {
		const nextStep =
			'Template is an expression, so the fields in Template Variables may belong to another template. Add Variables JSON under Options; {} if the template has none.';
		throw item.error('Variables JSON is empty', nextStep);
	}
	const { value, schema } = item.collection('templateVariables');
	const fields = (schema ?? []) as ResourceMapperField[];
	const empty = Object.fromEntries(fields.map(({ id }) => [id, '']));
	// Without a prototype, `__proto__` is a name like any other.
	const mapped = Object.create(null) as Record<string, IDataObject>;
	for (const [id, held] of Object.entries({ ...empty, ...(value as IDataObject) })) {
		const [component, key] = id.split(/\.(.*)/s);
		(mapped[component] ??= {})[key] = held;
	}
	return mapped;
}

/**
 * Checks a message against the list of templates, before any message is sent, and completes it: the language, and the
 * number of the account. A typed template is checked by the service, except in a dry run.
 */
async function checkAgainstList({ item, params: message, api }: ReadyItem<Message>) {
	const { chatbotId, choice, dryRun, variables } = message;
	const [name, language, account] = choice.split('|');
	if (account === undefined && !dryRun) return;
	const readList = async () => await readTemplates(api, chatbotId);
	const { templates, isComplete } = await api.state.memoize(`templates of ${chatbotId}`, readList);
	const [template, ...others] = matchesOf(templates, choice);
	const what = `"${[name, language].filter(Boolean).join(', ')}"`;
	const gap = isComplete ? '' : ' The service could not read all WhatsApp accounts.';
	const missing = variablesOf(template).filter((each) => !variables[each.component]?.[each.key]);
	const labels = missing.map(({ label }) => label).join(', ');
	const refusals = {
		TEMPLATE_NOT_FOUND: !template && `The list has no template ${what}.${gap}`,
		TEMPLATE_LANGUAGE_REQUIRED: others.length > 0 && `There are several templates ${what}.`,
		TEMPLATE_BUTTONS_UNSUPPORTED: !template?.isSendable && `The template is ${what}.`,
		MISSING_TEMPLATE_VARIABLES: labels && `${what} also needs ${labels}.`,
	};
	const found = Object.entries(refusals).find(([, fact]) => fact);
	if (!template || found) {
		const [code, fact] = found!;
		// The service would refuse it in the same words.
		const { title, nextStep } = errorTexts[`code ${code}`]!;
		throw item.error(title, `${fact} ${nextStep}`);
	}
	const own = template.senders?.map((sender) => sender.from.replace(/\D/g, ''));
	const { from = own?.length === 1 ? own[0] : undefined } = message;
	// From another account, the service would send the template of the same name there.
	if (own && !own.some((number) => number === from)) {
		const nextStep = `Numbers of the template's account: ${own.join(', ') || 'none'}. Add one of them as From under Options.`;
		throw item.error(`From is ${from ? 'not a number of the template' : 'empty'}`, nextStep);
	}
	const text = textOf(template, variables);
	Object.assign(message, { choice: choiceValue(template), from, text });
}

const mayBeSent =
	'The message may have been sent. Check the conversation of the customer before you run again.';

async function sendMessage(api: ApiClient, message: Message): Promise<IDataObject> {
	const { chatbotId, choice, to, from, variables, dryRun, text } = message;
	const [name, language] = choice.split('|');
	if (dryRun) return { to, from, template: name, language, variables, text };
	const body = { to, from, template: { name, language, variables } };
	const response = await api.send({ ...send.request, params: { chatbotId }, body });
	const { outcome, mayHaveRun, body: sent } = response;
	if (!outcome && isObject(sent) && 'messageId' in sent) {
		return { to, ...sent, template: name, language };
	}
	const failure = api.failure(response);
	if (!outcome || mayHaveRun) throw withSentence(failure, mayBeSent);
	// The service names a variable as `body[1]`, the panel as `Body 1`.
	failure.description = failure.description?.replace(/(\w+)\[(\w+)\]/g, '$1 $2');
	throw failure;
}
