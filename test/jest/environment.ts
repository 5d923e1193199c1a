/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
// First, before anything that loads n8n-core.
import { removeUserFolder } from '../engine/harness/environment';

import { AsyncLocalStorage } from 'node:async_hooks';
import { types } from 'node:util';

import type { EnvironmentContext, JestEnvironmentConfig } from '@jest/environment';
import { ModernFakeTimers } from '@jest/fake-timers';
import { TestEnvironment } from 'jest-environment-node';

// Loaded here, because jest compiles TypeScript outside its sandbox only while it loads this file.
import '../engine/harness';
import { refuseStaleBuild } from '../../lab/freshBuild';
import '../../service';

process.once('exit', removeUserFolder);

/** What jest-circus 30.5 opens for each test file and leaves open. Before Node.js 24, each slows down all promises. */
const testContexts = new Set<AsyncLocalStorage<unknown>>();

const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (this: AsyncLocalStorage<unknown>, ...given: unknown[]) {
	const [store] = given;
	if (typeof store === 'object' && store !== null && 'test' in store) testContexts.add(this);
	return run.apply(this, given as never);
} as typeof run;

/**
 * Lets the test files of one worker share packages, the engine and the service (`sharedPackages.ts`). Jest would load
 * n8n-core with its 1,800 modules again for each file, which takes two seconds. What is shared, and the built nodes that
 * n8n-core loads, run outside jest's sandbox with the globals of Node.js, as they do in n8n.
 */
export default class SharedPackagesEnvironment extends TestEnvironment {
	constructor(config: JestEnvironmentConfig, context: EnvironmentContext) {
		super(config, context);
		// Before a suite starts a service that keeps jest from ending.
		if (context.testPath.includes('/test/engine/')) refuseStaleBuild(config.projectConfig.rootDir);
		this.global.requireShared = require;
		// Fake timers must apply inside and outside the sandbox with one clock.
		this.fakeTimersModern = new ModernFakeTimers({
			config: config.projectConfig,
			global: globalThis,
		});
		for (const name of ['Date', 'performance', 'setTimeout', 'clearTimeout'] as const) {
			Object.defineProperty(this.global, name, {
				configurable: true,
				get: () => globalThis[name],
			});
		}
		recognizeErrors(this.global.Error);
	}

	override async teardown(): Promise<void> {
		for (const contexts of testContexts) contexts.disable();
		testContexts.clear();
		await super.teardown();
	}
}

/** Makes `instanceof Error` true in the sandbox for errors from outside, which are made by another `Error`. */
function recognizeErrors(sandboxError: ErrorConstructor): void {
	const ordinary = Function.prototype[Symbol.hasInstance];
	Object.defineProperty(sandboxError, Symbol.hasInstance, {
		configurable: true,
		value(this: unknown, candidate: unknown): boolean {
			return (
				ordinary.call(this as CallableFunction, candidate) ||
				(this === sandboxError && types.isNativeError(candidate))
			);
		},
	});
}
