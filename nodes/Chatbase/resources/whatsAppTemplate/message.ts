import { errorTexts } from '../../api/errorTexts';
import type { InputItem } from '../../execution/item';
import { readAs } from '../../panel/field';
import { text } from '../../panel/types';
import {
	matchesOf,
	quoteChoice,
	type Sender,
	sendersOf,
	type Template,
	type TemplateChoice,
	type TemplateList,
} from './templates';
import { textOf, type Values, variableName } from './variables';

export interface Message {
	chatbotId: string;
	choice: TemplateChoice;
	/** Digits of the customer's number. */
	to: string;
	/** Digits of the number to send from; undefined leaves it to the service, which allows that if there is only one. */
	from?: string;
	variables: Values;
	/** Whether it is only shown. */
	dryRun: boolean;
	/** As the customer reads it; undefined if the list does not have the template. */
	text?: string;
}

/**
 * Checks a message against the list of templates, and completes it: language, number and text. What a partial list lacks
 * is left to the service. Throws if the service would refuse the message, or send another template.
 */
export function checkMessage(
	item: InputItem,
	message: Message,
	list: TemplateList,
): Message {
	const { choice, variables } = message;
	const template = templateFor(item, message, list);
	if (!template) return message;
	assertSendable(item, template, variables);

	// An account that the service could not read may have a template of this name, too.
	const isOnly = list.isComplete || choice.account !== undefined;
	const senders = isOnly ? sendersOf(list, template) : undefined;
	return {
		...message,
		choice: { ...choice, language: template.language || undefined },
		from: message.from ?? onlyNumberOf(item, senders),
		text: textOf(template, variables),
	};
}

/**
 * The account of the number to send from; undefined if none was entered, or the list may lack it. Throws if the number is
 * not one of the template: from another account, the service would send the template of the same name there.
 */
function accountOf(
	item: InputItem,
	{ choice, from }: Message,
	{ templates, senders, isComplete }: TemplateList,
): string | undefined {
	if (!from) return undefined;

	const named = matchesOf(templates, choice);
	const accounts = choice.account
		? [choice.account]
		: named.map(({ account }) => account);
	const sender = senders.find(({ number }) => number === from);
	const isKnownToLack = !sender && isComplete && senders.length > 0;
	const isOfOtherAccount =
		sender && accounts.length > 0 && !accounts.includes(sender.account);
	if (isKnownToLack || isOfOtherAccount) {
		const ofAccounts = senders.filter(({ account }) => accounts.includes(account));
		throw item.error('From is not a number of the template', numbersOf(ofAccounts));
	}
	return sender?.account;
}

/** The one template that the choice means; undefined if only the service can tell. Throws if it can't be one. */
function templateFor(
	item: InputItem,
	message: Message,
	list: TemplateList,
): Template | undefined {
	const { choice } = message;
	const { senders, isComplete } = list;
	const account = accountOf(item, message, list) ?? choice.account;
	const possible = matchesOf(list.templates, { ...choice, account });
	if (possible.length === 0) {
		if (!isComplete) return undefined;
		throw refusal(
			item,
			'TEMPLATE_NOT_FOUND',
			`The list has no template ${quoteChoice(choice)}.`,
		);
	}

	const [template] = possible;
	const isOneAccount = possible.every(({ account }) => account === template.account);
	if (!isOneAccount) {
		// Without a list of numbers, only the service knows from which account it would send.
		if (senders.length === 0) return undefined;
		const fact = `Several WhatsApp accounts have a template ${quoteChoice(choice)}.`;
		throw refusal(item, 'PHONE_NUMBER_REQUIRED', fact);
	}

	if (possible.length === 1) return template;
	const fact = `There are several templates ${quoteChoice(choice)}.`;
	throw refusal(item, 'TEMPLATE_LANGUAGE_REQUIRED', fact);
}

