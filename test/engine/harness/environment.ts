/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const prefix = 'n8n-engine-';

// Import this module before n8n-core, which reads these when it is loaded, and writes an encryption key into the
// user folder.
removeLeftovers();
const userFolder = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`));
process.env.N8N_USER_FOLDER = userFolder;
process.env.N8N_LOG_LEVEL ??= 'silent';

/** Removes the temporary folder that stands in for the user's n8n folder. */
export function removeUserFolder(): void {
	rmSync(userFolder, { recursive: true, force: true });
}

/** Removes the folders of killed processes. */
function removeLeftovers(): void {
	for (const name of readdirSync(tmpdir())) {
		const pid = name.startsWith(prefix) ? parseInt(name.slice(prefix.length), 10) : NaN;
		if (Number.isNaN(pid) || isRunning(pid)) continue;
		rmSync(join(tmpdir(), name), { recursive: true, force: true });
	}
}

function isRunning(pid: number): boolean {
	try {
		// Signal 0 does nothing, and fails when the process doesn't exist.
		return process.kill(pid, 0);
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
}
