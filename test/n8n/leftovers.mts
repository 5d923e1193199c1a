import { rmSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { atEnd } from '../../lab/cleanup.mjs';
import { type Checks } from '../../lab/expectations.mjs';
import { waitUntil } from '../../lab/waitUntil.mjs';

/**
 * Watches what a run leaves behind. From the start on, temporary files go to a separate folder,
 * whose name every process that is started inherits and can be found by.
 */
export class Leftovers {
	private constructor(private readonly folder: string) {}

	static async watch(): Promise<Leftovers> {
		const folder = await mkdtemp(join(tmpdir(), 'n8n-test-'));
		atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
		// A database that runs as another user has its folder in it.
		await chmod(folder, 0o755);
		process.env.TMPDIR = folder;
		process.env.TEMP = folder;
		return new Leftovers(folder);
	}

	/** Expects that nothing of the run is left. */
	async check(checks: Checks): Promise<string> {
		await checks.attempt('No server of the run is left', async () => {
			// A closed server is listed until the next turn of the event loop.
			await waitUntil(() => !process.getActiveResourcesInfo().includes('TCPServerWrap'), 5);
		});
		checks.expectEqual('No temporary file is left', await readdir(this.folder), []);
		if (process.platform === 'linux') {
			checks.expectEqual('No process is left', await this.processes(), []);
		} else {
			checks.skip('processes that are left: they are looked for on Linux only');
		}
		await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
		return 'servers, temporary files, processes';
	}

	/** The command lines of the processes that were started with the folder in their environment. */
	private async processes(): Promise<string[]> {
		const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
		const read = async (id: string, file: string) =>
			await readFile(`/proc/${id}/${file}`, 'utf8').catch(() => '');
		const commands = await Promise.all(
			ids.map(async (id) => {
				const isOurs = (await read(id, 'environ')).includes(this.folder);
				return isOurs ? [(await read(id, 'cmdline')).replaceAll('\0', ' ').trim()] : [];
			}),
		);
		return commands.flat();
	}
}
