/** Templates of WhatsApp. Reference of version 2. */
import type { Chatbot } from '../core/store';
import type { BehaviourV2 } from './behaviour';
import { endpoints } from './contract';
import { ApiError } from './errors';
import { route } from './route';
import type { WhatsAppAccount, WhatsAppTemplate } from './state';

export const whatsappRoutes = [
	route(endpoints.templates, ({ agent, behaviour }) => {
		const accounts = accountsOf(agent);
		const isPartial = behaviour.partialTemplateLists > 0;
		if (isPartial) behaviour.partialTemplateLists--;

		const readable = isPartial ? accounts.slice(0, -1) : accounts;
		const senders = readable.flatMap(({ senders: own, id: wabaId }) =>
			own.map((sender) => ({ ...sender, wabaId })),
		);

		return {
			templates: readable.flatMap(({ id: wabaId, templates }) =>
				templates
					.filter(({ status }) => status === 'APPROVED')
					.map((template) => ({ ...template, wabaId })),
			),
			complete: !isPartial,
			unavailableWabaIds: isPartial ? accounts.slice(-1).map(({ id }) => id) : [],
			...(behaviour.templateSenders === 'listed' && { senders }),
		};
	}),

	route(endpoints.sendTemplate, (call) => {
		const { agent, body, behaviour, store, response } = call;
		const account = sendingAccount(agent, body.from);
		const template = chosenTemplate(account, body.template);
		assertVariables(template, body.template.variables);

		const to = digitsOf(body.to);
		if (!/^[1-9]\d{6,14}$/.test(to)) throw new ApiError('RECIPIENT_INVALID');
		refuseSending(behaviour);

		const { whatsapp } = agent.agent;
		const known = whatsapp.sent.find((message) => message.to === to);
		const message = {
			messageId: `wamid.${store.newId()}`,
			conversationId: known?.conversationId ?? store.newId(),
			to,
			from: body.from ?? account.senders[0].from,
			template: body.template,
		};
		whatsapp.sent.push(message);

		void response.code(201);
		const hasIds = behaviour.templateSend === 'accepted';
		return {
			messageId: hasIds ? message.messageId : null,
			conversationId: hasIds ? message.conversationId : null,
			to,
		};
	}),
];

function refuseSending({ templateSend: outcome }: BehaviourV2): void {
	if (outcome === 'accepted' || outcome === 'withoutIds') return;
	throw new ApiError(outcome, outcome === 'SEND_BLOCKED' ? { reason: 'Payment issue' } : undefined);
}

function digitsOf(number: string): string {
	return number.replace(/\D/g, '');
}

function accountsOf({ agent }: Chatbot): WhatsAppAccount[] {
	const { accounts } = agent.whatsapp;
	if (accounts.length === 0) throw new ApiError('WHATSAPP_NOT_CONNECTED');
	return accounts;
}

function sendingAccount(agent: Chatbot, from: string | undefined): WhatsAppAccount {
	const accounts = accountsOf(agent);
	if (from === undefined) {
		const senders = accounts.flatMap((account) => account.senders.map(() => account));
		if (senders.length > 1) throw new ApiError('PHONE_NUMBER_REQUIRED');
		return senders[0];
	}

	const account = accounts.find(({ senders }) =>
		senders.some((sender) => digitsOf(sender.from) === digitsOf(from)),
	);
	if (!account) throw new ApiError('PHONE_NUMBER_NOT_FOUND');
	return account;
}

function chosenTemplate(
	{ templates }: WhatsAppAccount,
	{ name, language }: { name: string; language?: string },
): WhatsAppTemplate {
	const named = templates.filter(
		(template) => template.name === name && template.language === (language ?? template.language),
	);
	const approved = named.filter(({ status }) => status === 'APPROVED');
	if (named.length === 0) throw new ApiError('TEMPLATE_NOT_FOUND');
	if (approved.length === 0) {
		throw new ApiError('TEMPLATE_NOT_APPROVED', { status: named[0].status });
	}
	if (approved.length > 1) throw new ApiError('TEMPLATE_LANGUAGE_REQUIRED');

	refuseDynamicButtons(approved[0]);
	return approved[0];
}

function refuseDynamicButtons({ components }: WhatsAppTemplate): void {
	const dynamic = components
		.flatMap(({ buttons }) => buttons ?? [])
		.filter(({ type, url }) => url?.includes('{{') || ['COPY_CODE', 'OTP'].includes(type));
	if (dynamic.length === 0) return;

	const buttons = dynamic.map(({ type, text }) => text ?? type).join(', ');
	throw new ApiError('TEMPLATE_BUTTONS_UNSUPPORTED', { buttons });
}

/** What WhatsApp takes as the value of a variable. */
function faultOf(value: string): string | undefined {
	if (value.trim() === '') return 'is empty';
	if (/[\r\n]/.test(value)) return 'contains a line break';
	if (value.includes('\t')) return 'contains a tab';
	return / {5}/.test(value) ? 'contains more than four consecutive spaces' : undefined;
}

function assertVariables(
	{ variables }: WhatsAppTemplate,
	given: Record<string, Record<string, string>>,
): void {
	const needed = Object.entries(variables).flatMap(([component, keys]) =>
		keys.map((key) => ({ place: `${component}[${key}]`, value: given[component]?.[key] })),
	);
	const missing = needed.filter(({ value }) => value === undefined).map(({ place }) => place);
	if (missing.length > 0) {
		throw new ApiError('MISSING_TEMPLATE_VARIABLES', { missing: missing.join(', ') });
	}

	const invalid = needed.flatMap(({ place, value }) => {
		const fault = faultOf(value!);
		return fault === undefined ? [] : [`${place} (${fault})`];
	});
	if (invalid.length > 0) {
		throw new ApiError('INVALID_TEMPLATE_VARIABLES', { invalid: invalid.join(', ') });
	}
}
