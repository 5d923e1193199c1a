import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/**
 * Connects to a published workflow's MCP Server Trigger (version 2), as an AI application does: the
 * way to call a node as a tool without a language model. Close the client afterwards.
 */
export async function connectTools(baseUrl: string, path: string): Promise<Client> {
	const client = new Client({ name: 'n8n-nodes-chatbase-test', version: '1.0.0' });
	await client.connect(new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp/${path}`)));
	return client;
}
