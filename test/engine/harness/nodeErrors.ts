/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { types } from 'node:util';

/**
 * Makes `instanceof Error` true for the errors that Node.js itself throws (sockets, streams,
 * files). A test runner that gives each file its own realm has a second `Error`, and n8n-core asks
 * `instanceof Error` in many places: without this, it would treat them as it never does in n8n.
 */
export function recogniseNodeErrors(): void {
	const ordinary = Function.prototype[Symbol.hasInstance];
	Object.defineProperty(Error, Symbol.hasInstance, {
		configurable: true,
		value(this: unknown, candidate: unknown): boolean {
			return (
				ordinary.call(this as CallableFunction, candidate) ||
				(this === Error && types.isNativeError(candidate))
			);
		},
	});
}
