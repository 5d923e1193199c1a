import { whatsAppTexts } from '../../api/errorTexts';
import type { Failure } from '../../api/failure';
import type { InputItem } from '../../execution/item';
import {
	matchesOf,
	quoteChoice,
	type Template,
	type TemplateChoice,
	type TemplateList,
} from './templates';
import { messageText, type VariableValues, variableName } from './variables';

export interface TemplateMessage {
	readonly chatbotId: string;
	readonly choice: TemplateChoice;
	/** Digits of the customer's number. */
	readonly to: string;
	/** Digits of the number to send from. If undefined, the service chooses; it does so only if there is a single number. */
	readonly from?: string;
	readonly variables: VariableValues;
	/** Whether the message is only shown, and not sent. */
	readonly dryRun: boolean;
	/** The text as the customer reads it. Undefined if the list does not say which template it is. */
	readonly text?: string;
}

/**
 * Adds language, number and text to a message. Throws if the service would refuse it after others were sent and paid for, or
 * if it would send another template.
 */
export function checkMessage(
	item: InputItem,
	message: TemplateMessage,
	{ templates, senders, isComplete }: TemplateList,
): TemplateMessage {
	const { choice, from, variables } = message;
	const [template, ...others] = matchesOf(templates, choice);

	// The account that the list lacks may have this template. The service decides.
	const isCertain = isComplete || (template && choice.account !== undefined);
	if (!isCertain) return message;
	if (!template) {
		const fact = `The list has no template ${quoteChoice(choice)}.`;
		throw refusal(item, 'TEMPLATE_NOT_FOUND', fact);
	}

	// The service sends the one of its number, or refuses, which costs nothing.
	if (others.length > 0) return message;
	assertVariables(item, template, variables);

	// From the number of another account, the service would send that one's template of the same name.
	const own = senders.filter(({ account }) => account === template.account);
	const numbers = own.map(({ number }) => number);
	if (senders.length > 0 && numbers.length === 0) throw withoutNumber(item);
	if (from && numbers.length > 0 && !numbers.includes(from))
		throw withOtherNumber(item, numbers);

	const [only] = numbers.length === 1 ? numbers : [];
	return {
		...message,
		choice: { ...choice, language: template.language || undefined },
		from: from ?? only,
		text: messageText(template, variables),
	};
}

function assertVariables(
	item: InputItem,
	template: Template,
	values: VariableValues,
): void {
	const { variables = [] } = template;
	const missing = variables.filter((id) => !Object.hasOwn(values, id));
	if (missing.length === 0) return;

	const names = missing.map(variableName).join(', ');
	const fact = `${quoteChoice(template)} also needs ${names}.`;
	throw refusal(item, 'MISSING_TEMPLATE_VARIABLES', fact);
}

function withoutNumber(item: InputItem): Failure {
	const nextStep =
		'Connect a number to this WhatsApp account, or choose a template of another one.';
	return item.error("The template's account has no number", nextStep);
}

function withOtherNumber(item: InputItem, numbers: readonly string[]): Failure {
	const nextStep = `Its account has ${numbers.join(', ')}. Change From under Options.`;
	return item.error('From is not a number of the template', nextStep);
}

/** The failure that the service would give, in the same words. */
function refusal(
	item: InputItem,
	code: keyof typeof whatsAppTexts,
	fact: string,
): Failure {
	const { title, nextStep } = whatsAppTexts[code];
	return item.error(title, `${fact} ${nextStep}`);
}
