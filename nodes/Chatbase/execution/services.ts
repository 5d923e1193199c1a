import { readAs, wholeNumber } from '../fields/values';
import type { Credential } from '../api/credential';
import { credentialName, readCredential } from '../api/credential';
import type { AvailableSettings } from '../api/errorTexts';
import { readRequestOptions } from '../api/requestOptions';
import { ApiClient } from '../api/client';
import { CredentialState } from '../api/credentialState';
import { RunLimits } from '../api/runLimits';
import { isObject } from '../values/object';
import type { InputItem } from './item';
import type { RunContext } from './runContext';

const defaultMaxConcurrency = 5;

/** How the requests of a run go out. */
export interface Services {
	limits: RunLimits;
	/**
	 * The way to the service with the credential of an item; items with equal credentials share one.
	 *
	 * @throws NodeOperationError when its credential cannot work
	 */
	of(itemIndex: number): Promise<ApiClient>;
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
	place: AvailableSettings,
): Promise<Services> {
	const { maxConcurrency } = first.collection('options');
	const requestOptions = first.parameter('requestOptions');
	const { pace, ...http } = readRequestOptions(
		context.node,
		isObject(requestOptions) ? requestOptions : {},
	);
	const limits = new RunLimits(
		readAs(first, maxConcurrency ?? defaultMaxConcurrency, wholeNumber(1), 'Max Concurrency'),
		pace,
	);
	const byCredential = new Map<string, ApiClient>();
	const serviceFor = (credential: Credential): ApiClient => {
		const key = JSON.stringify(credential);
		const known = byCredential.get(key);
		if (known) return known;
		const state = new CredentialState(credential, limits);
		const api = new ApiClient(context.node, context.functions, state, {
			http,
			availableSettings: place,
		});
		byCredential.set(key, api);
		return api;
	};
	const credentialOf = async (itemIndex: number) =>
		readCredential(context.node, await context.functions.getCredentials(credentialName, itemIndex));
	const common = await commonCredential(context.items.length, credentialOf);
	const shared = common && serviceFor(common);
	return {
		limits,
		of: async (itemIndex) => shared ?? serviceFor(await credentialOf(itemIndex)),
	};
}

/** For how many items n8n is asked for the credential, unless they turn out to have several. */
const sampleSize = 100;

/**
 * The credential of all items of a long run, or undefined where each has to be asked for. n8n reads and decrypts it
 * from its database each time (n8n 2.41, `CredentialsHelper.getDecrypted`: about half a millisecond), so only items
 * spread over the run are asked for, and one that does not exist, for which an expression with `$json` fails. One that
 * has a value there too, and another for few items alone, is not found out.
 */
async function commonCredential(
	itemCount: number,
	credentialOf: (itemIndex: number) => Promise<Credential>,
): Promise<Credential | undefined> {
	if (itemCount <= sampleSize) return undefined;
	const step = (itemCount - 1) / (sampleSize - 2);
	const sample = Array.from({ length: sampleSize - 1 }, (_, place) => Math.round(place * step));
	const seen = new Map<string, Credential>();
	try {
		for (const itemIndex of [itemCount, ...sample]) {
			const credential = await credentialOf(itemIndex);
			seen.set(JSON.stringify(credential), credential);
		}
	} catch {
		return undefined;
	}
	return seen.size === 1 ? [...seen.values()][0] : undefined;
}
