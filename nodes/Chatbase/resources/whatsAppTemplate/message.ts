import { whatsAppTexts } from '../../api/errorTexts';
import type { Failure } from '../../api/failure';
import type { InputItem } from '../../execution/item';
import {
	matchesOf,
	quoteChoice,
	type Sender,
	type Template,
	type TemplateChoice,
	type TemplateList,
} from './templates';
import { messageText, type VariableValues, variableName } from './variables';

export interface TemplateMessage {
	chatbotId: string;
	choice: TemplateChoice;
	/** Digits of the customer's number. */
	to: string;
	/** Digits of the number to send from. If undefined, the service chooses; it does so only if there is a single number. */
	from?: string;
	variables: VariableValues;
	/** Whether the message is only shown, and not sent. */
	dryRun: boolean;
	/** The text as the customer reads it. Undefined if the list does not have the template. */
	text?: string;
}

/**
 * Checks a message with the list of templates, and adds its language, number and text. If a partial list lacks something, the
 * service decides. Throws if the service would refuse the message, or send another template.
 */
export function checkMessage(
	item: InputItem,
	message: TemplateMessage,
	list: TemplateList,
): TemplateMessage {
	const { choice, from, variables } = message;
	const sender = from
		? senderWith(item, { from, choice }, list)
		: onlySender(item, choice, list);

	// The service looks for the template in the account of the number.
	const account = sender?.account ?? choice.account;
	const template = templateFor(item, { ...choice, account }, list);
	if (!template) return message;

	assertSendable(item, template, variables);
	return {
		...message,
		choice: { ...choice, language: template.language || undefined },
		from: sender?.number ?? from,
		text: messageText(template, variables),
	};
}

/** The numbers from which the template can be sent: those of its account if one was chosen, otherwise all. */
function sendersFor({ account }: TemplateChoice, { senders }: TemplateList): Sender[] {
	if (account === undefined) return senders;
	return senders.filter((sender) => sender.account === account);
}

/** The number to send from if there is only one; undefined if only the service can tell. Throws if there are several. */
function onlySender(
	item: InputItem,
	choice: TemplateChoice,
	list: TemplateList,
): Sender | undefined {
	const possible = sendersFor(choice, list);
	if (possible.length > 1) {
		const fact = `Its numbers: ${numbersOf(possible)}.`;
		throw refusal(item, 'PHONE_NUMBER_REQUIRED', fact);
	}

	// An account that the service could not read may have another number.
	const isKnown = list.isComplete || choice.account !== undefined;
	if (possible.length === 1) return isKnown ? possible[0] : undefined;

	// The service would send a template of the same name from another account.
	const hasOthers = list.isComplete && list.senders.length > 0;
	if (hasOthers) throw withoutNumber(item);
	return undefined;
}

/** A number to send from, and the template that it is to send. */
interface Sending {
	readonly from: string;
	readonly choice: TemplateChoice;
}

/** The entry of a number. Undefined if the list may lack it. Throws if the number does not belong to the template's account. */
function senderWith(
	item: InputItem,
	{ from, choice }: Sending,
	list: TemplateList,
): Sender | undefined {
	const possible = sendersFor(choice, list);
	const sender = possible.find(({ number }) => number === from);
	if (sender) return sender;

	const isOfOther = list.senders.some(({ number }) => number === from);
	const isNowhere = list.isComplete && list.senders.length > 0;
	if (!isOfOther && !isNowhere) return undefined;
	if (possible.length === 0) throw withoutNumber(item);

	throw item.error(
		'From is not a number of the template',
		`Its account has ${numbersOf(possible)}. Change From under Options.`,
	);
}

/** The template that the choice means. Undefined if only the service can tell. Throws if there is none, or more than one. */
function templateFor(
	item: InputItem,
	choice: TemplateChoice,
	list: TemplateList,
): Template | undefined {
	const possible = matchesOf(list.templates, choice);
	const [template] = possible;
	if (!template && !list.isComplete) return undefined;

	if (!template) {
		const fact = `The list has no template ${quoteChoice(choice)}.`;
		throw refusal(item, 'TEMPLATE_NOT_FOUND', fact);
	}

	// Only the service knows from which account it would send.
	const isOneAccount = possible.every(({ account }) => account === template.account);
	if (!isOneAccount) return undefined;
	if (possible.length === 1) return template;

	const fact = `There are several templates ${quoteChoice(choice)}.`;
	throw refusal(item, 'TEMPLATE_LANGUAGE_REQUIRED', fact);
}

function assertSendable(item: InputItem, template: Template, values: VariableValues) {
	const { obstacle, variables } = template;
	if (obstacle) throw refusal(item, 'TEMPLATE_BUTTONS_UNSUPPORTED', obstacle);
	if (!variables) return;

	const missing = variables.filter((id) => !Object.hasOwn(values, id));
	if (missing.length > 0) {
		const fact = `${quoteChoice(template)} also needs ${joinVariableNames(missing)}.`;
		throw refusal(item, 'MISSING_TEMPLATE_VARIABLES', fact);
	}

	const known = new Set(variables);
	const unknown = Object.keys(values).filter((id) => !known.has(id));
	if (unknown.length === 0) return;

	const fact = `${quoteChoice(template)} has no ${joinVariableNames(unknown)}.`;
	const nextStep = 'Refresh the fields of Template Variables, or correct Variables JSON.';
	throw item.error('The template has fewer variables', `${fact} ${nextStep}`);
}

function numbersOf(senders: Sender[]): string {
	return senders.map(({ number }) => number).join(', ');
}

function joinVariableNames(variables: string[]): string {
	return variables.map(variableName).join(', ');
}

function withoutNumber(item: InputItem): Failure {
	const nextStep =
		'Connect a number to this WhatsApp account, or choose a template of another one.';
	return item.error("The template's account has no number", nextStep);
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
