import type { ICredentialDataDecryptedObject, INode } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

/** The credential type that every request goes out with. */
export const credentialName = 'chatbaseV1Api';

/** What the credential holds. */
export interface Credential extends ICredentialDataDecryptedObject {
	apiKey: string;
	/** Without a slash at its end. */
	baseUrl: string;
}

/**
 * Checks the address of a credential.
 *
 * @param node the node that an error is for
 * @param credential what n8n has decrypted
 * @returns the credential with its address as requests need it
 * @throws NodeOperationError when the Base URL is not an absolute http or https address, or holds more than one
 */
export function readCredential(
	node: INode,
	credential: ICredentialDataDecryptedObject,
): Credential {
	const baseUrl = String(credential.baseUrl ?? '').trim();
	const address = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
	if (!address || !/^https?:$/.test(address.protocol) || address.search || address.hash) {
		throw new NodeOperationError(node, 'The Base URL of the credential is not a web address', {
			description:
				'Enter it in full with the version at the end, such as https://www.chatbase.co/api/v1.',
		});
	}
	if (address.username || address.password) {
		throw new NodeOperationError(
			node,
			'The Base URL of the credential holds a name or a password',
			{
				description:
					'They would be sent instead of the API key. Remove everything between // and @.',
			},
		);
	}
	return {
		...credential,
		apiKey: String(credential.apiKey ?? ''),
		baseUrl: baseUrl.replace(/\/+$/, ''),
	};
}
