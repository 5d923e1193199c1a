/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// n8n-core writes an encryption key into the user's folder as soon as it is used, so the folder
// has to be in place before n8n-core is loaded: whoever imports this module imports it first.
const folder = mkdtempSync(join(tmpdir(), 'n8n-engine-'));
process.env.N8N_USER_FOLDER = folder;

/** Removes the temporary folder that stands in for the user's n8n folder. */
export function removeUserFolder(): void {
	rmSync(folder, { recursive: true, force: true });
}
