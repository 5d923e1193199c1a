/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { createRequire } from 'node:module';

import { BinaryDataService } from 'n8n-core';
import type { IBinaryData } from 'n8n-workflow';

const requireOfCore = createRequire(require.resolve('n8n-core'));
const { Container } = requireOfCore('@n8n/di') as typeof import('@n8n/di');

let isReady: Promise<void> | undefined;

/** Stores a file on disk, where n8n keeps binary data by default, and returns what an item has of it. */
export async function storeFile(
	fileName: string,
	mimeType: string,
	bytes: Buffer,
): Promise<IBinaryData> {
	const service = Container.get(BinaryDataService);
	await (isReady ??= service.init());
	const place = { type: 'execution', workflowId: 'workflow', executionId: 'execution' } as const;
	return await service.store(place, bytes, { fileName, mimeType, data: '' });
}
