/** How version 1 words an error. */
import type { FastifyError } from 'fastify';

import type { Behaviour } from './behaviour';
import { Refusal } from '../core/refusal';

/** The refusal that an error stands for: its own, or one for what no route has raised. */
export function refusalOf(error: FastifyError | Refusal): Refusal {
	if (error instanceof Refusal) return error;

	const status = error.statusCode ?? 500;
	return new Refusal(status, status < 500 ? error.message : 'Internal server error');
}

/** The JSON of a refusal. */
export function errorBody({ message, issues }: Refusal, url: string, behaviour: Behaviour): object {
	if (issues.length === 0) return { message };
	if (listsIssues(url, behaviour)) return { message, issues };

	const details = issues.map((issue) => `${issue.field}: ${issue.message}`).join('; ');
	return { message: `${message}: ${details}` };
}

function listsIssues(url: string, { issues }: Behaviour): boolean {
	if (issues === 'everywhere') return true;
	return issues === 'contactsFamily' && url.startsWith('/api/v1/chatbots/');
}