function assertSendable(item: InputItem, template: Template, values: Values) {
	const { obstacle, variables } = template;
	if (obstacle) throw refusal(item, 'TEMPLATE_BUTTONS_UNSUPPORTED', obstacle);
	if (!variables) return;

	const missing = variables.filter((id) => !Object.hasOwn(values, id));
	if (missing.length > 0) {
		const fact = `${quoteChoice(template)} also needs ${namesOf(missing)}.`;
		throw refusal(item, 'MISSING_TEMPLATE_VARIABLES', fact);
	}

	const known = new Set(variables);
	const unknown = Object.keys(values).filter((id) => !known.has(id));
	if (unknown.length === 0) return;

	const fact = `${quoteChoice(template)} has no ${namesOf(unknown)}.`;
	const nextStep = 'Refresh the fields of Template Variables, or correct Variables JSON.';
	throw item.error('The template has fewer variables', `${fact} ${nextStep}`);
}

function onlyNumberOf(item: InputItem, senders?: Sender[]): string | undefined {
	if (!senders) return undefined;
	if (senders.length === 1) return senders[0].number;
	throw item.error('From is empty', numbersOf(senders));
}

function numbersOf(senders: Sender[]): string {
	const numbers = senders.map(({ number }) => number).join(', ') || 'none';
	return `Numbers of the template's account: ${numbers}. Add one of them as From under Options.`;
}

function namesOf(variables: string[]): string {
	return variables.map(variableName).join(', ');
}

/** The service would refuse the message in the same words. */
function refusal(item: InputItem, code: string, fact: string) {
	const { title, nextStep } = errorTexts[`code ${code}`]!;
	return item.error(title, `${fact} ${nextStep}`);
}

/** Fewest and most digits of a phone number with its country code (the most: ITU-T E.164). */
const digitsRange = { min: 7, max: 15 };

/** What an address book has around a number, such as direction marks. Nobody sees them. */
const invisible = /\p{Cf}/gu;

/** Spaces and hyphens of any kind, and what else people write between digits. A slash, a comma or a line break stands between two numbers. */
const separators = /[\p{Zs}\p{Pd}\u2212()[\].]/gu;

/** A plus sign begins a number. A later one begins another. */
const firstPlus = /^\p{Zs}*\+/u;

/** In `+44 (0)20 …`: the zero that is dialed within the country only. */
const innerZero = /\(\s*0\s*\)\s*/;

/** A number with decimals, as a spreadsheet writes `14155552671.0`. A phone number has several groups, or a short one before the dot. */
const fraction = /^(?:\p{Zs}*\d+\.\d+|[^.]*(?:\d{6}\.\d+|\d\.\d))\p{Zs}*$/u;

/** Digits with the country code. Throws if the value is anything but one phone number. */
export function readPhoneNumber(item: InputItem, value: unknown, label: string): string {
	const written = (text.read(value) ?? '').replace(invisible, '');
	const dialed = written.replace(firstPlus, '').replace(separators, '');
	// Without a plus sign, two zeros stand for it.
	const digits = firstPlus.test(written) ? dialed : dialed.replace(/^00/, '');

	const rule = adviceFor(written, digits);
	const read = () => (rule === undefined ? digits : undefined);
	return readAs(item, value, { expected: 'a phone number', rule, read }, label);
}

/** Undefined for one phone number. */
function adviceFor(written: string, digits: string): string | undefined {
	if (innerZero.test(written))
		return `Write it without "(0)": ${written.replace(innerZero, '').trim()}.`;
	if (fraction.test(written))
		return 'Write it without a fraction, such as ".0" of a spreadsheet.';
	if (/[^\P{Nd}0-9]/u.test(written)) return 'Write its digits as 0 to 9.';

	const { min, max } = digitsRange;
	if (!/^\d+$/.test(digits) || digits.length < min)
		return 'Enter one number: its country code and digits, such as +14155552671.';
	if (/^00[1-9]/.test(digits))
		return `Write either + or 00: +${digits.slice('00'.length)}.`;
	if (digits.startsWith('0'))
		return 'It begins with 0, so it has no country code. Write the country code in place of the 0, such as +44 20 7946 0100 for 020 7946 0100.';
	if (digits.length > max)
		return `A phone number has at most ${max} digits, and this one has ${digits.length}.`;
	return undefined;
}
