/* eslint-disable @n8n/community-nodes/no-restricted-imports */
/** The options of the probe. */
import { parseArgs } from 'node:util';

import type { Part } from './answer';
import { isNoName } from './guard';

export const usage = `Asks a live service how it behaves, and says whether the node handles it.
The answer has no key, no ID and no data of yours: you can paste it into an issue.

  CHATBASE_API_KEY=… npm run probe                           lists the chatbots
  CHATBASE_API_KEY=… npm run probe -- --chatbot ID           reads, and changes nothing

Options:
  --chatbot <ID>       the chatbot to ask about
  --base-url <URL>     default: https://www.chatbase.co/api/v1
  --write              creates, changes and deletes scratch contacts and a scratch source
  --make-attributes    with --write: also creates and archives two custom attributes (they can't be deleted)
  --chat               sends up to five messages, which cost credits, and leaves two conversations;
                       with --write, pauses one of the two
  --json               the answer as JSON
  --help               shows this text
`;

const defaultBaseUrl = 'https://www.chatbase.co/api/v1';

const known = {
	'base-url': { type: 'string', default: defaultBaseUrl },
	chatbot: { type: 'string' },
	write: { type: 'boolean', default: false },
	'make-attributes': { type: 'boolean', default: false },
	chat: { type: 'boolean', default: false },
	json: { type: 'boolean', default: false },
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
	asJson: boolean;
}

/** An error that the user can correct. */
export class UsageError extends Error {}

/**
 * Reads the options.
 *
 * @returns undefined when only help is asked for
 * @throws UsageError saying what is wrong
 */
export function readOptions(
	args: string[],
	environment: Record<string, string | undefined>,
): ProbeOptions | undefined {
	const values = parsed(args);
	if (values.help) return undefined;
	const apiKey = environment.CHATBASE_API_KEY?.trim();
	if (!apiKey)
		throw new UsageError('Put the API key into the environment variable CHATBASE_API_KEY.');
	if (!/^[!-~]+$/.test(apiKey)) {
		throw new UsageError('CHATBASE_API_KEY has characters that no key has.');
	}
	if (values['make-attributes'] && !values.write) {
		throw new UsageError('--make-attributes needs --write.');
	}
	if (values.chatbot !== undefined && isNoName(values.chatbot)) {
		throw new UsageError('--chatbot needs an ID. It must not be empty or made of dots.');
	}
	return {
		apiKey,
		baseUrl: checkedUrl(values['base-url']),
		isDefaultBaseUrl: values['base-url'] === defaultBaseUrl,
		chatbotId: values.chatbot,
		parts: [
			'read',
			...(values.write ? (['write'] as const) : []),
			...(values['make-attributes'] ? (['attributes'] as const) : []),
			...(values.chat ? (['chat'] as const) : []),
			...(values.chat && values.write ? (['pause'] as const) : []),
		],
		asJson: values.json,
	};
}

/** Checks every argument first, because node's own errors are hard to understand. */
function parsed(args: string[]) {
	const strict = { args, options: known };
	const { tokens } = parseArgs({ ...strict, strict: false, tokens: true });
	for (const token of tokens) {
		if (token.kind === 'positional')
			throw new UsageError(`"${token.value}" is not an option. See --help.`);
		if (token.kind !== 'option') continue;
		const option = known[token.name as keyof typeof known];
		if (!option) throw new UsageError(`${token.rawName} is not an option. See --help.`);
		const isText = option.type === 'string';
		if (isText !== (token.value !== undefined)) {
			throw new UsageError(`${token.rawName} ${isText ? 'needs a' : 'accepts no'} value.`);
		}
	}
	return parseArgs(strict).values;
}

function checkedUrl(text: string): string {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	const isUsable =
		url !== undefined &&
		/^https?:$/.test(url.protocol) &&
		!url.username &&
		!url.password &&
		!url.search &&
		!url.hash;
	if (!isUsable) {
		throw new UsageError(
			'--base-url needs an http or https URL without a name, query or fragment.',
		);
	}
	return text.trim().replace(/\/+$/, '');
}
