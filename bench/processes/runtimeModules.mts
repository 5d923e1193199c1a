/**
 * Loaded before anything else in the process of the engine: whoever asks for n8n gets the pinned one, the
 * harness of the tests included, which would find the one that this package is developed with.
 */
import Module, { createRequire, registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { runtimeFolder } from '../../test/n8n/paths.mjs';

const isOfN8n = (name: string) =>
	/^(n8n-(core|workflow|nodes-base)|@n8n\/(config|di))(\/|$)/.test(name);
const manifest = join(runtimeFolder, 'package.json');
const parentURL = pathToFileURL(manifest).href;

registerHooks({
	resolve: (name, context, next) => next(name, isOfN8n(name) ? { ...context, parentURL } : context),
});

// tsx resolves what CommonJS modules require by itself, past the hook.
const loader = Module as unknown as {
	_resolveFilename(name: string, ...rest: unknown[]): string;
};
const resolveOrdinarily = loader._resolveFilename;
const fromRuntime = createRequire(manifest);
const parent = { id: manifest, filename: manifest, paths: fromRuntime.resolve.paths('n8n-core') };
loader._resolveFilename = (name, ...rest) =>
	isOfN8n(name)
		? resolveOrdinarily.call(Module, name, parent, false)
		: resolveOrdinarily.call(Module, name, ...rest);
