/* eslint-disable @n8n/community-nodes/no-restricted-globals */
/** Loaded by `environment.ts`: `require` of Node.js, which loads a module once for each worker. */
declare const requireShared: NodeJS.Require;

/** What n8n-core and the built nodes load too, so that there is one of each, and what takes long to load. */
const sharedPackages = [
	'../engine/harness',
	'../../service',
	'@fastify/multipart',
	'fast-check',
	'fastify',
	'luxon',
	'n8n-core',
	'n8n-workflow',
	'zod',
];

for (const name of sharedPackages) jest.doMock(name, () => requireShared(name) as unknown);

/**
 * The same random values in each run, so that no release waits for a new one to be judged. Another number draws others:
 * the nightly run takes one of each night.
 */
const seed = Number(process.env.PROPERTY_SEED ?? 1);
(requireShared('fast-check') as typeof import('fast-check')).configureGlobal({ seed });
