import {
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type IHttpRequestOptions,
} from 'n8n-workflow';

import type { OwnTitle } from './ownErrors';
import { countFormat, numberOf } from '../values/json';
import { ownFailure } from './failure';

export const credentialName = 'chatbaseV1Api';

export interface Credential extends ICredentialDataDecryptedObject {
	apiKey: string;
	/** Without a slash at its end. */
	baseUrl: string;
}

export function readCredential(data: ICredentialDataDecryptedObject): Credential {
	const read = readBaseUrl(data.baseUrl);
	if ('title' in read) {
		throw ownFailure(read.title, read.nextStep);
	}

	const apiKey = readApiKey(data.apiKey);
	if (apiKey === '') {
		throw ownFailure(
			'The API key of the credential is empty',
			'Open the credential and enter the key from Chatbase: Workspace Settings, API Keys.',
		);
	}
	return { ...data, ...read, apiKey };
}

/**
 * The hosts to which the credential allows requests, including the host of the Base URL; empty if all are allowed. The rules
 * are those of n8n 2.41. Its own functions can't be used, because they take other arguments in n8n 1.123.
 */
export function allowedDomainsOf(credential: Credential): string[] {
	const { allowedHttpRequestDomains, allowedDomains, baseUrl } = credential;
	if (allowedHttpRequestDomains !== 'domains') return [];

	const { hostname } = new URL(baseUrl);
	const listed = String(allowedDomains ?? '').split(',');
	return [hostname, ...listed]
		.map((domain) => domain.trim().toLowerCase().replace(/\.$/, ''))
		.filter(Boolean);
}

/** `*.example.com` allows subdomains only. */
export function isAllowed(host: string, domains: string[]): boolean {
	const allows = (domain: string) =>
		domain.startsWith('*.') ? host.endsWith(domain.slice(1)) : host === domain;
	return domains.length === 0 || domains.some(allows);
}

/** n8n's Batching option. */
export interface Pace {
	/** Requests in one batch, at least 1. */
	batchSize: number;
	/** Milliseconds from the start of one batch to the next. */
	interval: number;
}

interface RequestOptions extends Partial<IHttpRequestOptions> {
	/** The Batching option. It counts requests of the run, not items. */
	pace?: Pace;
}

/** The longest time in milliseconds for a timer of Node.js. */
const maxTimeout = 2_147_483_647;

/** Reads n8n's Request Options (as n8n 2.41 stores them), which n8n applies only in its routing engine. */
export function readRequestOptions(options: IDataObject): RequestOptions {
	const { batching, proxy, timeout, allowUnauthorizedCerts } = options;
	const hasTimeout = isFilled(timeout) && Number(timeout) !== 0;

	return {
		pace: readPace(batching),
		proxy: isFilled(proxy) ? readProxy(String(proxy)) : undefined,
		timeout: hasTimeout ? readTimeout(timeout) : undefined,
		skipSslCertificateValidation: allowUnauthorizedCerts === true,
	};
}

function isFilled(value: unknown): boolean {
	return String(value ?? '').trim() !== '';
}

function readPace(batching: unknown): Pace | undefined {
	const { batch } = Object(batching) as IDataObject;
	const { batchSize = 1, batchInterval = 0 } = Object(batch) as IDataObject;

	const interval = Number(batchInterval);
	return interval > 0
		? { batchSize: Math.max(1, Number(batchSize)), interval }
		: undefined;
}

function readTimeout(value: unknown): number {
	const timeout = numberOf(value) ?? NaN;
	if (Number.isInteger(timeout) && timeout > 0 && timeout <= maxTimeout) return timeout;

	throw ownFailure(
		'Timeout is not a whole number of milliseconds',
		`Enter a number up to ${countFormat.format(maxTimeout)} under Settings, Request Options, or leave it empty for the default.`,
	);
}

type Proxy = IHttpRequestOptions['proxy'];

function readProxy(text: string): Proxy {
	const proxy = parseProxy(text);
	if (proxy) return proxy;

	throw ownFailure(
		'Proxy is not a web address',
		'Under Settings, Request Options, enter an address such as http://proxy.example:3128. It must start with http:// or https://. In a user name or password, write %25 for %.',
	);
}

function parseProxy(text: string): Proxy | undefined {
	try {
		const { protocol, hostname, port, username, password } = new URL(text);
		// n8n 2.41 ignores other proxies and sends the key without one.
		if (!/^https?:$/.test(protocol)) return undefined;

		const usualPort = protocol === 'https:' ? 443 : 80;
		const auth = {
			username: decodeURIComponent(username),
			password: decodeURIComponent(password),
		};
		return {
			protocol: protocol.replace(/:$/, ''),
			host: hostname,
			port: Number(port || usualPort),
			...(username && { auth }),
		};
	} catch {
		return undefined;
	}
}

/**
 * The key without what people copy along: "Bearer" before it, spaces around it, line breaks, invisible characters and curly
 * quotes. n8n's HTTP client (2.41) drops such characters, too, and then the node would not find the key in what the service
 * says.
 */
export function readApiKey(typed: unknown): string {
	return String(typed ?? '')
		.replace(/[^ -~]/g, '')
		.trim()
		.replace(/^Bearer\s+/i, '');
}

/** Why a Base URL can't be used. */
interface BaseUrlFault {
	title: OwnTitle;
	nextStep: string;
}

/** The slashes at the end of a text. The pattern looks at each slash once, even in a long row of them. */
const lastSlashes = /(?<!\/)\/+$/;

/** Reads the Base URL as it was typed. Spaces around it and slashes at its end are ignored. */
export function readBaseUrl(typed: unknown): { baseUrl: string } | BaseUrlFault {
	const baseUrl = String(typed ?? '')
		.trim()
		.replace(lastSlashes, '');
	const address = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;

	// `URL` accepts `http:host`, n8n's HTTP client does not.
	if (!address || !/^https?:\/\/[^/\\]/i.test(baseUrl)) {
		return {
			title: 'The Base URL of the credential is not a web address',
			nextStep:
				'Enter the full address with the version at the end, such as https://www.chatbase.co/api/v1.',
		};
	}

	if (address.username || address.password) {
		return {
			title: 'The Base URL of the credential has a user or password',
			nextStep:
				'They would be sent instead of the API key. Remove everything between "//" and "@".',
		};
	}

	// After a `?` or `#` with nothing behind it, `URL` shows empty parts, but the path would be lost.
	if (/[?#]/.test(baseUrl)) {
		return {
			title: 'The Base URL of the credential has a "?" or "#"',
			nextStep:
				'Remove it and everything after it. The address must end with the version, such as https://www.chatbase.co/api/v1.',
		};
	}

	if (address.pathname.endsWith('/v2')) {
		return {
			title: 'The Base URL of the credential ends in v2',
			nextStep:
				'Enter it with v1 at its end, such as https://www.chatbase.co/api/v1. Operations of version 2 find their own address.',
		};
	}

	return { baseUrl };
}
