/** Installs the pinned n8n, which the other commands would do when they need it. */
import { HelpfulError } from './help.mjs';
import { ensureRuntime } from './runtime.mjs';

await ensureRuntime(console.log).catch((error: unknown) => {
	console.error(error instanceof HelpfulError ? error.message : error);
	process.exitCode = 1;
});
