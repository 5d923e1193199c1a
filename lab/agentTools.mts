/** What the checks of agents share. */
import { type Contact } from '../service/index.js';
import { type Credential } from './api.mjs';
import { type ChatModel } from './chatModel.mjs';
import { type Turn } from './openAi/turn.mjs';
import { type Stage } from './stage.mjs';

/** Saves a credential by which n8n's OpenAI nodes talk to the stand-in. */
export async function saveModelCredential({ api }: Stage, model: ChatModel): Promise<Credential> {
	const data = { apiKey: 'none', url: model.baseUrl, header: false };
	return await api.createCredential('openAiApi', 'Model that follows a script', data);
}

/** Prints the requests to the model. */
export function logTurns(turns: Turn[]): void {
	for (const { name, description } of turns[0]?.tools ?? []) {
		console.log(`  tool ${name}: ${description}`);
	}
	for (const { tool, args, output } of turns.at(-1)?.results ?? []) {
		console.log(`  ${tool} ${JSON.stringify(args)} → ${output}`);
	}
}

/** The first item that a tool returned, which the model gets as JSON; empty where it got none. */
export function recordOf(output = ''): Record<string, unknown> {
	const [record = {}] = (output.startsWith('[') ? JSON.parse(output) : []) as Array<
		Record<string, unknown>
	>;
	return record;
}

/** The error of a failed tool. */
export function errorOf(output?: string): string {
	return String(recordOf(output).error ?? '');
}

/** What identifies a contact or an answer. */
export function idOrText(output?: string): unknown {
	const { id, text } = recordOf(output);
	return id ?? text;
}

/** A contact without the fields that the service sets. */
export function withoutTimes(contact: Contact) {
	return { ...contact, updated_at: undefined };
}
