import type { IHttpRequestOptions } from 'n8n-workflow';

import { readAs, wholeNumber } from '../fields/kinds';
import type { Credential } from '../transport/credential';
import { readRequestOptions } from '../transport/requestOptions';
import { Session } from '../transport/session';
import { Traffic } from '../transport/traffic';
import { isObject } from '../values/object';
import type { InputItem } from './inputItem';
import type { RunContext } from './runContext';

const defaultMaxConcurrency = 5;

/** What the requests of a run go out with. */
export interface Sessions {
	traffic: Traffic;
	/** Proxy, TLS and timeout as the user has set them; timeout in milliseconds. */
	http: Partial<IHttpRequestOptions>;
	/**
	 * The session with the credential of an item; items with equal credentials share one.
	 *
	 * @throws NodeOperationError when its credential cannot work
	 */
	of(itemIndex: number): Promise<Session>;
}

/**
 * Opens the sessions of a run. Max Concurrency and Request Options are read of one item for all, as n8n does it.
 *
 * @throws NodeOperationError when one of them cannot work
 */
export async function openSessions(context: RunContext, first: InputItem): Promise<Sessions> {
	const { maxConcurrency } = first.collection('options');
	const requestOptions = first.parameter('requestOptions');
	const { pace, ...http } = readRequestOptions(
		context.node,
		isObject(requestOptions) ? requestOptions : {},
	);
	const traffic = new Traffic(
		readAs(first, maxConcurrency ?? defaultMaxConcurrency, wholeNumber(1), 'Max Concurrency'),
		pace,
	);
	const byCredential = new Map<string, Session>();
	const credentialOf = await credentialReader(context);
	return {
		traffic,
		http,
		async of(itemIndex) {
			const credential = await credentialOf(itemIndex);
			const key = JSON.stringify(credential);
			const session = byCredential.get(key) ?? new Session(credential, traffic);
			byCredential.set(key, session);
			return session;
		},
	};
}

/** Runs up to this size ask n8n for the credential of every item. */
const smallRun = 100;

/**
 * Tells how the credential of an item is found. n8n reads and decrypts it from its database each time it is asked (n8n
 * 2.41, `CredentialsHelper.getDecrypted`: about half a millisecond), so a long run asks for each item only where an
 * expression makes the credential depend on the item. Such an expression fails, or has another value, for
 * the number of an item that does not exist.
 */
async function credentialReader(
	context: RunContext,
): Promise<(itemIndex: number) => Promise<Credential>> {
	const read = async (itemIndex: number) => await context.credential(itemIndex);
	if (context.items.length <= smallRun) return read;
	const [first, last, beyond] = await Promise.allSettled(
		[0, context.items.length - 1, context.items.length].map(read),
	);
	const isFixed = [last, beyond].every(
		(other) =>
			first.status === 'fulfilled' &&
			other.status === 'fulfilled' &&
			JSON.stringify(other.value) === JSON.stringify(first.value),
	);
	return isFixed && first.status === 'fulfilled' ? async () => first.value : read;
}
