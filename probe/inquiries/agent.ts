/** What version 2 says about the chatbot, its sources and its tickets. */
import { randomUUID } from 'crypto';

import type { ServiceResponse } from '../response';
import { agentQuestions, namesOf, type QuestionName } from '../questions';
import type { Inquiry, Session } from '../session';
import { firstOf, isObject, objectOf, recordsOf } from '../shapes';

const refusals = [
	'SUBSCRIPTION_API_RESTRICTED_PLAN',
	'SUBSCRIPTION_PLAN_REQUIRED',
	'AUTH_EXPIRED_API_KEY',
	'AUTH_INSUFFICIENT_PERMISSIONS',
] as const;

const missingCodes = ['RESOURCE_NOT_FOUND', 'SOURCE_NOT_FOUND', 'AGENT_NOT_FOUND'] as const;

/** Whether version 2 can be asked about the chatbot; if not, the questions say why. */
export function knowsAgent({ agent, findings }: Session, ...names: QuestionName[]): boolean {
	if (agent && agent.isSuccess) return true;
	if (!agent) findings.leave('the Base URL does not end with v1', ...names);
	else if (agent.status !== 404) findings.leave(agent, ...names);
	else findings.leave('version 2 does not know the chatbot', ...names);
	return false;
}

export const agentInquiry: Inquiry = {
	title: 'Version 2: the chatbot, its sources, tickets and WhatsApp templates',
	requests: 9,

	async run(session) {
		const { client, findings, agent, paths } = session;
		if (agent) lookAtAgent(session, agent);
		if (!knowsAgent(session, ...namesOf(agentQuestions))) return;

		const nobody = await client.ask('GET', `/agents/${randomUUID()}/conversations/export`);
		const isEmpty = nobody.page?.rows.length === 0;
		const unknown = nobody.pick({ missing: 'notFound', 403: 'forbidden' });
		findings.set('v2UnknownAgent', isEmpty ? 'emptyLists' : unknown, nobody);

		const query = { limit: 0 };
		const refused = await client.ask('GET', `${paths.agent}/conversations/export`, { query });
		const open = refused.isSuccess ? 'a limit of 0 is accepted' : refused;
		findings.set('v2ErrorBody', refused.status === 400 ? errorFormOf(refused) : undefined, open);

		const sources = await client.ask('GET', `${paths.agent}/sources`, { query: { limit: 100 } });
		findings.set('v2Sources', sources.page && 'data', sources);
		const missing = await client.ask('GET', `${paths.agent}/sources/${randomUUID()}`);
		const code = missingCodes.find((one) => one === missing.code) ?? 'other';
		findings.set('v2SourceNotFound', missing.isMissing ? code : undefined, missing);
		await askForFileHost(session);
		await askForTickets(session);
		await askForTemplates(session);
	},
};

function lookAtAgent({ findings }: Session, agent: ServiceResponse): void {
	const code = agent.code;
	const id = firstOf([
		['chatbotId', agent.isSuccess],
		['own', agent.isMissing && code !== undefined],
		['none', agent.status === 404],
	]);
	findings.set('v2AgentId', id, agent);
	const access = firstOf([
		['accepted', agent.isSuccess || id === 'own'],
		...refusals.map((one): [typeof one, boolean] => [one, one === code]),
		['refused', agent.status === 401 || agent.status === 403],
	]);
	findings.set('v2Access', access, agent);

	const limit = Number(agent.headers.get('x-ratelimit-limit') ?? NaN);
	const known = firstOf([
		['none', Number.isNaN(limit)],
		['1000', limit === 1000],
		['100', limit === 100],
	]);
	findings.set('v2RateLimit', known ?? 'other', agent, limit);
}

function errorFormOf(response: ServiceResponse) {
	const { code, details } = objectOf(response.body.error);
	return firstOf([
		['empty', response.text === ''],
		['html', response.text.trimStart().startsWith('<')],
		['unknownCode', code !== undefined && code !== 'VALIDATION_INVALID_BODY'],
		['envelope', isObject(details)],
		['withoutDetails', code !== undefined],
		['message', response.message !== undefined],
	]);
}

/** Sends no key and no file: the status says enough. */
async function askForFileHost({ baseUrl, client, findings, paths }: Session): Promise<void> {
	if (new URL(baseUrl).host !== 'www.chatbase.co') return findings.set('v2FileHost', 'baseUrl');
	const response = await client.ask('GET', `${paths.agent}/sources`, { apiKey: null });
	findings.set('v2FileHost', response.status === 0 ? 'none' : 'own');
}

async function askForTickets({ client, findings, paths }: Session): Promise<void> {
	const ask = async (path: string, query = {}) =>
		await client.ask('GET', `${paths.agent}/helpdesk/${path}`, { query });
	const tickets = await ask('tickets', { limit: 20, includeTotal: 'true' });
	const page = tickets.page;
	const state = firstOf([
		['on', page !== undefined],
		['off', tickets.code === 'HELPDESK_NOT_ENABLED'],
	]);
	findings.set('v2Helpdesk', state, tickets);
	if (!page) return findings.leave(tickets, 'v2TicketPriority', 'v2HelpdeskLists');

	const priority = page.rows.every((row) => 'priority' in row) ? 'present' : 'absent';
	findings.set('v2TicketPriority', page.rows[0] && priority, 'there are no tickets');
	const lists = [await ask('ticket-statuses'), await ask('teams')];
	const other = lists.find((response) => !response.isSuccess || !recordsOf(response.json));
	findings.set('v2HelpdeskLists', other ? undefined : 'both', other);
}

/** Reads the list only: a message costs money and reaches a person. */
async function askForTemplates({ client, findings, paths }: Session): Promise<void> {
	const list = await client.ask('GET', `${paths.agent}/whatsapp/templates`);
	const { templates, complete, senders } = list.body;
	const isList = recordsOf(templates) !== undefined;
	const state = firstOf([
		['notConnected', list.code === 'WHATSAPP_NOT_CONNECTED'],
		['partial', isList && complete === false],
		['listed', isList],
	]);
	findings.set('v2Templates', state, list);
	const numbers = recordsOf(senders) ? 'listed' : 'absent';
	findings.set('v2TemplateSenders', isList ? numbers : undefined, list);
}
