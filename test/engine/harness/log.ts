/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { createRequire } from 'node:module';

/** n8n-core may have copies of these packages that nobody else has. */
const requireOfCore = createRequire(require.resolve('n8n-core'));
const { Container } = requireOfCore('@n8n/di') as typeof import('@n8n/di');
const { Logger } = requireOfCore('@n8n/backend-common') as typeof import('@n8n/backend-common');

/** Does something, and returns what nodes have written to n8n's log meanwhile. */
export async function logOf(
	work: () => Promise<unknown>,
	level: 'info' | 'warn' = 'info',
): Promise<string[]> {
	const logger = Container.get(Logger);
	const usual = logger[level];
	const lines: string[] = [];
	logger[level] = (line) => void lines.push(line);
	try {
		await work();
	} finally {
		logger[level] = usual;
	}
	return lines;
}
