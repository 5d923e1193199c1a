/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: '<rootDir>/test/jest/environment.ts',
	globalTeardown: '<rootDir>/test/jest/sampleNotice.ts',
	setupFiles: ['<rootDir>/test/jest/sharedPackages.ts'],
	roots: ['<rootDir>/test'],
	testMatch: ['**/*.test.ts'],
	transform: {
		'^.+\\.[cm]?tsx?$': [
			'@swc/jest',
			{ jsc: { target: 'es2022', parser: { syntax: 'typescript' } } },
		],
	},
	moduleFileExtensions: ['ts', 'mts', 'js', 'mjs', 'cjs', 'json', 'node'],
	maxWorkers: 2,
	// A worker has nothing open when its work is done, but a busy machine needs more than jest's 500 ms to free its memory
	// of 500 MB. Jest would call it a leak. What does leak is still named, after these 20 seconds.
	workerGracefulExitTimeout: 20_000,
	// CI tries properties more often, on machines of any speed.
	testTimeout: process.env.PROPERTY_RUNS ? 240_000 : 60_000,
};
