/** What version 2 says about the chatbot and its sources. */
import { randomUUID } from 'crypto';

import type { ServiceResponse } from '../response';
import { agentQuestions, namesOf, type QuestionName } from '../questions';
import type { Inquiry, Session } from '../session';
import { firstOf, type JsonObject } from '../shapes';

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
	title: 'Version 2: the chatbot and its sources',
	requests: 3,

	async run(session) {
		const { client, findings, agent, paths } = session;
		if (agent) lookAtAgent(session, agent);
		if (!knowsAgent(session, ...namesOf(agentQuestions))) return;
		lookAtFields(session, agent!.body);

		const nobody = await client.ask('GET', `/agents/${randomUUID()}/conversations/export`);
		const isEmpty = nobody.page?.rows.length === 0;
		const unknown = nobody.pick({ missing: 'notFound', 403: 'forbidden' });
		findings.set('v2UnknownAgent', isEmpty ? 'emptyLists' : unknown, nobody);

		const missing = await client.ask('GET', `${paths.agent}/sources/${randomUUID()}`);
		const code = missingCodes.find((one) => one === missing.code) ?? 'other';
		findings.set('v2SourceNotFound', missing.isMissing ? code : undefined, missing);
		await askForFileHost(session);
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
}

/** The fields that the node reads, or writes as a whole. */
function lookAtFields({ findings }: Session, record: JsonObject): void {
	const { blockedCountries, creditsUsed } = record;
	findings.set('v2Credits', typeof creditsUsed === 'number' ? 'number' : 'other');
	const isThere = 'channelInstructions' in record;
	findings.set('v2ChannelInstructions', isThere ? 'inAgent' : 'absent');

	const codes = Array.isArray(blockedCountries) ? blockedCountries : [];
	const isCode = (code: unknown) => /^[A-Z]{2}$/.test(String(code));
	const form = codes.every(isCode) ? 'codes' : 'other';
	findings.set('v2BlockedCountries', codes.length > 0 ? form : undefined, 'no country is blocked');
}

/** Sends no key and no file: the status says enough. */
async function askForFileHost({ baseUrl, client, findings, paths }: Session): Promise<void> {
	if (new URL(baseUrl).host !== 'www.chatbase.co') return findings.set('v2FileHost', 'baseUrl');
	const response = await client.ask('GET', `${paths.agent}/sources`, { apiKey: null });
	findings.set('v2FileHost', response.status === 0 ? 'none' : 'own');
}
