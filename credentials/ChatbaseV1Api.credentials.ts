import type {
	IAuthenticateGeneric,
	ICredentialTestRequest,
	ICredentialType,
	Icon,
	INodeProperties,
} from 'n8n-workflow';

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

	authenticate: IAuthenticateGeneric = {
		type: 'generic',
		properties: {
			headers: {
				Authorization: '=Bearer {{$credentials.apiKey}}',
			},
		},
	};

	test: ICredentialTestRequest = {
		request: {
			method: 'GET',
			baseURL: '={{$credentials.baseUrl}}',
			url: '/get-chatbots',
			disableFollowRedirect: true,
			sendCredentialsOnCrossOriginRedirect: false,
		},
		// n8n checks rules of both kinds side by side, which its type does not express.
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
					value: 404,
					message:
						'Nothing answers at this Base URL. It should end with the version, such as https://www.chatbase.co/api/v1.',
				},
			},
			{
				type: 'responseSuccessBody',
				properties: {
					key: 'chatbots',
					// An absent key reads as undefined, which is how n8n tells that the list is missing.
					value: undefined,
					message:
						'This address answers, but not like the chatbot API: no list of chatbots came back. Check the Base URL.',
				},
			},
		] as ICredentialTestRequest['rules'],
	};
}
