/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: '<rootDir>/test/jest/environment.ts',
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
	// CI tries properties more often, on machines of any speed.
	testTimeout: process.env.PROPERTY_RUNS ? 240_000 : 60_000,
};
