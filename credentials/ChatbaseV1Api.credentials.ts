import type {
	IAuthenticate,
	ICredentialTestRequest,
	ICredentialType,
	Icon,
	INodeProperties,
} from 'n8n-workflow';
import { UserError } from 'n8n-workflow';

import { readBaseUrl } from '../nodes/Chatbase/api/address';

export class ChatbaseV1Api implements ICredentialType {
	name = 'chatbaseV1Api';

	displayName = 'Chatbase API';

	icon: Icon = {
		light: 'file:../icons/chatbase.svg',
		dark: 'file:../icons/chatbase.dark.svg',
	};

	documentationUrl = 'https://www.chatbase.co/docs/api-reference/v1/overview';

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
			description:
				'Create it in the dashboard under Workspace Settings, API Keys. It opens the whole workspace, so treat it like a password. API access needs a paid plan.',
		},
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: 'https://www.chatbase.co/api/v1',
			required: true,
			placeholder: 'e.g. https://www.chatbase.co/api/v1',
			description:
				'Address of the API, version included. Change it only for another service that offers the same interface.',
		},
	];

	/** A function, because n8n takes almost a millisecond to evaluate an expression (2.41). */
	authenticate: IAuthenticate = async ({ apiKey, baseUrl }, options) => {
		const read = readBaseUrl(baseUrl);
		if ('title' in read) throw new UserError(`${read.title}. ${read.nextStep}`);
		const Authorization = `Bearer ${String(apiKey ?? '').trim()}`;
		return { ...options, headers: { ...options.headers, Authorization } };
	};

	test: ICredentialTestRequest = {
		request: {
			method: 'GET',
			baseURL: '={{ $credentials.baseUrl.trim().replace(/\\/+$/, "") }}',
			url: '/get-chatbots',
			disableFollowRedirect: true,
			sendCredentialsOnCrossOriginRedirect: false,
		},
		// n8n 2.41 checks rules of both kinds side by side, which its type does not express.
		rules: [
			...[301, 302, 303, 307, 308].map((value) => ({
				type: 'responseCode' as const,
				properties: {
					value,
					message:
						'The Base URL redirects to another address. The key was not sent there: enter the final address as Base URL.',
				},
			})),
			{
				type: 'responseCode',
				properties: {
					value: 401,
					message:
						'The service does not accept this API key. Copy it again from Workspace Settings, API Keys.',
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 403,
					message:
						'The service knows this API key, but does not let it in. API access needs a paid plan.',
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 404,
					message:
						'Nothing answers at this Base URL. It should end with the version, such as https://www.chatbase.co/api/v1.',
				},
			},
			{
				type: 'responseSuccessBody',
				properties: {
					key: 'chatbots',
					// An absent key reads as undefined, which is how n8n 2.41 tells that the list is missing.
					value: undefined,
					message:
						'This address answers, but not like the chatbot API: no list of chatbots came back. Check the Base URL.',
				},
			},
			// The list may come as { data, error } instead. n8n compares with fixed values, and an error can be any text,
			// but the service has no list then.
			...['chatbots', 'chatbots.data'].map((key) => ({
				type: 'responseSuccessBody' as const,
				properties: {
					key,
					value: null,
					message:
						'The service answers, but could not list the chatbots of this API key. Try again later, or ask its support.',
				},
			})),
		] as ICredentialTestRequest['rules'],
	};
}
