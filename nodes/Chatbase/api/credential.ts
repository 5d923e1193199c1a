import type { ICredentialDataDecryptedObject, INode } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { readBaseUrl } from './baseUrl';

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
	const read = readBaseUrl(credential.baseUrl);
	if ('title' in read) {
		throw new NodeOperationError(node, read.title, { description: read.nextStep });
	}
	// A key that was copied with a line break around it is no header.
	return { ...credential, ...read, apiKey: String(credential.apiKey ?? '').trim() };
}
