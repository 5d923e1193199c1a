import type { IDataObject, IHttpRequestOptions, INode } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { isObject } from '../values/object';
import type { Pace } from './runLimits';

/** What the user has set under Request Options, which n8n adds to the node. */
export interface RequestOptions extends Partial<IHttpRequestOptions> {
	/** The Batching option. It paces the requests of the run, not its items. */
	pace?: Pace;
}

/**
 * Reads n8n's Request Options, which are the node's own to honour outside of the routing engine.
 *
 * @param node the node that an error is for
 * @param options the parameter `requestOptions` as n8n 2.41 stores it; timeout in milliseconds
 * @throws NodeOperationError when the proxy has no host or port
 */
export function readRequestOptions(node: INode, options: IDataObject): RequestOptions {
	const { batching, proxy, timeout, allowUnauthorizedCerts } = options;
	const { batchSize, batchInterval } =
		isObject(batching) && isObject(batching.batch) ? batching.batch : {};
	const interval = Number(batchInterval ?? 0);
	return {
		...(interval > 0 && { pace: { batchSize: Math.max(1, Number(batchSize ?? 1)), interval } }),
		...(typeof proxy === 'string' && proxy.trim() !== '' && { proxy: readProxy(node, proxy) }),
		...(Number(timeout) > 0 && { timeout: Number(timeout) }),
		...(allowUnauthorizedCerts === true && { skipSslCertificateValidation: true }),
	};
}

function readProxy(node: INode, text: string): IHttpRequestOptions['proxy'] {
	const address = URL.canParse(text) ? new URL(text) : undefined;
	const defaultPort = address?.protocol === 'https:' ? 443 : 80;
	if (!address?.hostname) {
		throw new NodeOperationError(node, 'Proxy is not a web address', {
			description: 'Enter it under Settings, Request Options as in http://proxy.example:3128.',
		});
	}
	const { username, password } = address;
	return {
		protocol: address.protocol.replace(/:$/, ''),
		host: address.hostname,
		port: Number(address.port || defaultPort),
		...(username && {
			auth: { username: decodeURIComponent(username), password: decodeURIComponent(password) },
		}),
	};
}
