/**
 * Loaded first in the process of the engine: every import of n8n gets the pinned version as
 * CommonJS, which is what n8n itself uses. The harness of the tests would find the one that this package
 * is developed with, and an import a second n8n-workflow beside that of the engine.
 */
import Module, { createRequire, registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { runtimeFolder } from '../../lab/paths.mjs';

const fromRuntime = createRequire(join(runtimeFolder, 'package.json'));
const names = ['n8n-core', 'n8n-workflow', 'n8n-nodes-base/package.json', '@n8n/config', '@n8n/di'];
const files = new Map(names.map((name) => [name, fromRuntime.resolve(name)]));

registerHooks({
	resolve(name, context, next) {
		const file = files.get(name);
		return file ? { url: pathToFileURL(file).href, shortCircuit: true } : next(name, context);
	},
});

// tsx resolves what CommonJS modules require without the hook.
const loader = Module as unknown as {
	_resolveFilename(name: string, ...rest: unknown[]): string;
};
const resolveOrdinarily = loader._resolveFilename;
loader._resolveFilename = (name, ...rest) =>
	files.get(name) ?? resolveOrdinarily.call(Module, name, ...rest);
