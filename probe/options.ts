/* eslint-disable @n8n/community-nodes/no-restricted-imports */
/** The options of the probe. */
import { parseArgs } from 'node:util';

import type { Part } from './answer';
import { isNoName } from './ownership';

export const usage = `Asks a live service how it behaves, and says whether the node handles it.
The answer has no key, no ID and no data of yours: you can paste it into an issue.

  CHATBASE_API_KEY=… npm run probe                           lists the chatbots
  CHATBASE_API_KEY=… npm run probe -- --chatbot ID           reads, and changes nothing

Options:
  --chatbot <ID>       the chatbot to ask about
  --base-url <URL>     default: https://www.chatbase.co/api/v1
  --write              creates, changes and deletes scratch contacts, a scratch text and a scratch file
  --make-attributes    with --write: also creates and archives two custom attributes (they can't be deleted)
  --chat               sends up to five messages, which cost credits, and leaves one conversation;
                       with --write, pauses it
  --help               shows this text
`;

const defaultBaseUrl = 'https://www.chatbase.co/api/v1';

const known = {
	'base-url': { type: 'string', default: defaultBaseUrl },
	chatbot: { type: 'string' },
	write: { type: 'boolean', default: false },
	'make-attributes': { type: 'boolean', default: false },
	chat: { type: 'boolean', default: false },
	help: { type: 'boolean', default: false },
} as const;

export interface ProbeOptions {
	apiKey: string;
	/** Without a slash at the end. */
	baseUrl: string;
	isDefaultBaseUrl: boolean;
	/** None: the chatbots are listed. */
	chatbotId?: string;
	parts: Part[];
}

/** An error that the user can correct. */
export class UsageError extends Error {}

/** @returns undefined when only help is asked for */
export function readOptions(
	args: string[],
	environment: Record<string, string | undefined>,
): ProbeOptions | undefined {
	const values = parsed(args);
	if (values.help) return undefined;

	const apiKey = environment.CHATBASE_API_KEY?.trim();
	if (!apiKey) {
		throw new UsageError('Put the API key into the environment variable CHATBASE_API_KEY.');
	}
	if (!/^[!-~]+$/.test(apiKey)) {
		throw new UsageError('CHATBASE_API_KEY has characters that no key has.');
	}
	if (values['make-attributes'] && !values.write) {
		throw new UsageError('--make-attributes needs --write.');
	}
	if (values.chatbot !== undefined && isNoName(values.chatbot)) {
		throw new UsageError('--chatbot needs an ID. It must not be empty or made of dots.');
	}

	const { write, chat } = values;
	const parts = {
		read: true,
		write,
		attributes: values['make-attributes'],
		chat,
		pause: write && chat,
	};

	return {
		apiKey,
		baseUrl: checkedUrl(values['base-url']),
		isDefaultBaseUrl: values['base-url'] === defaultBaseUrl,
		chatbotId: values.chatbot,
		parts: (Object.keys(parts) as Part[]).filter((part) => parts[part]),
	};
}

function parsed(args: string[]) {
	let problem: string;
	try {
		return parseArgs({ args, options: known }).values;
	} catch (error) {
		// What node says after the first sentence is about arguments that are no options.
		[problem] = (error as Error).message.split('. ');
	}
	throw new UsageError(`${problem}. See --help.`);
}

function checkedUrl(text: string): string {
	if (!URL.canParse(text) || !/^https?:\/\/[^?#@]+$/.test(text.trim())) {
		throw new UsageError(
			'--base-url needs an http or https URL without a name, query or fragment.',
		);
	}
	return text.trim().replace(/\/+$/, '');
}
