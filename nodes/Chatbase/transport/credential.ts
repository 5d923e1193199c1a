import type {
	ICredentialDataDecryptedObject,
	IExecuteSingleFunctions,
	ILoadOptionsFunctions,
	INode,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

/** The places of n8n that talk to the service: an item of the node, a list in the panel, the trigger. */
export type ServiceContext = IExecuteSingleFunctions | ILoadOptionsFunctions | IPollFunctions;

/** What the credential holds. */
export interface Credential extends ICredentialDataDecryptedObject {
	apiKey: string;
	baseUrl: string;
}

/**
 * Reads the credential and checks its address.
 *
 * @param context n8n's context that requests are sent for
 * @returns key and address, the address without a slash at the end
 * @throws NodeOperationError when the Base URL is not an absolute http or https address
 */
export async function readCredential(context: ServiceContext): Promise<Credential> {
	const credential = await context.getCredentials<Credential>('chatbaseV1Api');
	const baseUrl = String(credential.baseUrl ?? '').trim();
	assertWebAddress(context.getNode(), baseUrl);
	return { ...credential, baseUrl: baseUrl.replace(/\/+$/, '') };
}

function assertWebAddress(node: INode, address: string) {
	const parsed = URL.canParse(address) ? new URL(address) : undefined;
	if (parsed && /^https?:$/.test(parsed.protocol) && !parsed.search && !parsed.hash) return;
	throw new NodeOperationError(node, 'The Base URL of the credential is not a web address', {
		description:
			'Enter it in full with the version at the end, such as https://www.chatbase.co/api/v1.',
	});
}
