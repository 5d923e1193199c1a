/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// n8n-core reads these as soon as it is loaded, and writes an encryption key into the user's
// folder: whoever imports this module imports it before n8n-core.
const userFolder = mkdtempSync(join(tmpdir(), 'n8n-engine-'));
process.env.N8N_USER_FOLDER = userFolder;
process.env.N8N_LOG_LEVEL ??= 'silent';

/** Removes the temporary folder that stands in for the user's n8n folder. */
export function removeUserFolder(): void {
	rmSync(userFolder, { recursive: true, force: true });
}
