/** `npm run dev`: the node in a real n8n, which loads it again after each change of a .ts file. */
import { execa } from 'execa';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';

import { addDemoData } from '../service/core/demoData.js';
import { startService } from '../service/index.js';
import { Api } from './api.mjs';
import { HelpfulError } from './help.mjs';
import { startN8n } from './instance.mjs';
import { buildNode } from './package.mjs';
import { projectFolder } from './paths.mjs';
import { ensureRuntime } from './runtime.mjs';
import { owner } from './session.mjs';
import { contactCount, saveCredential } from './stage.mjs';

/** Links only what is built: n8n loads every file named *.node.js below its folder of custom nodes. */
async function linkNode(userFolder: string): Promise<void> {
	const folder = join(userFolder, '.n8n', 'custom', 'node_modules');
	await mkdir(folder, { recursive: true });
	const link = join(folder, 'n8n-nodes-chatbase');
	await rm(link, { force: true });
	await symlink(join(projectFolder, 'dist'), link);
}

async function develop(): Promise<void> {
	await ensureRuntime(console.log);
	await buildNode();
	const service = await startService();
	addDemoData(service.store, contactCount);
	const n8n = await startN8n({ prepare: linkNode, env: { N8N_DEV_RELOAD: 'true' } });
	const api = new Api(n8n.baseUrl);
	await api.session.setUpOwner();
	await saveCredential(api, service);
	const compiler = execa('tsc', ['--watch', '--preserveWatchOutput'], {
		cwd: projectFolder,
		preferLocal: true,
		stdio: 'inherit',
	});
	console.log(`Editor: ${n8n.baseUrl}, email ${owner.email}, password ${owner.password}
Reload the page after each change. Ctrl+C ends n8n.`);
	await Promise.race([compiler, n8n.ended]);
}

if (process.argv.includes('--help')) {
	console.log(
		'npm run dev starts a real n8n with the simulated service, and loads the node again after each change.',
	);
} else {
	await develop().catch((error: unknown) => {
		console.error(error instanceof HelpfulError ? error.message : error);
		process.exitCode = 1;
	});
}
