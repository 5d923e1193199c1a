import type {
	IAuthenticate,
	Icon,
	ICredentialTestRequest,
	ICredentialType,
	INodeProperties,
} from 'n8n-workflow';
import { UserError } from 'n8n-workflow';

import { readApiKey, readBaseUrl } from '../nodes/Chatbase/api/settings';

const redirects =
	'The Base URL redirects to another address. Enter the final address as Base URL. The key was not sent there.';
const notListed =
	'The service could not list the chatbots of this API key. Try again later, or contact its support.';

export class ChatbaseV1Api implements ICredentialType {
	name = 'chatbaseV1Api';

	displayName = 'Chatbase API';

	icon: Icon = {
		light: 'file:../icons/chatbase.svg',
		dark: 'file:../icons/chatbase.dark.svg',
	};

	documentationUrl =
		'https://github.com/n8n-nodes-chatbase/n8n-nodes-chatbase/blob/main/docs/credential.md';

	httpRequestNode = {
		name: 'Chatbase',
		docsUrl: 'https://www.chatbase.co/docs/api-reference/v1/overview',
		apiBaseUrlPlaceholder: 'https://www.chatbase.co/api/v1/get-chatbots',
	};

	properties: INodeProperties[] = [
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			hint: 'In Chatbase under Workspace Settings, API Keys',
			description:
				'Gives access to the whole workspace, so treat it like a password. API access needs a paid plan.',
		},
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: 'https://www.chatbase.co/api/v1',
			required: true,
			placeholder: 'e.g. https://www.chatbase.co/api/v1',
			description:
				'Address of the API, ending with the version. Leave as it is for Chatbase.',
		},
	];

	/** A function is faster than expressions: n8n 2.41 takes almost a millisecond for each of them. */
	authenticate: IAuthenticate = async ({ apiKey, baseUrl }, options) => {
		const read = readBaseUrl(baseUrl);
		if ('title' in read) throw new UserError(`${read.title}. ${read.nextStep}`);

		const Authorization = `Bearer ${readApiKey(apiKey)}`;
		return { ...options, headers: { ...options.headers, Authorization } };
	};

	test: ICredentialTestRequest = {
		request: {
			method: 'GET',
			baseURL: '={{ $credentials.baseUrl.trim().replace(/(?<!\\/)\\/+$/, "") }}',
			url: '/get-chatbots',
			disableFollowRedirect: true,
			sendCredentialsOnCrossOriginRedirect: false,
		},
		// n8n 2.41 accepts both kinds of rules in one list. Its type does not allow that.
		rules: [
			...[301, 302, 303, 307, 308].map((status) => onStatus(status, redirects)),
			onStatus(
				401,
				'The service rejected the API key. Copy it again from Workspace Settings, API Keys.',
			),
			onStatus(
				403,
				'The API key is valid, but access is denied. API access needs a paid plan.',
			),
			onStatus(
				404,
				"The Base URL doesn't lead to the API. It must end with the version, such as https://www.chatbase.co/api/v1.",
			),
			// n8n 2.41 reads an absent key as undefined.
			onValue(
				'chatbots',
				undefined,
				'The response has no list of chatbots. Check that the Base URL leads to the API.',
			),
			// The list may come as { data, error }. n8n compares with fixed values only, so `error` can't be checked.
			...['chatbots', 'chatbots.data'].map((key) => onValue(key, null, notListed)),
		] as ICredentialTestRequest['rules'],
	};
}

function onStatus(value: number, message: string) {
	return { type: 'responseCode', properties: { value, message } };
}

function onValue(key: string, value: null | undefined, message: string) {
	return { type: 'responseSuccessBody', properties: { key, value, message } };
}
