import { readAs, wholeNumber } from '../fields/kinds';
import type { Credential } from '../transport/credential';
import type { Place } from '../transport/errorTexts';
import { readRequestOptions } from '../transport/requestOptions';
import { Service } from '../transport/service';
import { Session } from '../transport/session';
import { Traffic } from '../transport/traffic';
import { isObject } from '../values/object';
import type { InputItem } from './inputItem';
import type { RunContext } from './runContext';

const defaultMaxConcurrency = 5;

/** How the requests of a run go out. */
export interface Services {
	traffic: Traffic;
	/**
	 * The way to the service with the credential of an item; items with equal credentials share one.
	 *
	 * @throws NodeOperationError when its credential cannot work
	 */
	of(itemIndex: number): Promise<Service>;
}

/**
 * Opens the way to the service for a run. Max Concurrency and Request Options are read of one item for all, as n8n
 * does it.
 *
 * @param place which settings errors can name
 * @throws NodeOperationError when one of them cannot work
 */
export async function openServices(
	context: RunContext,
	first: InputItem,
	place: Place,
): Promise<Services> {
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
	const byCredential = new Map<string, Service>();
	const serviceFor = (credential: Credential): Service => {
		const key = JSON.stringify(credential);
		const known = byCredential.get(key);
		if (known) return known;
		const session = new Session(credential, traffic);
		const service = new Service(context.functions, session, { http, place });
		byCredential.set(key, service);
		return service;
	};
	const common = await commonCredential(context);
	const shared = common && serviceFor(common);
	return {
		traffic,
		of: async (itemIndex) => shared ?? serviceFor(await context.credential(itemIndex)),
	};
}

/** Runs up to this size ask n8n for the credential of every item. */
const smallRun = 100;

/**
 * The credential of all items of a long run, or undefined where each has to be asked for. n8n reads and decrypts it
 * from its database each time (n8n 2.41, `CredentialsHelper.getDecrypted`: about half a millisecond), so it is
 * asked for each item only where an expression makes it depend on the item. Such an expression fails, or
 * has another value, for the number of an item that does not exist.
 */
async function commonCredential({
	items: { length },
	credential,
}: RunContext): Promise<Credential | undefined> {
	if (length <= smallRun) return undefined;
	const read = await Promise.allSettled([0, length - 1, length].map(credential));
	const found = read.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
	const isCommon =
		found.length === read.length && new Set(found.map((each) => JSON.stringify(each))).size === 1;
	return isCommon ? found[0] : undefined;
}
